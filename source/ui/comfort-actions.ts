import type {Entry} from '../contract/entry.ts';
import {explain} from '../errors.ts';
import type {Actions} from '../monitor/actions.ts';
import {whyOf} from '../monitor/columns/why.ts';
import {selected, shownMs} from '../monitor/select.ts';
import {type MonitorState, topMode} from '../monitor/state.ts';
import {tokenInPaste} from '../monitor/tokens/pasted-token.ts';
import * as text from '../monitor/transitions/text-edit.ts';
import type {Store} from '../store.ts';
import {middleEllipsis} from '../text.ts';
import {createAlertActions} from './alert-actions.ts';
import {createFieldActions} from './field-actions.ts';
import {type MenuItem, menuItems} from './menus.ts';
import {createPresetActions} from './preset-actions.ts';
import {readCommand} from './text-commands.ts';

/** The verbs of what makes the list comfortable: explanations, typed commands. */
export type ComfortActions = ReturnType<typeof createComfortActions>;

export interface ComfortOptions {
	readonly store: Store<MonitorState>;
	readonly actions: Actions;
	readonly nowMs: () => number;
}

export function createComfortActions({store, actions, nowMs}: ComfortOptions) {
	const {get} = store;

	/** Looks a token up and says so meanwhile; what the person does in between is not undone by a late answer. */
	function withToken(typed: string, then: (entry: Entry) => void): void {
		const before = get().modes;
		actions.lookUpToken(typed).then(
			entry => {
				if (get().modes === before) then(entry);
			},
			(error: unknown) => {
				const {what, why} = explain(error);
				actions.tell(`${what}: ${why}`, 'warn');
			},
		);
	}

	function showWhy(entry: Entry): void {
		const atMs = nowMs();
		actions.enterMode({kind: 'why', entry, columns: whyOf(get(), entry, atMs), atMs: shownMs(get(), atMs), scroll: 0});
	}

	const savedViews = createPresetActions(store, actions);
	const verbs = {
		...savedViews,
		...createFieldActions(store, actions),
		...createAlertActions(store, actions, token => withToken(token, actions.openDetailOf)),
		explainSelected: () => {
			const entry = selected(get());
			if (!entry) return actions.tell('Put the cursor on a token first, then ask why it is here.', 'warn');
			showWhy(entry);
		},
		explainToken: (typed: string) => withToken(typed, showWhy),
		goToToken: (typed: string) => withToken(typed, actions.openDetailOf),
		/** Text pasted where nothing is typed: a saved view, or a token to open. @returns whether it was one */
		pasteElsewhere: (pasted: string): boolean => {
			if (savedViews.pasteElsewhere(pasted)) return true;
			const {kind} = topMode(get());
			const token = kind === 'list' || kind === 'detail' ? tokenInPaste(pasted) : undefined;
			if (token === undefined) return false;
			actions.tell(`Looking up ${middleEllipsis(token.split(' ')[0]!, 13)}.`);
			withToken(token, actions.openDetailOf);
			return true;
		},
		scrollWhy: (by: number) =>
			actions.changeMode(mode => (mode.kind === 'why' ? {...mode, scroll: Math.max(mode.scroll + by, 0)} : mode)),

		/** Enter on a line of the palette that stands for a typed command: runs it, or goes on typing it. */
		acceptLine: ({line = '', isReady = false}: MenuItem) => {
			const read = readCommand(`${line} `);
			if (isReady && read) {
				actions.leaveMode();
				read.command.run(read.argument.trim(), {...actions, ...verbs});
			} else typeLine(line);
		},
		/** Tab in the palette: takes over the marked line, or goes to the next one where there is nothing to take over. */
		completePalette: () => {
			const mode = topMode(get());
			if (mode.kind !== 'palette') return;
			const items = menuItems(mode, get(), false);
			const line = items[mode.index]?.line;
			if (line !== undefined && line !== mode.edit.text) typeLine(line);
			else if (items.length > 0) actions.changeMode(() => ({...mode, index: (mode.index + 1) % items.length}));
		},
	};

	function typeLine(line: string): void {
		actions.changeMode(mode => (mode.kind === 'palette' ? {...mode, edit: text.editOf(line), index: 0} : mode));
	}

	return verbs;
}
