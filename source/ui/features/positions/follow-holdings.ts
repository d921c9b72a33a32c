import {chainOfKey} from '../../../contract/entry.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import type {Store} from '../../../store.ts';
import type {PositionBook} from '../../../trading/positions/book.ts';

/** How often the amount of a token is read again while it is open, ms. */
const READ_EVERY_MS = 15_000;

/** Positions as the screen of positions, the rows and the detail pane share them. */
export interface Positions {
	/** The journal and the chains, opened once; from then on rows are marked. After a failure the next call tries again. */
	book(): Promise<PositionBook>;
	/** Marks the rows from now on. What goes wrong is said by the screen of positions. */
	follow(): void;
}

/**
 * Keeps `holdings` of the monitor up to date once it has been asked to: after each step of a trade, and while a token that
 * is held is open. A practice chain that is not running is started for a token that is open, never for marks.
 * @param open rejects while there is no service
 */
export function createPositions(store: Store<MonitorState>, open: () => Promise<PositionBook>): Positions {
	let opening: Promise<PositionBook> | undefined;
	let timer: NodeJS.Timeout | undefined;
	/** The transfer and the open token of the state that was seen last. */
	let transfer = store.get().transfer;
	let shown: string | undefined;

	async function begin(): Promise<PositionBook> {
		const [book, {tokenHoldings}] = await Promise.all([open(), import('./token-holdings.ts')]);
		book.subscribe(() => {
			const {read} = book.get();
			if (read) store.apply(state => ({...state, holdings: tokenHoldings(read)}));
			watchShown(book);
		});
		return book;
	}

	function book(): Promise<PositionBook> {
		opening ??= begin().catch(error => {
			opening = undefined;
			throw error;
		});
		return opening;
	}

	function follow(): void {
		book().then(
			opened => opened.refresh({startsChain: () => false}),
			() => {},
		);
	}

	/** The token that is open, where something of it is held. */
	function heldInDetail({detail, holdings}: MonitorState): string | undefined {
		return detail && holdings?.get(detail.key)?.isHeld ? detail.key : undefined;
	}

	/** Reads the amount of the token that was opened, and again while it is open. */
	function watchShown(opened: PositionBook): void {
		const key = heldInDetail(store.get());
		if (key === shown) return;
		shown = key;
		clearInterval(timer);
		timer = undefined;
		if (key === undefined) return;
		const chain = chainOfKey(key);
		const read = () => void opened.refresh({startsChain: chainId => chainId === chain});
		read();
		timer = setInterval(read, READ_EVERY_MS);
		timer.unref();
	}

	store.subscribe(() => {
		const state = store.get();
		if (state.transfer !== transfer) {
			transfer = state.transfer;
			follow();
		} else if (opening && heldInDetail(state) !== shown) void opening.then(watchShown, () => {});
	});
	return {book, follow};
}
