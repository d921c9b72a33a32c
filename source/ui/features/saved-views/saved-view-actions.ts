import {type SavedView, savedViewChanges, savedViewName, slotOf} from '../../../monitor/saved-views/saved-view.ts';
import {formatSavedView, looksLikeSavedView, readSavedView} from '../../../monitor/saved-views/saved-view-text.ts';
import * as savedViews from '../../../monitor/saved-views/saved-view-transitions.ts';
import {activeSlot, savedViewOf} from '../../../monitor/saved-views/saved-view-transitions.ts';
import {topMode} from '../../../monitor/state.ts';
import {editOf} from '../../../monitor/transitions/text-edit.ts';
import type {Context} from '../../feature.ts';
import {markedOf} from '../menu/narrowing.ts';
import {shownSlots} from './saved-view-items.ts';

/** The actions of saved views: load, save, rename, share, import. */
export function createSavedViewActions({store, monitor}: Context) {
	const {apply, get} = store;

	/** The number that the marked line of the menu stands for. */
	function markedSlot(): number | undefined {
		const mode = topMode(get());
		return mode.kind === 'presets' ? markedOf(mode, shownSlots(mode, get())) : undefined;
	}

	function keep(slot: number, savedView: SavedView | undefined): void {
		apply(state => savedViews.savedViewKept(state, slot, savedView));
		monitor.saveChoices();
	}

	function load(slot: number): void {
		const savedView = get().savedViews.get(slot);
		if (!savedView) {
			monitor.notify(`View ${slot} is empty.`, 'warn', '{preset.list}, then {preset.save} saves what is on screen.');
			return;
		}
		apply(state => savedViews.savedViewLoaded(state, savedView));
		monitor.notify(`View ${slot}: ${savedView.name}.`, 'good', '{preset.list}{preset.back} goes back.');
	}

	function openName(slot: number, saves: boolean): void {
		monitor.enterMode({kind: 'presetName', slot, saves, edit: editOf(get().savedViews.get(slot)?.name ?? '')});
	}

	/** Shows what an imported line would change; false when the line is no saved view. */
	function openDiff(line: string): boolean {
		const now = savedViewOf(get(), 'imported');
		const read = readSavedView(line, now);
		if (!read.ok) {
			monitor.notify(`The view can't be read: ${read.problem}.`, 'bad');
			return false;
		}
		monitor.enterMode({kind: 'presetDiff', savedView: read.savedView, changes: savedViewChanges(now, read.savedView)});
		return true;
	}

	/** Enter on what a view would change: it is applied, and kept under a number if one was given. */
	function acceptDiff(slot?: number): void {
		const mode = topMode(get());
		if (mode.kind !== 'presetDiff') return;
		monitor.leaveMode();
		// The list that the line was pasted into closes as well: what the view shows is below it.
		if (topMode(get()).kind === 'presets') monitor.leaveMode();
		if (slot !== undefined) keep(slot, mode.savedView);
		apply(state => savedViews.savedViewLoaded(state, mode.savedView));
		monitor.notify(
			slot === undefined ? `Showing "${mode.savedView.name}".` : `Saved as view ${slot}, ${mode.savedView.name}.`,
			'good',
			`${slot === undefined ? 'Save it with {preset.list} {preset.save}; ' : ''}{preset.list}{preset.back} goes back.`,
		);
	}

	return {
		close: monitor.leaveMode,
		openSlot: () => monitor.enterMode({kind: 'slot'}),
		/** A digit: after the prefix and in the menu that view is loaded, in a preview the view is applied and saved there. */
		takeSlot: (slot: number) => {
			if (topMode(get()).kind === 'presetDiff') return acceptDiff(slot);
			monitor.leaveMode();
			load(slot);
		},
		/** @param text a number or a name */
		loadNamed: (text: string) => {
			const slot = slotOf(text, get().savedViews);
			if (slot !== undefined) load(slot);
		},
		loadBefore: () => {
			monitor.leaveMode();
			const before = get().viewBefore;
			if (!before) return monitor.notify('No view was loaded yet.', 'warn');
			apply(state => savedViews.savedViewLoaded(state, before));
			monitor.notify('Back to what was shown before.');
		},
		open: () => monitor.enterMode({kind: 'presets', index: (activeSlot(get()) ?? 1) - 1}),
		/** Enter in the list of views: loads it; an empty one takes what is on screen. */
		accept: (slot: number) => {
			monitor.leaveMode();
			if (get().savedViews.has(slot)) load(slot);
			else openName(slot, true);
		},
		save: () => {
			const slot = markedSlot();
			if (slot !== undefined) openName(slot, true);
		},
		rename: () => {
			const slot = markedSlot();
			if (slot === undefined) return;
			if (!get().savedViews.has(slot))
				return monitor.notify(`View ${slot} is empty: there is nothing to rename.`, 'warn');
			openName(slot, false);
		},
		remove: () => {
			const slot = markedSlot();
			const savedView = slot === undefined ? undefined : get().savedViews.get(slot);
			if (slot === undefined || !savedView) return monitor.notify('This number is empty.', 'warn');
			keep(slot, undefined);
			monitor.notify(`Removed view ${slot}, ${savedView.name}.`);
		},
		copy: () => {
			const slot = markedSlot();
			const savedView = slot === undefined ? undefined : get().savedViews.get(slot);
			monitor.copyText(
				formatSavedView(savedView ?? savedViewOf(get(), 'shared')),
				savedView?.name ?? 'What is on screen',
			);
		},
		openImport: () => monitor.enterMode({kind: 'presetImport', edit: editOf('')}),
		/** Enter in a prompt of saved views. */
		acceptLine: () => {
			const mode = topMode(get());
			if (mode.kind === 'presetImport') {
				const before = get().modes;
				if (!openDiff(mode.edit.text)) return;
				// The window takes the place of the prompt and of the menu below it.
				apply(state => ({...state, modes: [state.modes[0]!, ...state.modes.slice(before.length)]}));
			}
			if (mode.kind !== 'presetName') return;
			const {slot, saves, edit} = mode;
			const name = savedViewName(edit.text) || `View ${slot}`;
			const known = get().savedViews.get(slot);
			monitor.leaveMode();
			keep(slot, saves || !known ? savedViewOf(get(), name) : {...known, name});
			if (saves) monitor.notify(`Saved as view ${slot}, ${name}.`, 'good');
			else monitor.notify(`View ${slot} is called ${name}.`, 'good');
		},
		acceptDiff,
		/** Text pasted where nothing is typed: a saved view shows what it would change. @returns whether it was one */
		paste: (pasted: string): boolean => {
			const {kind} = topMode(get());
			if ((kind !== 'list' && kind !== 'presets') || !looksLikeSavedView(pasted)) return false;
			openDiff(pasted);
			return true;
		},
	};
}
