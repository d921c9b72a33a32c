import type {Mode, NarrowableMode} from '../../../monitor/mode.ts';
import {topMode} from '../../../monitor/state.ts';
import {editOf} from '../../../monitor/transitions/text-edit.ts';
import type {Context, ModeSpec} from '../../feature.ts';
import {isMenu} from './mark-line.ts';
import {markedOf} from './narrowing.ts';

type NarrowMode = Extract<Mode, {readonly kind: 'menuNarrow'}>;

/** The actions of all menus and pages: choose, narrow, close. */
export function createMenuActions({store, monitor, specOf, menuContext}: Context) {
	const {get} = store;

	function isNarrowable(mode: Mode): mode is NarrowableMode {
		return specOf(mode.kind).spec.menu?.canNarrow === true;
	}

	/** All lines are shown again, with the same one marked. */
	function showAll(): void {
		monitor.changeMode(mode => {
			if (!isNarrowable(mode)) return mode;
			const {itemsOf} = menuContext();
			const {narrow: _, ...menu} = mode;
			const id = markedOf(mode, itemsOf(mode))?.id;
			const index = itemsOf(menu).findIndex(item => item.id === id);
			return {...menu, index: Math.max(index, 0)};
		});
	}

	function onTop(act: (spec: ModeSpec, actions: unknown) => void): void {
		const {spec, actions} = specOf(topMode(get()).kind);
		act(spec, actions);
	}

	/** Leaves the line, with the menu narrowed by the typed text. */
	function acceptNarrow(): void {
		const mode = topMode(get());
		if (mode.kind !== 'menuNarrow') return;
		monitor.leaveMode();
		const narrow = mode.edit.text.trim();
		monitor.changeMode(menu => (isNarrowable(menu) ? {...menu, narrow, index: mode.index} : menu));
		if (narrow === '') showAll();
	}

	return {
		accept: () => {
			const mode = topMode(get());
			const {spec, actions} = specOf(mode.kind);
			if (spec.open) return spec.open(actions);
			const item = isMenu(mode) ? markedOf(mode, menuContext().itemsOf(mode)) : undefined;
			if (!item) return;
			if (item.disabled !== undefined) return monitor.notify(`${item.label} ${item.disabled}`, 'warn');
			spec.menu?.accept?.(item, mode, actions);
		},
		toggle: () => onTop((spec, actions) => spec.menu?.toggle?.(actions)),
		shift: (by: 1 | -1) => onTop((spec, actions) => spec.menu?.shift?.(by, actions)),
		reset: () => onTop((spec, actions) => spec.menu?.reset?.(actions)),
		remove: () => onTop((spec, actions) => spec.remove?.run(actions)),
		copy: () => onTop((spec, actions) => spec.copy?.run(actions)),
		/** Shows all lines where they are narrowed, else closes the menu or goes a step back. */
		cancel: () => {
			const mode = topMode(get());
			if (isNarrowable(mode) && mode.narrow !== undefined) return showAll();
			const {spec, actions} = specOf(mode.kind);
			if (spec.close) spec.close(actions);
			else if (spec.menu?.cancel) spec.menu.cancel(mode, actions);
			else monitor.leaveMode();
		},
		narrow: () => {
			const menu = topMode(get());
			const {spec, actions} = specOf(menu.kind);
			if (spec.search) return spec.search(actions);
			if (!isNarrowable(menu)) return;
			const {narrow = '', index} = menu;
			monitor.enterMode({kind: 'menuNarrow', menu, edit: editOf(narrow), index});
		},
		acceptNarrow,
		/** Ends the narrowing: the menu shows all its lines. */
		cancelNarrow: () => {
			acceptNarrow();
			showAll();
		},
	};
}

/** The menu in which words are typed, as they narrow it. */
export function narrowedMenu({menu, edit, index}: NarrowMode): NarrowableMode {
	return {...menu, narrow: edit.text, index};
}
