import type {Actions} from '../monitor/actions.ts';
import {DEFAULT_FIELDS} from '../monitor/columns/row-fields.ts';
import {focused} from '../monitor/select.ts';
import {type MonitorState, topMode} from '../monitor/state.ts';
import type {Store} from '../store.ts';
import {shownFields} from './cell-layout.ts';
import {shownFieldItems} from './features/rest-fields.ts';
import {markedOf} from './narrowing.ts';

/** The verbs of choosing what a row shows; the rows follow every step. */
export function createFieldActions({get}: Store<MonitorState>, actions: Actions) {
	/** The marked line of the chooser, if it is open. */
	function marked(): {readonly name: string; readonly shown: readonly string[]} | undefined {
		const mode = topMode(get());
		const item = mode.kind === 'fields' ? markedOf(mode, shownFieldItems(mode, get())) : undefined;
		return item && {name: item.id, shown: shownFields(focused(get()))};
	}

	function mark(name: string): void {
		actions.changeMode(mode => {
			if (mode.kind !== 'fields') return mode;
			const index = shownFieldItems(mode, get()).findIndex(({id}) => id === name);
			return {...mode, index: Math.max(index, 0)};
		});
	}

	return {
		openFields: () => actions.enterMode({kind: 'fields', index: 0, before: focused(get()).fields}),
		/** Takes the marked field in as the last one, or out; the cursor stays where it is, on what comes next. */
		toggleField: () => {
			const at = marked();
			if (!at) return;
			const {name, shown} = at;
			if (!shown.includes(name)) actions.setFields([...shown, name]);
			else if (shown.length > 1) actions.setFields(shown.filter(other => other !== name));
			else actions.tell('A row shows at least one figure.', 'warn');
		},
		/** Moves the marked field in the order, and the cursor with it. */
		moveField: (by: 1 | -1) => {
			const at = marked();
			if (!at?.shown.includes(at.name)) return;
			const to = at.shown.indexOf(at.name) + by;
			if (to < 0 || to >= at.shown.length) return;
			const moved = at.shown.filter(other => other !== at.name);
			moved.splice(to, 0, at.name);
			actions.setFields(moved);
			mark(at.name);
		},
		resetFields: () => actions.setFields(DEFAULT_FIELDS),
	};
}
