import {topMode} from '../monitor/state.ts';
import {tokenInPaste} from '../monitor/tokens/pasted-token.ts';
import * as text from '../monitor/transitions/text-edit.ts';
import {middleEllipsis} from '../text.ts';
import type {Context, MenuItem} from './feature.ts';
import {createLookUp} from './features/token/look-up.ts';
import {createFieldActions} from './field-actions.ts';
import {readCommand} from './palette.ts';
import {createPresetActions} from './preset-actions.ts';

export function createComfortActions({store, monitor: actions, menuLook, runCommand}: Context) {
	const {get} = store;
	const withToken = createLookUp({store, monitor: actions});

	const presets = createPresetActions(store, actions);
	const verbs = {
		...presets,
		...createFieldActions(store, actions),
		goToToken: (typed: string) => withToken(typed, actions.openDetailOf),
		/** Text pasted where nothing is typed: a saved view, or a token to open. @returns whether it was one */
		pasteElsewhere: (pasted: string): boolean => {
			if (presets.pasteElsewhere(pasted)) return true;
			const {kind} = topMode(get());
			const token = kind === 'list' || kind === 'detail' ? tokenInPaste(pasted) : undefined;
			if (token === undefined) return false;
			actions.tell(`Looking up ${middleEllipsis(token.split(' ')[0]!, 13)}.`);
			withToken(token, actions.openDetailOf);
			return true;
		},
		/** Enter on a line of the palette that stands for a typed command: runs it, or goes on typing it. */
		acceptLine: ({line = '', isReady = false}: MenuItem) => {
			const read = readCommand(`${line} `, menuLook().commands);
			if (isReady && read) {
				actions.leaveMode();
				runCommand(read.command, read.argument.trim());
			} else typeLine(line);
		},
		/** Tab in the palette: takes over the marked line, or goes to the next one where there is nothing to take over. */
		completePalette: () => {
			const mode = topMode(get());
			if (mode.kind !== 'palette') return;
			const items = menuLook().itemsOf(mode);
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
