import type {Entry} from '../../../contract/entry.ts';
import {explain} from '../../../errors.ts';
import {topMode} from '../../../monitor/state.ts';
import {viewOfTokenList} from '../../../monitor/tokens/token-views.ts';
import type {PositionBook} from '../../../trading/positions/book.ts';
import {markedKey} from '../../screens/list-lines.ts';
import {clientOf, type Screen, type ScreenContext} from '../../screens/screen.ts';
import type {Slice} from '../../screens/slice.ts';
import {createTokenList} from '../../screens/token-list-screen.ts';
import {entryOfToken, linesOf, ordered, type PositionLine} from './positions-lines.ts';
import {FOLDS, FOOT_ROWS, POSITIONS_SORTS, type PositionsState} from './positions-state.ts';

/** How often the amounts are read again while the screen is open. */
const READ_EVERY_MS = 15_000;
/** How often it is looked whether the journal was written to: a look at its size. */
const LOOK_EVERY_MS = 1000;
/** A row older than this is read again before it is sold, ms. */
const FRESH_MS = 5000;

/** Purchases and sales, with the cost from the journal, the amounts from the chains and prices from a feed while it is open. */
export function createPositionsScreen(slice: Slice<PositionsState>, context: ScreenContext): Screen {
	const {monitor, notify} = context;
	let book: PositionBook | undefined;
	let unsubscribe: (() => void) | undefined;
	let timer: NodeJS.Timeout | undefined;
	let askedAtMs = 0;
	let isOpen = false;
	let followed = '';
	const sorted = (state: PositionsState): PositionsState => ordered(state, monitor.get());
	const list = createTokenList({
		slice,
		context: {...context, monitor: {...monitor, get: () => withFoot(monitor.get())}},
		name: 'positions',
		sorts: POSITIONS_SORTS,
		sorted,
		accept,
	});

	/** The prices of everything that was traded. */
	function follow(): void {
		const holdings = slice.get().read?.holdings ?? [];
		const tokens = [...new Set(holdings.map(({token}) => token))];
		if (tokens.join() === followed) return;
		followed = tokens.join();
		list.follow(tokens.length === 0 ? undefined : viewOfTokenList(tokens));
	}

	/** The book was read: by this screen, or because a trade moved on. */
	function taken(): void {
		const {read, readAtMs, problem: unread} = book!.get();
		slice.change(state => sorted({...state, read, readAtMs, unread}));
		follow();
	}

	async function read(): Promise<void> {
		askedAtMs = context.nowMs();
		slice.change(state => ({...state, isReading: true}));
		try {
			book ??= await context.positions!();
			if (!isOpen) return;
			unsubscribe ??= book.subscribe(taken);
			await book.refresh();
		} catch (error) {
			slice.change(state => ({...state, unread: explain(error)}));
		} finally {
			slice.change(state => ({...state, isReading: false}));
		}
	}

	function look(): void {
		if (slice.get().isReading) return;
		if (context.nowMs() - askedAtMs >= READ_EVERY_MS || book?.isOld()) void read();
	}

	function marked(): PositionLine | undefined {
		const state = slice.get();
		return linesOf({...state, unfolded: new Set(FOLDS)}, monitor.get()).get(markedKey(state) ?? '');
	}

	/** The token of the marked line, where the service reports it now. */
	function markedEntry(line: Exclude<PositionLine, {kind: 'fold'}>): Entry | undefined {
		return entryOfToken(slice.get(), monitor.get(), tokenOf(line).key);
	}

	function accept() {
		const line = marked();
		if (line === undefined) return notify('There is no position here to open.', 'warn');
		if (line.kind === 'fold') {
			const {fold} = line;
			return slice.change(state => {
				const unfolded = new Set(state.unfolded);
				if (!unfolded.delete(fold)) unfolded.add(fold);
				return sorted({...state, unfolded});
			});
		}
		const entry = markedEntry(line);
		if (entry) context.openToken(entry);
		else notify('The service does not report this token now.', 'warn');
	}

	/** Opens the window that sells the marked token, with figures that are not old. */
	async function sell(): Promise<void> {
		const line = marked();
		if (line?.kind !== 'position') return notify('There is no position here to sell: mark one first.', 'warn');
		const {amount, holding} = line.position;
		if (amount.kind === 'read' && amount.raw === 0n) return notify(`No ${holding.symbol} is left to sell.`, 'warn');
		if (!context.sell) return notify('Nothing can be sold here.', 'warn');
		const {chainId, token: address, key, symbol} = holding;
		try {
			const dataAtMs = slice.get().atMs ?? 0;
			const shown = slice.get().rows.get(key);
			const isFresh = shown !== undefined && context.nowMs() - dataAtMs < FRESH_MS;
			const entry = isFresh ? shown : await clientOf(context).fetchToken({chainId, address});
			// Another line may be marked by now, or another window be open: what was asked for is not opened over it.
			if (topMode(monitor.get()).kind !== 'positions' || tokenKeyOf(marked()) !== key) return;
			if (entry?.key === key) context.sell({entry, dataAtMs: isFresh ? dataAtMs : context.nowMs()});
			else notify(`The service does not report ${symbol} now, so it cannot be sold.`, 'warn');
		} catch (error) {
			const {what, why} = explain(error);
			notify(`${what}: ${why}`, 'bad');
		}
	}

	function turn(): void {
		slice.change(({cursor: _, clicked: __, ...state}) =>
			sorted({...state, list: state.list === 'held' ? 'trades' : 'held'}),
		);
	}

	return {
		...list,
		open() {
			if (!context.positions) return slice.change(state => ({...state, unread: NO_MONEY}));
			isOpen = true;
			void read();
			timer ??= setInterval(look, LOOK_EVERY_MS);
			timer.unref();
		},
		close() {
			isOpen = false;
			clearInterval(timer);
			timer = undefined;
			unsubscribe?.();
			unsubscribe = undefined;
			followed = '';
			list.close();
			slice.change(({atMs: _, ...state}) => ({...state, problem: undefined, rows: new Map()}));
		},
		accept,
		back: () => {
			if (slice.get().list === 'held') return false;
			turn();
			return true;
		},
		turn,
		refresh() {
			list.refresh();
			void read();
		},
		run(action) {
			if (action === 'sell') void sell();
			else if (action === 'reverse') list.reverse();
			else if (action === 'sort') list.nextSort();
			else if (action === 'copy') {
				const line = marked();
				if (line === undefined || line.kind === 'fold') notify('There is no token here to copy.', 'warn');
				else context.copy(tokenOf(line).token, 'Address');
			}
		},
		acceptInput() {},
		turnInput() {},
		cancelInput() {},
		paste() {},
	};
}

const NO_MONEY = {
	code: 'no-positions',
	what: 'No positions can be read here',
	why: 'a recording has no wallet',
	next: 'fix-input',
	advice: 'Start without a recording.',
} as const;

function tokenKeyOf(line: PositionLine | undefined): string | undefined {
	return line === undefined || line.kind === 'fold' ? undefined : tokenOf(line).key;
}

function tokenOf(line: Exclude<PositionLine, {kind: 'fold'}>): {readonly key: string; readonly token: string} {
	return line.kind === 'position' ? line.position.holding : line.kind === 'trade' ? line.holding : line.trade;
}

/** The list has fewer lines than those of other screens: the foot takes some. */
function withFoot<S extends {readonly size: {readonly columns: number; readonly rows: number}}>(state: S): S {
	return {...state, size: {...state.size, rows: state.size.rows - FOOT_ROWS}};
}
