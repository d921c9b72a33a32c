import {explain} from '../../../errors.ts';
import {createMoves} from '../../screens/moves.ts';
import type {Screen, ScreenContext} from '../../screens/screen.ts';
import type {Slice} from '../../screens/slice.ts';
import {type ActionLogState, NO_LOG, walletsOf} from './action-log-state.ts';

/** The journal of what could move money. It is read when the page opens, and again by a key. */
export function createActionLogScreen(
	slice: Slice<ActionLogState>,
	{monitor, journalFiles, copy, notify}: ScreenContext,
): Screen {
	let isOpen = false;

	async function read(): Promise<void> {
		isOpen = true;
		const found = await records().then(
			lines => ({lines}),
			(error: unknown) => ({lines: [], problem: explain(error)}),
		);
		if (isOpen) slice.change(({problem: _, ...state}) => ({...state, ...found}));
	}

	async function records() {
		if (!journalFiles) return [];
		const [{openJournal}, {logLines}] = await Promise.all([
			import('../../../trading/journal.ts'),
			import('./log-lines.ts'),
		]);
		const {path, headPath} = journalFiles;
		return logLines(openJournal(path, {headPath}).records());
	}

	/** All wallets, then each of them alone. */
	function nextWallet(): void {
		slice.change(({wallet, ...all}) => {
			const wallets = walletsOf(all);
			const next = wallets[wallet === undefined ? 0 : wallets.indexOf(wallet) + 1];
			return {...all, scroll: 0, ...(next !== undefined && {wallet: next})};
		});
	}

	return {
		...createMoves({
			keys: () => [],
			marked: () => ({}),
			mark() {},
			accept() {},
			size: () => monitor.get().size,
			page: {
				isShown: () => true,
				reach: slice.reach,
				scroll: change => slice.change(state => ({...state, scroll: change(state.scroll)})),
			},
		}),
		open: () => void read(),
		close() {
			isOpen = false;
			// The wallet stays chosen: a tab that is turned closes the page, too.
			slice.change(({wallet}) => ({...NO_LOG, ...(wallet !== undefined && {wallet})}));
		},
		accept() {},
		back: () => false,
		turn() {},
		refresh: () => void read(),
		run(action) {
			if (action === 'turnWallet') return nextWallet();
			if (action !== 'copy') return;
			const {wallet} = slice.get();
			if (wallet === undefined) notify('Choose a wallet first.', 'warn', '{log.wallet} goes through the wallets.');
			else copy(wallet, 'Address');
		},
		acceptInput() {},
		turnInput() {},
		cancelInput() {},
		paste() {},
	};
}
