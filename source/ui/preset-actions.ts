import type {Actions} from '../monitor/actions.ts';
import {
	activeSlot,
	formatPreset,
	looksLikePreset,
	type Preset,
	presetChanges,
	presetName,
	presetOf,
	readPreset,
	slotOf,
} from '../monitor/saved-views/saved-view.ts';
import * as presets from '../monitor/saved-views/saved-view-transitions.ts';
import {type MonitorState, topMode} from '../monitor/state.ts';
import {editOf} from '../monitor/transitions/text-edit.ts';
import type {Store} from '../store.ts';
import {markedOf, shownSlots} from './narrowing.ts';

export function createPresetActions(store: Store<MonitorState>, actions: Actions) {
	const {apply, get} = store;

	/** The number that the marked line of the menu stands for. */
	function markedSlot(): number | undefined {
		const mode = topMode(get());
		return mode.kind === 'presets' ? markedOf(mode, shownSlots(mode, get())) : undefined;
	}

	function keep(slot: number, preset: Preset | undefined): void {
		apply(state => presets.presetKept(state, slot, preset));
		actions.saveChoices();
	}

	function load(slot: number): void {
		const preset = get().presets.get(slot);
		if (!preset) {
			actions.tell(`View ${slot} is empty.`, 'warn', '{preset.list}, then {preset.save} saves what is on screen.');
			return;
		}
		apply(state => presets.presetLoaded(state, preset));
		actions.tell(`View ${slot}: ${preset.name}.`, 'good', '{preset.prefix}{preset.back} goes back.');
	}

	function openName(slot: number, saves: boolean): void {
		actions.enterMode({kind: 'presetName', slot, saves, edit: editOf(get().presets.get(slot)?.name ?? '')});
	}

	/** Shows what a line that came from elsewhere would change; false when it is no saved view at all. */
	function openDiff(line: string): boolean {
		const now = presetOf(get(), 'imported');
		const read = readPreset(line, now);
		if (!read.ok) {
			actions.tell(`The view can't be read: ${read.problem}.`, 'bad');
			return false;
		}
		actions.enterMode({kind: 'presetDiff', preset: read.preset, changes: presetChanges(now, read.preset)});
		return true;
	}

	return {
		openSlot: () => actions.enterMode({kind: 'slot'}),
		/** The digit after the prefix. */
		loadSlot: (slot: number) => {
			actions.leaveMode();
			load(slot);
		},
		/** @param text a number or a name */
		loadNamed: (text: string) => {
			const slot = slotOf(text, get().presets);
			if (slot !== undefined) load(slot);
		},
		loadBefore: () => {
			actions.leaveMode();
			const before = get().presetBefore;
			if (!before) return actions.tell('No view was loaded yet.', 'warn');
			apply(state => presets.presetLoaded(state, before));
			actions.tell('Back to what was shown before.');
		},
		openPresets: () => actions.enterMode({kind: 'presets', index: (activeSlot(get()) ?? 1) - 1}),
		/** Enter in the list of views: loads it; an empty one takes what is on screen. */
		acceptPreset: (slot: number) => (get().presets.has(slot) ? load(slot) : openName(slot, true)),
		loadMarked: (slot: number) => {
			actions.leaveMode();
			load(slot);
		},
		savePreset: () => {
			const slot = markedSlot();
			if (slot !== undefined) openName(slot, true);
		},
		renamePreset: () => {
			const slot = markedSlot();
			if (slot === undefined) return;
			if (!get().presets.has(slot)) return actions.tell(`View ${slot} is empty: there is nothing to rename.`, 'warn');
			openName(slot, false);
		},
		removePreset: () => {
			const slot = markedSlot();
			const preset = slot === undefined ? undefined : get().presets.get(slot);
			if (slot === undefined || !preset) return actions.tell('This number is empty.', 'warn');
			keep(slot, undefined);
			actions.tell(`Removed view ${slot}, ${preset.name}.`);
		},
		copyPreset: () => {
			const slot = markedSlot();
			const preset = slot === undefined ? undefined : get().presets.get(slot);
			actions.copyText(formatPreset(preset ?? presetOf(get(), 'shared')), preset?.name ?? 'What is on screen');
		},
		openImport: () => actions.enterMode({kind: 'presetImport', edit: editOf('')}),
		/** Enter in a prompt of saved views. */
		acceptPresetPrompt: () => {
			const mode = topMode(get());
			if (mode.kind === 'presetImport') {
				const before = get().modes;
				if (!openDiff(mode.edit.text)) return;
				// The window takes the place of the prompt and of the menu below it.
				apply(state => ({...state, modes: [state.modes[0]!, ...state.modes.slice(before.length)]}));
			}
			if (mode.kind !== 'presetName') return;
			const {slot, saves, edit} = mode;
			const name = presetName(edit.text) || `View ${slot}`;
			const known = get().presets.get(slot);
			actions.leaveMode();
			keep(slot, saves || !known ? presetOf(get(), name) : {...known, name});
			if (saves) actions.tell(`Saved as view ${slot}, ${name}.`, 'good');
			else actions.tell(`View ${slot} is called ${name}.`, 'good');
		},
		/** Enter on what a view would change: it is applied, and kept under a number if one was given. */
		acceptDiff: (slot?: number) => {
			const mode = topMode(get());
			if (mode.kind !== 'presetDiff') return;
			actions.leaveMode();
			// The list that the line was pasted into closes as well: what the view shows is below it.
			if (topMode(get()).kind === 'presets') actions.leaveMode();
			if (slot !== undefined) keep(slot, mode.preset);
			apply(state => presets.presetLoaded(state, mode.preset));
			actions.tell(
				slot === undefined ? `Showing "${mode.preset.name}".` : `Saved as view ${slot}, ${mode.preset.name}.`,
				'good',
				`${slot === undefined ? 'Save it with {preset.list} {preset.save}; ' : ''}{preset.prefix}{preset.back} goes back.`,
			);
		},
		/** Text pasted where nothing is typed: a saved view shows what it would change. @returns whether it was one */
		pasteElsewhere: (pasted: string): boolean => {
			const {kind} = topMode(get());
			if ((kind !== 'list' && kind !== 'presets') || !looksLikePreset(pasted)) return false;
			openDiff(pasted);
			return true;
		},
	};
}
