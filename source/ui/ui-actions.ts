import type {FieldName} from '../contract/fields.ts';
import {columnFilterOf} from '../monitor/filter/column-filter.ts';
import {completeFilterLine} from '../monitor/filter/complete.ts';
import type {Mode} from '../monitor/mode.ts';
import {focused} from '../monitor/select.ts';
import {topMode} from '../monitor/state.ts';
import * as text from '../monitor/transitions/text-edit.ts';
import {createComfortActions} from './comfort-actions.ts';
import type {Context} from './feature.ts';
import {createColumnActions} from './features/columns/column-actions.ts';
import {createEmptyActions} from './features/empty/drop-clause.ts';
import {createHideActions} from './features/hides/hide-actions.ts';
import {createScopeActions} from './features/scope/scope-actions.ts';
import {createCommandActions} from './features/user-commands/command-actions.ts';
import {createHelpActions} from './help/help-actions.ts';
import {createLinkActions} from './links/link-actions.ts';
import {createMouse} from './mouse-actions.ts';
import {sortChoices} from './sort-choices.ts';

export function createUiActions(context: Context) {
	const {store, monitor: actions, screen: sizes, runBinding} = context;
	const {get} = store;
	const comfort = createComfortActions(context);
	const columns = createColumnActions(store, actions);
	const scope = createScopeActions(store, actions);
	const hides = createHideActions(store, actions);
	const links = createLinkActions(store, actions);
	const commands = createCommandActions(store, actions);
	const help = createHelpActions(context);

	function choose(mode: Mode, id: string) {
		actions.leaveMode();
		if (mode.kind === 'sort') actions.sort(id as FieldName);
		else if (mode.kind === 'presets') comfort.acceptPreset(Number(id));
		else if (mode.kind === 'commandConfirm') commands.acceptCommand(mode, id);
		else if (mode.kind === 'palette') runBinding(id);
	}

	return {
		...comfort,
		...links,
		...columns,
		...scope,
		...hides,
		...commands,
		choose,
		...createEmptyActions(store, actions),
		/** @returns whether the pasted text was something that is taken where nothing is typed */
		pasteElsewhere: (pasted: string): boolean => hides.pasteHides(pasted) || comfort.pasteElsewhere(pasted),
		...help,
		mouse: createMouse(context),
		/** Opens with what is in force marked, so that Enter changes nothing that was not chosen. */
		openSort: () => {
			const {sortBy, window} = focused(get());
			const index = Math.max(
				sortChoices(window).findIndex(({field}) => field === sortBy),
				0,
			);
			actions.enterMode({kind: 'sort', edit: text.editOf(''), index});
		},
		openFilter: () => actions.enterMode({kind: 'filter', edit: text.editOf(focused(get()).filter.text), index: 0}),
		clearFilter: () => {
			if (focused(get()).filter.text === '') return actions.tell('This column has no filter.', 'warn');
			actions.setFilter({text: ''});
		},
		openSearch: () => {
			const {search, cursor} = focused(get());
			actions.enterMode({
				kind: 'search',
				edit: text.editOf(search),
				before: {search, ...(cursor !== undefined && {cursor})},
			});
		},
		openPalette: () => actions.enterMode({kind: 'palette', edit: text.editOf(''), index: 0}),
		acceptPrompt: () => {
			const mode = topMode(get());
			if (mode.kind === 'search') return actions.leaveMode();
			if (mode.kind !== 'filter') return;
			const line = mode.edit.text.trim();
			const filter = columnFilterOf(line);
			// Nothing typed is lost: a line with an error stays open, and the error points at its place.
			if (!filter) return;
			actions.leaveMode();
			if (line !== focused(get()).filter.text) actions.setFilter(filter);
		},
		cancelPrompt: () => {
			const mode = topMode(get());
			actions.leaveMode();
			if (mode.kind === 'search') actions.abandonSearch(mode.before);
		},
		completePrompt: () => {
			const mode = topMode(get());
			if (mode.kind !== 'filter' && mode.kind !== 'alertRule') return;
			const {text: line, cursor} = mode.edit;
			const [best] = completeFilterLine(line, cursor);
			if (!best) return;
			actions.changeMode(() => ({
				...mode,
				edit: {
					text: line.slice(0, best.start) + best.text + line.slice(best.end),
					cursor: best.start + best.text.length,
				},
			}));
		},

		abandonFields: (before: readonly string[]) => {
			actions.leaveMode();
			actions.setFields(before);
		},
		scrollDetailBy: (pages: number) => {
			const {max, page} = sizes.detail();
			actions.scrollDetail(pages * Math.max(page - 2, 1), max);
		},
	};
}
