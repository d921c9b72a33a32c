import {addressOfKey} from '../../../contract/entry.ts';
import {changeSincePin, type Pins} from '../../../monitor/tokens/pins.ts';
import {viewOfPins} from '../../../monitor/tokens/token-views.ts';
import {pinsSet} from '../../../monitor/transitions/screen.ts';
import {markedKey} from '../../screens/list-lines.ts';
import type {Screen, ScreenContext} from '../../screens/screen.ts';
import type {Slice} from '../../screens/slice.ts';
import {type Rank, ranked} from '../../screens/token-list.ts';
import {createTokenList} from '../../screens/token-list-screen.ts';
import {WATCHLIST_SORTS, type WatchlistState, watchedEntry} from './watchlist-state.ts';

/** All pinned tokens on one screen, with a feed while it is open. */
export function createWatchlistScreen(slice: Slice<WatchlistState>, context: ScreenContext): Screen {
	const {monitor, notify} = context;
	let unsubscribe: (() => void) | undefined;
	let followed: Pins | undefined;
	const pins = (): Pins => monitor.get().pins;
	const sorted = (state: WatchlistState): WatchlistState => sortedBy(state, pins());
	const list = createTokenList({slice, context, name: 'watch', sorts: WATCHLIST_SORTS, sorted, accept});

	/** Requests the pins of the moment. */
	function follow(): void {
		if (pins() === followed) return;
		followed = pins();
		slice.change(sorted);
		list.follow(followed.size === 0 ? undefined : viewOfPins(followed));
	}

	function accept(): void {
		const key = markedKey(slice.get());
		const entry = key === undefined ? undefined : watchedEntry(slice.get(), monitor.get(), key);
		if (entry) context.openToken(entry);
		else notify(key === undefined ? 'Nothing is pinned yet.' : 'The service does not know this token now.', 'warn');
	}

	function unpin() {
		const key = markedKey(slice.get());
		if (key === undefined) return notify('Nothing is pinned yet.', 'warn');
		const left = new Map(pins());
		const pin = left.get(key);
		left.delete(key);
		const {order} = slice.get();
		const at = order.indexOf(key);
		monitor.apply(all => pinsSet(all, left));
		slice.change(state => ({...state, cursor: order[at + 1] ?? order[at - 1]}));
		context.save();
		notify(`Unpinned ${pin?.symbol ?? addressOfKey(key)}.`);
	}

	return {
		...list,
		open() {
			followed = undefined;
			unsubscribe ??= monitor.subscribe(follow);
			follow();
		},
		close() {
			unsubscribe?.();
			unsubscribe = undefined;
			list.close();
			slice.change(({atMs: _, ...state}) => ({...state, problem: undefined, rows: new Map()}));
		},
		accept,
		back: () => false,
		turn() {},
		refresh() {
			slice.change(sorted);
			list.refresh();
		},
		run(action) {
			if (action === 'unpin') unpin();
			else if (action === 'reverse') list.reverse();
			else if (action === 'sort') list.nextSort();
			else if (action === 'copy') {
				const key = markedKey(slice.get());
				if (key === undefined) notify('Nothing is pinned yet.', 'warn');
				else context.copy(addressOfKey(key), 'Address');
			}
		},
		acceptInput() {},
		turnInput() {},
		cancelInput() {},
		paste() {},
	};
}

/** The newest pins first; names from A on. */
function sortedBy(state: WatchlistState, pins: Pins): WatchlistState {
	const rank: Rank = (key, entry) => {
		const pin = pins.get(key);
		switch (state.sort) {
			case 'pinned':
				return pin?.atMs;
			case 'change':
				return pin && changeSincePin(pin, entry?.latest_price);
			case 'mcap':
				return entry?.market_cap;
			case 'age':
				return entry?.created_at;
			case 'symbol':
				return (entry?.symbol ?? pin?.symbol)?.toLowerCase();
		}
	};
	const isNamed = state.sort === 'symbol';
	return {
		...state,
		order: ranked([...pins.keys()].reverse(), {...state, isReversed: state.isReversed !== isNamed}, rank),
	};
}
