import {DEFAULT_FIELDS} from '../../../monitor/columns/row-fields.ts';
import {focused} from '../../../monitor/select.ts';
import {topMode} from '../../../monitor/state.ts';
import {shownFields} from '../../cell-layout.ts';
import type {Context} from '../../feature.ts';
import {markedOf} from '../menu/narrowing.ts';
import {rowFieldItems} from './row-field-items.ts';

/** The rows follow every step. */
export function createRowFieldActions({store: {get}, monitor}: Context) {
	/** The marked line of the chooser, if it is open. */
	function marked(): {readonly name: string; readonly shown: readonly string[]} | undefined {
		const mode = topMode(get());
		const item = mode.kind === 'fields' ? markedOf(mode, rowFieldItems(mode, get())) : undefined;
		return item && {name: item.id, shown: shownFields(focused(get()))};
	}

	function mark(name: string): void {
		monitor.changeMode(mode => {
			if (mode.kind !== 'fields') return mode;
			const index = rowFieldItems(mode, get()).findIndex(({id}) => id === name);
			return {...mode, index: Math.max(index, 0)};
		});
	}

	return {
		open: () => monitor.enterMode({kind: 'fields', index: 0, before: focused(get()).fields}),
		/** Takes the marked field in as the last one, or out; the cursor stays where it is, on what comes next. */
		toggle: () => {
			const at = marked();
			if (!at) return;
			const {name, shown} = at;
			if (!shown.includes(name)) monitor.setFields([...shown, name]);
			else if (shown.length > 1) monitor.setFields(shown.filter(other => other !== name));
			else monitor.notify('A row shows at least one figure.', 'warn');
		},
		/** Moves the marked field in the order, and the cursor with it. */
		move: (by: 1 | -1) => {
			const at = marked();
			if (!at?.shown.includes(at.name)) return;
			const to = at.shown.indexOf(at.name) + by;
			if (to < 0 || to >= at.shown.length) return;
			const moved = at.shown.filter(other => other !== at.name);
			moved.splice(to, 0, at.name);
			monitor.setFields(moved);
			mark(at.name);
		},
		reset: () => monitor.setFields(DEFAULT_FIELDS),
		set: monitor.setFields,
		close: monitor.leaveMode,
		cancel: (before: readonly string[]) => {
			monitor.leaveMode();
			monitor.setFields(before);
		},
	};
}
