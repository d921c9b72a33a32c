import {SLOTS, savedViewSummary, slotOf} from '../../../monitor/saved-views/saved-view.ts';
import {type MonitorState, topMode} from '../../../monitor/state.ts';
import {nameProblem} from '../../argument-problem.ts';
import {feature} from '../../feature.ts';
import {fuzzyFilter} from '../../fuzzy.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {markedOf} from '../menu/narrowing.ts';
import {createSavedViewActions} from './saved-view-actions.ts';
import {savedViewItems, shownSlots} from './saved-view-items.ts';

const SLOT_KEYS = SLOTS.map(String);

/** Sort, filter and window of all columns under a number. */
export const savedViews = feature({
	name: 'savedViews',
	actions: createSavedViewActions,
	modes: {
		slot: {help: 'views', promptRows: 1, close: a => a.close()},
		presets: {
			help: 'views',
			menu: {
				title: 'Saved views ({preset.load} loads one, {preset.save} saves what is on screen)',
				canNarrow: true,
				items: savedViewItems,
				source: state => state.savedViews,
				accept: ({id}, _, a) => a.accept(Number(id)),
			},
			remove: {label: 'remove', when: isSlotFilled, run: a => a.remove()},
			copy: {run: a => a.copy()},
		},
		presetName: {
			help: 'views',
			typesLine: true,
			promptRows: 1,
			accepts: 'save',
			accept: (_, a) => a.acceptLine(),
		},
		presetImport: {
			help: 'views',
			typesLine: true,
			promptRows: 1,
			accepts: 'preview',
			accept: (_, a) => a.acceptLine(),
		},
		presetDiff: {help: 'views', window: 'own', accepts: 'apply', open: a => a.acceptDiff(), close: a => a.close()},
	},
	help: {views: {title: 'SAVED VIEWS ({preset.list})', rank: 50}},
	commands: [
		{
			word: 'view',
			usage: 'view NUMBER|NAME',
			help: 'Load a saved view.',
			problem: (argument, {savedViews}) =>
				slotOf(argument, savedViews) === undefined
					? nameProblem(
							argument,
							[...savedViews.values()].map(({name}) => name),
						)
					: undefined,
			completions: (argument, {savedViews}) =>
				fuzzyFilter([...savedViews], argument, ([slot, {name}]) => `${slot} ${name}`).map(([slot, savedView]) => ({
					argument: savedView.name,
					note: `${slot}: ${savedViewSummary(savedView)}`,
				})),
			run: (argument, a) => a.loadNamed(argument),
		},
	],
	paste: (text, a) => a.paste(text),
	bindings: [
		{
			id: 'preset.prefix',
			keys: [],
			modes: BROWSE,
			group: 'View',
			label: 'saved view',
			title: 'Load saved view…',
			help: 'Load a saved view, with its number after it: {preset.prefix}1 to {preset.prefix}9. {preset.prefix}{preset.back} goes back to what was shown before.',
			disabled: s =>
				s.savedViews.size === 0 && s.viewBefore === undefined
					? 'no view is saved yet. {preset.list}, then {preset.save} saves what is on screen'
					: undefined,
			run: a => a.openSlot(),
		},
		{
			id: 'preset.load',
			keys: SLOT_KEYS,
			written: '1-9',
			modes: ['slot', 'presets', 'presetDiff'],
			group: 'View',
			label: 'load',
			labelNow: s => (topMode(s).kind === 'presetDiff' ? 'apply and save' : undefined),
			help: 'Load the view of that number; in the preview of an imported view, apply it and save it under that number; {menu.accept} only applies it.',
			hint: 6,
			hintWhen: s => topMode(s).kind !== 'presets',
			run: (a, _count, key) => a.takeSlot(Number(key)),
		},
		{
			id: 'preset.back',
			keys: ["'", '`'],
			modes: ['slot', 'presets'],
			group: 'View',
			label: 'back',
			help: 'Go back to what was shown before the last saved view.',
			hint: 10,
			disabled: s => (s.viewBefore === undefined ? 'no view was loaded yet' : undefined),
			run: a => a.loadBefore(),
		},
		{
			id: 'preset.list',
			keys: ["'", '`'],
			modes: BROWSE,
			group: 'View',
			label: 'views',
			title: 'Saved views',
			help: 'Saved views: sort, filter and window of all columns under a number; its digit loads one, {preset.back} goes back to what was shown before.',
			hint: 70,
			run: a => a.open(),
		},
		{
			id: 'preset.save',
			keys: ['s'],
			modes: ['presets'],
			group: 'Menu',
			label: 'save here',
			help: 'Save what is on screen under the marked number.',
			hint: 7,
			run: a => a.save(),
		},
		{
			id: 'preset.rename',
			keys: ['n'],
			modes: ['presets'],
			group: 'Menu',
			label: 'rename',
			help: 'Rename the marked view.',
			hint: 19,
			hintWhen: isSlotFilled,
			run: a => a.rename(),
		},
		{
			id: 'preset.import',
			keys: ['i'],
			modes: ['presets'],
			group: 'Menu',
			label: 'import',
			help: 'Import a view from a line of text. Its changes are shown first. Pasting such a line into the list does the same.',
			hint: 23,
			run: a => a.openImport(),
		},
	],
});

/** Whether a view is saved under the marked number. */
function isSlotFilled(state: MonitorState): boolean {
	const mode = topMode(state);
	return mode.kind === 'presets' && state.savedViews.has(markedOf(mode, shownSlots(mode, state)) ?? 0);
}
