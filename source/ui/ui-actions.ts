import type {FieldName} from '../contract/fields.ts';
import type {Actions} from '../monitor/actions.ts';
import {columnFilterOf} from '../monitor/filter/column-filter.ts';
import {completeFilterLine} from '../monitor/filter/complete.ts';
import {focused} from '../monitor/select.ts';
import {type Mode, type MonitorState, topMode} from '../monitor/state.ts';
import * as text from '../monitor/transitions/text-edit.ts';
import type {Store} from '../store.ts';
import {createComfortActions} from './comfort-actions.ts';
import {createColumnActions} from './features/columns/column-actions.ts';
import {createEmptyActions} from './features/empty/drop-clause.ts';
import {createHideActions} from './features/hides/hide-actions.ts';
import {createScopeActions} from './features/scope/scope-actions.ts';
import {createCommandActions} from './features/user-commands/command-actions.ts';
import {createHelpActions} from './help/help-actions.ts';
import type {HelpLine} from './help/help-lines.ts';
import type {Layout} from './layout.ts';
import {createLinkActions} from './links/link-actions.ts';
import {menuItems} from './menus.ts';
import {createMouse} from './mouse-actions.ts';
import {createNarrowActions} from './narrow-actions.ts';
import {markedOf} from './narrowing.ts';

type EditName = 'charDeleted' | 'nextCharDeleted' | 'wordDeleted' | 'lineDeleted' | 'left' | 'right' | 'start' | 'end';

const EDITS: Readonly<Record<EditName, (edit: text.TextEdit) => text.TextEdit>> = {
	charDeleted: text.charDeleted,
	nextCharDeleted: text.nextCharDeleted,
	wordDeleted: text.wordDeleted,
	lineDeleted: text.lineDeleted,
	left: edit => text.cursorMovedBy(edit, -1),
	right: edit => text.cursorMovedBy(edit, 1),
	start: edit => text.cursorMovedTo(edit, 'start'),
	end: edit => text.cursorMovedTo(edit, 'end'),
};

/** What the screen itself has to know: sizes that only the layout can tell. */
export interface Sizes {
	/** How far the detail pane can be scrolled, and how many lines it shows. */
	detail(): {readonly max: number; readonly page: number};
	/** The lines of the help, and how many of them are in sight. */
	help(): {readonly lines: readonly HelpLine[]; readonly page: number};
	ascii(): boolean;
	layout(): Layout;
}

/** The verbs of menus, prompts and panes. */
export type UiActions = ReturnType<typeof createUiActions>;

export function createUiActions(
	store: Store<MonitorState>,
	actions: Actions,
	sizes: Sizes,
	runBinding: (id: string) => void,
) {
	const {get} = store;
	const comfort = createComfortActions({store, actions, nowMs: actions.nowMs});
	const columns = createColumnActions(store, actions);
	const scope = createScopeActions(store, actions);
	const hides = createHideActions(store, actions);
	const links = createLinkActions(store, actions);
	const commands = createCommandActions(store, actions);
	const narrow = createNarrowActions(store, actions);

	function changeEdit(change: (edit: text.TextEdit) => text.TextEdit): void {
		actions.changeMode(mode => {
			const edited = editedMode(mode, change);
			return edited;
		});
		const mode = topMode(get());
		if (mode.kind === 'search') actions.setSearch(mode.edit.text.trim());
		else if (mode.kind === 'helpSearch') help.helpTyped();
	}

	function choose(mode: Mode, id: string) {
		if (mode.kind === 'hidden') return hides.acceptHidden(id);
		if (mode.kind === 'links') return links.openLink();
		actions.leaveMode();
		if (mode.kind === 'sort') actions.sort(id as FieldName);
		else if (mode.kind === 'themes') actions.setTheme(id);
		else if (mode.kind === 'alerts') comfort.acceptAlert(Number(id));
		else if (mode.kind === 'presets') comfort.acceptPreset(Number(id));
		else if (mode.kind === 'commandConfirm') commands.acceptCommand(mode, id);
		else if (mode.kind === 'palette') runBinding(id);
	}

	/** A menu opens with what is in force marked, so that Enter changes nothing that was not chosen. */
	function openMenu(mode: Extract<Mode, {kind: 'sort' | 'themes'}>): void {
		const current = menuItems(mode, get(), sizes.ascii()).findIndex(({isCurrent}) => isCurrent);
		actions.enterMode({...mode, index: Math.max(current, 0)});
	}

	const scrollDetailLines = (by: number): void => actions.scrollDetail(by, sizes.detail().max);
	const help = createHelpActions(store, actions, sizes.help);
	const moveMenu = (by: number): void => {
		const count = menuItems(topMode(get()), get(), sizes.ascii()).length;
		if (count === 0) return;
		actions.changeMode(mode =>
			'index' in mode ? {...mode, index: (Math.min(mode.index, count - 1) + by + count) % count} : mode,
		);
		const mode = topMode(get());
		if (mode.kind === 'themes') actions.previewTheme(menuItems(mode, get(), false)[mode.index]!.id);
	};

	return {
		...comfort,
		...links,
		...columns,
		...scope,
		...hides,
		...commands,
		...narrow,
		...createEmptyActions(store, actions),
		/** @returns whether the pasted text was something that is taken where nothing is typed */
		pasteElsewhere: (pasted: string): boolean => hides.pasteHides(pasted) || comfort.pasteElsewhere(pasted),
		...help,
		mouse: createMouse(store, actions, sizes.layout, {
			menu: moveMenu,
			help: by => help.scrollHelpLines(by * 3),
			why: comfort.scrollWhy,
			detail: scrollDetailLines,
		}),
		openSort: () => openMenu({kind: 'sort', query: text.editOf(''), index: 0}),
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
		openThemes: () => openMenu({kind: 'themes', index: 0, before: get().theme}),

		type: (typed: string) => changeEdit(edit => text.textInserted(edit, typed)),
		edit: (name: EditName) => changeEdit(EDITS[name]),

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

		moveMenu,
		acceptMenu: () => {
			const mode = topMode(get());
			if (!('index' in mode)) return;
			const item = markedOf(mode, menuItems(mode, get(), sizes.ascii()));
			if (!item) return;
			if (item.line !== undefined) return comfort.acceptLine(item);
			if (item.disabled !== undefined) return actions.tell(`${item.label} ${item.disabled}`, 'warn');
			choose(mode, item.id);
		},
		cancelMenu: () => {
			if (narrow.endNarrow()) return;
			const mode = topMode(get());
			if (mode.kind === 'columns') return columns.abandonColumns();
			if (mode.kind === 'chains' || mode.kind === 'launchpads') return scope.abandonScope();
			actions.leaveMode();
			if (mode.kind === 'themes') actions.previewTheme(mode.before);
			else if (mode.kind === 'fields') actions.setFields(mode.before);
		},

		scrollDetailBy: (pages: number) => {
			const {max, page} = sizes.detail();
			actions.scrollDetail(pages * Math.max(page - 2, 1), max);
		},
	};
}

function editedMode(mode: Mode, change: (edit: text.TextEdit) => text.TextEdit): Mode {
	switch (mode.kind) {
		case 'sort':
			return {...mode, query: change(mode.query), index: 0};
		default:
			return 'edit' in mode ? {...mode, edit: change(mode.edit), ...('index' in mode && {index: 0})} : mode;
	}
}
