import type {Actions} from '../../../monitor/actions.ts';
import {hideRemoved, hidesAdded} from '../../../monitor/hides/hide-transitions.ts';
import {
	deployerHide,
	formatHides,
	type Hide,
	hideId,
	keywordHide,
	looksLikeHides,
	readHides,
	tokenHide,
} from '../../../monitor/hides/hides.ts';
import type {Mode} from '../../../monitor/mode.ts';
import {selected, selectedBelow} from '../../../monitor/select.ts';
import {type MonitorState, topMode} from '../../../monitor/state.ts';
import {editOf} from '../../../monitor/transitions/text-edit.ts';
import type {Store} from '../../../store.ts';
import {HIDE_DEPLOYER, HIDE_KEYWORD, hiddenItems} from './hide-items.ts';

type Purpose = Extract<Mode, {kind: 'hidePrompt'}>['purpose'];

/** The name that is offered for a file. */
const FILE = 'pulsetop-hidden.txt';

/** Actions that hide tokens, deployers and keywords, and show them again. */
export function createHideActions(store: Store<MonitorState>, actions: Actions) {
	const {apply, get} = store;

	function add(hides: readonly Hide[]): void {
		apply(state => hidesAdded(state, hides));
		actions.saveChoices();
		actions.follow();
	}

	function remove(id: string): void {
		const hide = get().hidden.get(id);
		if (!hide) return;
		apply(state => hideRemoved(state, id));
		actions.saveChoices();
		actions.tell(`${hide.kind === 'token' ? '' : `The ${hide.kind} `}${hide.label} is shown again.`);
	}

	function undo(): void {
		const last = [...get().hidden.keys()].at(-1);
		if (last === undefined) actions.tell('Nothing is hidden.', 'warn');
		else remove(last);
	}

	function prompt(purpose: Purpose, text = ''): void {
		actions.enterMode({kind: 'hidePrompt', purpose, edit: editOf(text)});
	}

	/** What the marked line of the list hides, if the list is open. */
	function marked(): {readonly id: string; readonly hide?: Hide} | undefined {
		const mode = topMode(get());
		const id = mode.kind === 'hidden' ? hiddenItems(get())[mode.index]?.id : undefined;
		const hide = id === undefined ? undefined : get().hidden.get(id);
		return id === undefined ? undefined : {id, ...(hide && {hide})};
	}

	/** The deployer of the marked hidden token, else of the token under the cursor of the columns. */
	function hideDeployer() {
		const hidden = marked()?.hide;
		const entry = selectedBelow(get());
		const of = hidden?.kind === 'token' ? hidden.label : (entry?.symbol ?? entry?.address);
		const deployer = hidden?.kind === 'token' ? hidden.deployer : entry?.deployer;
		if (of === undefined) return actions.tell('Put the cursor on a token first, then hide its deployer.', 'warn');
		if (deployer === undefined) return actions.tell(`The deployer of ${of} is not reported.`, 'warn');
		const hide = deployerHide(deployer, of);
		if (get().hidden.has(hideId(hide))) return actions.tell(`The deployer of ${of} is hidden already.`, 'warn');
		add([hide]);
		actions.tell(`Hid all tokens of ${hide.label}, the deployer of ${of}.`, 'info', '{token.unhide} brings them back.');
	}

	function take(text: string) {
		const read = readHides(text);
		if (!read.ok) return actions.tell(`The list can't be read: ${read.problem}.`, 'bad');
		const fresh = read.hides.filter(hide => !get().hidden.has(hideId(hide)));
		add(fresh);
		const known = read.hides.length - fresh.length;
		actions.tell(`Imported ${fresh.length} to hide${known === 0 ? '' : `, ${known} were hidden already`}.`, 'good');
	}

	async function takeFile(name: string): Promise<void> {
		try {
			const {readHidesFile} = await import('../../../monitor/hides/hides-file.ts');
			take(await readHidesFile(name));
		} catch (error) {
			actions.tell(`${name} can't be read: ${fileProblem(error)}.`, 'bad');
		}
	}

	async function write(name: string): Promise<void> {
		const {size} = get().hidden;
		try {
			const {exportHides} = await import('../../../monitor/hides/hides-file.ts');
			actions.tell(`Wrote ${size} to ${await exportHides(name, get().hidden)}.`, 'good');
		} catch (error) {
			actions.tell(`${name} can't be written: ${fileProblem(error)}.`, 'bad');
		}
	}

	return {
		hide: () => {
			const entry = selected(get());
			if (!entry) return actions.tell('Put the cursor on a token first, then hide it.', 'warn');
			add([tokenHide(entry, get().focus)]);
			actions.tell(
				`Hid ${entry.symbol ?? entry.address}.`,
				'info',
				'{token.unhide} brings it back, {token.hidden} hides its deployer or a keyword.',
			);
		},
		unhideLast: undo,
		openHidden: () => actions.enterMode({kind: 'hidden', index: 0}),
		/** Enter in the list: does what the marked line says. */
		acceptHidden: (id: string) => {
			if (id === HIDE_DEPLOYER) return hideDeployer();
			if (id === HIDE_KEYWORD) return prompt('keyword');
			remove(id);
			keepMark();
		},
		removeHidden: () => {
			const at = marked();
			if (!at?.hide) return actions.tell('Mark something that is hidden to show it again.', 'warn');
			remove(at.id);
			keepMark();
		},
		hideDeployer,
		openHidePrompt: (purpose: Purpose) => {
			if (purpose === 'export' && get().hidden.size === 0)
				return actions.tell('Nothing is hidden: there is nothing to write.', 'warn');
			prompt(purpose, purpose === 'export' ? FILE : '');
		},
		acceptHidePrompt: () => {
			const mode = topMode(get());
			if (mode.kind !== 'hidePrompt') return;
			const text = mode.edit.text.trim();
			actions.leaveMode();
			if (text === '') return;
			if (mode.purpose === 'export') return void write(text);
			if (mode.purpose === 'import') return looksLikeHides(text) ? take(text) : void takeFile(text);
			const hide = keywordHide(text);
			if (!hide) return;
			add([hide]);
			actions.tell(
				`Hid tokens with ${hide.label} in symbol, name or description.`,
				'info',
				'{token.unhide} undoes it.',
			);
		},
		copyHidden: () => {
			const {hidden} = get();
			if (hidden.size === 0) return actions.tell('Nothing is hidden: there is nothing to copy.', 'warn');
			actions.copyText(formatHides(hidden), `${hidden.size} hidden`);
		},
		/** A list that is pasted where nothing is typed opens the prompt for it: nothing is hidden unseen. */
		pasteHides: (pasted: string): boolean => {
			const {kind} = topMode(get());
			if ((kind !== 'list' && kind !== 'hidden') || !looksLikeHides(pasted)) return false;
			if (kind === 'list') actions.enterMode({kind: 'hidden', index: 0});
			prompt('import', pasted.replace(/\s+/g, ' ').trim());
			return true;
		},
	};

	/** The mark stays in the list when its last line went. */
	function keepMark(): void {
		const last = hiddenItems(get()).length - 1;
		actions.changeMode(mode => (mode.kind === 'hidden' && mode.index > last ? {...mode, index: last} : mode));
	}
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
	EEXIST: 'there is such a file already, choose another name',
	ENOENT: 'there is no such file or folder',
	EACCES: 'it is not permitted',
	EISDIR: 'it is a folder',
	ENOSPC: 'the disk is full',
	EROFS: 'the disk is read-only',
};

/** What a file system says, in words. */
function fileProblem(error: unknown): string {
	const {code, message} = error as NodeJS.ErrnoException;
	return (code === undefined ? undefined : FILE_PROBLEMS[code]) ?? message;
}
