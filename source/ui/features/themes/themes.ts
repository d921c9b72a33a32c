import {nameProblem} from '../../argument-problem.ts';
import type {MenuItem} from '../../feature.ts';
import {feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {THEME_NAMES, THEMES} from '../../theme.ts';

/** The colours; the marked ones are shown at once. */
export const themes = feature({
	name: 'themes',
	actions: ({store, monitor}) => ({
		open: () => {
			const {theme} = store.get();
			const index = Math.max(
				themeItems(theme).findIndex(({isCurrent}) => isCurrent),
				0,
			);
			monitor.enterMode({kind: 'themes', index, before: theme});
		},
		preview: monitor.previewTheme,
		accept: (name: string) => {
			monitor.leaveMode();
			monitor.setTheme(name);
		},
		cancel: (before: string) => {
			monitor.leaveMode();
			monitor.previewTheme(before);
		},
		set: monitor.setTheme,
	}),
	modes: {
		themes: {
			help: 'menus',
			menu: {
				title: 'Colours',
				items: ({before}) => themeItems(before),
				marked: ({id}, a) => a.preview(id),
				accept: ({id}, _, a) => a.accept(id),
				cancel: ({before}, a) => a.cancel(before),
			},
		},
	},
	commands: [
		{
			word: 'theme',
			usage: 'theme NAME',
			help: 'Choose the colours.',
			problem: argument => nameProblem(argument, THEME_NAMES),
			completions: (argument, state) =>
				THEME_NAMES.filter(name => name.startsWith(argument.trim())).map(name => ({
					argument: name,
					note: `${THEMES[name].label}${name === state.theme ? ', now' : ''}`,
				})),
			run: (argument, a) => a.set(argument.trim()),
		},
	],
	bindings: [
		{
			id: 'view.theme',
			keys: [],
			modes: BROWSE,
			group: 'View',
			label: 'theme',
			title: 'Theme…',
			help: 'Choose the colours.',
			run: a => a.open(),
		},
	],
});

function themeItems(current: string): readonly MenuItem[] {
	return THEME_NAMES.map(name => ({id: name, label: THEMES[name].label, note: name, isCurrent: name === current}));
}
