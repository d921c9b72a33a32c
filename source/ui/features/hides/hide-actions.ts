import {fileProblem} from '../../../file-problem.ts';
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
import type {ModeOf} from '../../../monitor/mode.ts';
import {selected, selectedBelow} from '../../../monitor/select.ts';
import {topMode} from '../../../monitor/state.ts';
import {hideRemoved, hidesAdded} from '../../../monitor/transitions/hides.ts';
import {editOf} from '../../../monitor/transitions/text-edit.ts';
import type {Context} from '../../feature.ts';
import {HIDE_DEPLOYER, HIDE_KEYWORD, hiddenItems} from './hide-items.ts';

/** The name that is offered for a file. */
const FILE = 'pulsetop-hidden.txt';

/** Actions that hide tokens, deployers and keywords, and show them again. */
export function createHideActions({store, monitor}: Context) {
	const {apply, get} = store;

	function add(hides: readonly Hide[]): void {
		apply(state => hidesAdded(state, hides));
		monitor.saveChoices();
		monitor.follow();
	}

	function remove(id: string): void {
		const hide = get().hidden.get(id);
		if (!hide) return;
		apply(state => hideRemoved(state, id));
		monitor.saveChoices();
		monitor.notify(`${hide.kind === 'token' ? '' : `The ${hide.kind} `}${hide.label} is shown again.`);
	}

	function undo(): void {
		const last = [...get().hidden.keys()].at(-1);
		if (last === undefined) monitor.notify('Nothing is hidden.', 'warn');
		else remove(last);
	}

	function prompt(purpose: ModeOf<'hidePrompt'>['purpose'], text = ''): void {
		monitor.enterMode({kind: 'hidePrompt', purpose, edit: editOf(text)});
	}

	/** The hide of the marked line, if the list is open. */
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
		if (of === undefined) return monitor.notify('Put the cursor on a token first, then hide its deployer.', 'warn');
		if (deployer === undefined) return monitor.notify(`The deployer of ${of} is not reported.`, 'warn');
		const hide = deployerHide(deployer, of);
		if (get().hidden.has(hideId(hide))) return monitor.notify(`The deployer of ${of} is hidden already.`, 'warn');
		add([hide]);
		monitor.notify(
			`Hid all tokens of ${hide.label}, the deployer of ${of}.`,
			'info',
			'{token.unhide} brings them back.',
		);
	}

	function take(text: string) {
		const read = readHides(text);
		if (!read.ok) return monitor.notify(`The list can't be read: ${read.problem}.`, 'bad');
		const fresh = read.hides.filter(hide => !get().hidden.has(hideId(hide)));
		add(fresh);
		const known = read.hides.length - fresh.length;
		monitor.notify(`Imported ${fresh.length} to hide${known === 0 ? '' : `, ${known} were hidden already`}.`, 'good');
	}

	async function takeFile(name: string): Promise<void> {
		if (!monitor.hidesFiles) return monitor.notify('No files can be read here.', 'warn');
		try {
			take(await (await monitor.hidesFiles()).readHidesFile(name));
		} catch (error) {
			monitor.notify(`${name} can't be read: ${fileProblem(error)}.`, 'bad');
		}
	}

	async function write(name: string): Promise<void> {
		const {size} = get().hidden;
		if (!monitor.hidesFiles) return monitor.notify('No files can be written here.', 'warn');
		try {
			const path = await (await monitor.hidesFiles()).exportHides(name, get().hidden);
			monitor.notify(`Wrote ${size} to ${path}.`, 'good');
		} catch (error) {
			monitor.notify(`${name} can't be written: ${fileProblem(error)}.`, 'bad');
		}
	}

	return {
		close: monitor.leaveMode,
		hide: () => {
			const entry = selected(get());
			if (!entry) return monitor.notify('Put the cursor on a token first, then hide it.', 'warn');
			add([tokenHide(entry, get().focus)]);
			monitor.notify(
				`Hid ${entry.symbol ?? entry.address}.`,
				'info',
				'{token.unhide} brings it back, {token.hidden} hides its deployer or a keyword.',
			);
		},
		unhideLast: undo,
		open: () => monitor.enterMode({kind: 'hidden', index: 0}),
		/** Enter in the list: does what the marked line says. */
		accept: (id: string) => {
			if (id === HIDE_DEPLOYER) return hideDeployer();
			if (id === HIDE_KEYWORD) return prompt('keyword');
			remove(id);
			keepMark();
		},
		remove: () => {
			const at = marked();
			if (!at?.hide) return monitor.notify('Mark something that is hidden to show it again.', 'warn');
			remove(at.id);
			keepMark();
		},
		hideDeployer,
		openPrompt: (purpose: ModeOf<'hidePrompt'>['purpose']) => {
			if (purpose === 'export' && get().hidden.size === 0)
				return monitor.notify('Nothing is hidden: there is nothing to write.', 'warn');
			prompt(purpose, purpose === 'export' ? FILE : '');
		},
		acceptPrompt: () => {
			const mode = topMode(get());
			if (mode.kind !== 'hidePrompt') return;
			const text = mode.edit.text.trim();
			monitor.leaveMode();
			if (text === '') return;
			if (mode.purpose === 'export') return void write(text);
			if (mode.purpose === 'import') return looksLikeHides(text) ? take(text) : void takeFile(text);
			const hide = keywordHide(text);
			if (!hide) return;
			add([hide]);
			monitor.notify(
				`Hid tokens with ${hide.label} in symbol, name or description.`,
				'info',
				'{token.unhide} undoes it.',
			);
		},
		copy: () => {
			const {hidden} = get();
			if (hidden.size === 0) return monitor.notify('Nothing is hidden: there is nothing to copy.', 'warn');
			monitor.copyText(formatHides(hidden), `${hidden.size} hidden`);
		},
		/** A list that is pasted where nothing is typed opens the prompt for it: nothing is hidden unseen. */
		paste: (pasted: string): boolean => {
			const {kind} = topMode(get());
			if ((kind !== 'list' && kind !== 'hidden') || !looksLikeHides(pasted)) return false;
			if (kind === 'list') monitor.enterMode({kind: 'hidden', index: 0});
			prompt('import', pasted.replace(/\s+/g, ' ').trim());
			return true;
		},
	};

	/** The mark stays in the list when its last line went. */
	function keepMark(): void {
		const last = hiddenItems(get()).length - 1;
		monitor.changeMode(mode => (mode.kind === 'hidden' && mode.index > last ? {...mode, index: last} : mode));
	}
}
