import type {Feed, FeedEvent, FeedRequest} from '../../client/feed/feed-events.ts';
import {viewOfTokens} from '../../client/lookups/token.ts';
import {explain} from '../../errors.ts';
import type {Store} from '../../store.ts';
import {changeSincePin, type Pins} from '../tokens/pins.ts';
import {pinsSet} from '../transitions/screen.ts';
import {type Board, type BoardContext, ServiceNotThere} from './board.ts';
import type {BoardsState} from './boards-state.ts';
import {listMoves, markedKey, type Rank, ranked, tokensArrived} from './token-list.ts';
import {WATCH_SORTS, type WatchState, watchedEntry} from './watch-state.ts';

/** The most tokens that a view can include (spec 4.1). */
const MAX_INCLUDED = 500;
const VIEW = 'watch';

/** Pinned tokens and nothing else. */
function requestOf(pins: Pins): FeedRequest['views'][string] {
	const addresses = [...pins.keys()].map(key => key.slice(key.indexOf('|') + 1));
	return {...viewOfTokens([...new Set(addresses)].slice(-MAX_INCLUDED)), excludeLPTokens: false};
}

/** All pinned tokens on one screen, with a feed of their own while it is open. */
export function createWatchBoard(store: Store<BoardsState>, context: BoardContext): Board {
	const {monitor, tell} = context;
	let feed: Feed | undefined;
	let unsubscribe: (() => void) | undefined;
	let followed: Pins | undefined;

	const state = (): WatchState => store.get().watchlist;
	const pins = (): Pins => monitor.get().pins;

	function change(transition: (watch: WatchState) => WatchState, {isNews = false} = {}): void {
		const apply = (all: BoardsState): BoardsState => {
			const watchlist = transition(all.watchlist);
			return watchlist === all.watchlist ? all : {...all, watchlist};
		};
		if (isNews) store.later(apply);
		else store.apply(apply);
	}

	function sorted(watch: WatchState): WatchState {
		const rank: Rank = (key, entry) => {
			const pin = pins().get(key);
			switch (watch.sort) {
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
		// Newest pins first; names from A on.
		const keys = [...pins().keys()].reverse();
		const isNamed = watch.sort === 'symbol';
		return {...watch, order: ranked(keys, {...watch, isReversed: watch.isReversed !== isNamed}, rank)};
	}

	function onEvent(event: FeedEvent): void {
		if (event.type === 'snapshot' || event.type === 'change')
			change(({problem: _, ...watch}) => tokensArrived<WatchState>(watch, event, sorted), {isNews: true});
		else if (event.type === 'problem') change(watch => ({...watch, problem: explain(event.error)}));
	}

	/** Asks for the pins as they are now; nothing is asked for where there are none. */
	function follow() {
		const wanted = pins();
		if (wanted === followed) return;
		followed = wanted;
		change(sorted);
		if (wanted.size === 0) return shut();
		const client = context.client();
		if (!client) return change(watch => ({...watch, problem: explain(new ServiceNotThere())}));
		if (feed) feed.setView(VIEW, requestOf(wanted));
		else
			feed = client.openFeed({
				request: {assetMode: true, views: {[VIEW]: requestOf(wanted)}},
				totalsEveryMs: 0,
				onEvent,
			});
	}

	function shut(): void {
		feed?.close();
		feed = undefined;
	}

	function accept(): void {
		const key = markedKey(state());
		const entry = key === undefined ? undefined : watchedEntry(state(), monitor.get(), key);
		if (entry) context.openToken(entry);
		else tell(key === undefined ? 'Nothing is pinned yet.' : 'The service does not know this token now.', 'warn');
	}

	function unpin() {
		const key = markedKey(state());
		if (key === undefined) return tell('Nothing is pinned yet.', 'warn');
		const left = new Map(pins());
		const pin = left.get(key);
		left.delete(key);
		const at = state().order.indexOf(key);
		const next = state().order[at + 1] ?? state().order[at - 1];
		monitor.apply(all => pinsSet(all, left));
		change(({cursor: _, ...watch}) => ({...watch, ...(next !== undefined && {cursor: next})}));
		context.save();
		tell(`Unpinned ${pin?.symbol ?? key.slice(key.indexOf('|') + 1)}.`);
	}

	return {
		open() {
			followed = undefined;
			unsubscribe ??= monitor.subscribe(follow);
			follow();
		},
		close() {
			unsubscribe?.();
			unsubscribe = undefined;
			shut();
			change(({problem: _, atMs: __, ...watch}) => ({...watch, rows: new Map()}));
		},
		...listMoves({
			list: state,
			mark: (cursor, clicked) => change(({clicked: _, ...watch}) => ({...watch, cursor, ...(clicked && {clicked})})),
			size: () => monitor.get().size,
			accept,
		}),
		accept,
		back: () => false,
		turn() {},
		refresh() {
			change(sorted);
			feed?.retryNow();
		},
		run(verb) {
			if (verb === 'unpin') unpin();
			else if (verb === 'reverse') change(watch => sorted({...watch, isReversed: !watch.isReversed}));
			else if (verb === 'sort') {
				const at = WATCH_SORTS.indexOf(state().sort);
				const sort = WATCH_SORTS[(at + 1) % WATCH_SORTS.length]!;
				change(watch => sorted({...watch, sort, isReversed: false}));
			} else if (verb === 'copy') {
				const key = markedKey(state());
				if (key === undefined) tell('Nothing is pinned yet.', 'warn');
				else context.copy(key.slice(key.indexOf('|') + 1), 'Address');
			}
		},
		acceptInput() {},
		turnInput() {},
		cancelInput() {},
		paste() {},
	};
}
