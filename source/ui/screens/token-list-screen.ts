import type {Feed, FeedEvent, ViewRequest} from '../../client/feed/feed-events.ts';
import {explain} from '../../errors.ts';
import {createMoves} from './moves.ts';
import {type Screen, type ScreenContext, ServiceNotThere} from './screen.ts';
import type {Slice} from './slice.ts';
import {type TokenList, tokensArrived} from './token-list.ts';

export interface TokenListOptions<List extends TokenList<string>> {
	readonly slice: Slice<List>;
	readonly context: ScreenContext;
	/** The name of the view in requests. */
	readonly name: string;
	/** In the order in which the key goes through them. */
	readonly sorts: readonly List['sort'][];
	/** The list in the order of its sort. */
	readonly sorted: (list: List) => List;
	/** Opens the marked token. */
	readonly accept: () => void;
	/** How many tokens there are in all; without it no total is shown. */
	readonly onTotal?: (total: number) => void;
}

export interface TokenListPart extends Pick<Screen, 'move' | 'scroll' | 'page' | 'jump' | 'click'> {
	/** Fills the list with the tokens of a view, live; without a view no tokens are requested. */
	follow(view: ViewRequest | undefined): void;
	refresh(): void;
	close(): void;
	nextSort(): void;
	reverse(): void;
}

/** The common part of all lists of tokens: a feed while they are open, the keys that move and those that sort. */
export function createTokenList<List extends TokenList<string>>({
	slice,
	context,
	name,
	sorts,
	sorted,
	accept,
	onTotal,
}: TokenListOptions<List>): TokenListPart {
	let feed: Feed | undefined;

	function onEvent(event: FeedEvent): void {
		if (event.type === 'snapshot' || event.type === 'change') {
			const isLocal = feed?.view(name)?.isUnfiltered;
			slice.later(list => tokensArrived(list, event, sorted, isLocal));
		} else if (event.type === 'total') onTotal?.(event.total);
		else if (event.type === 'problem') failed(event.error);
	}

	function failed(error: unknown): void {
		slice.change(list => ({...list, problem: explain(error)}));
	}

	function close(): void {
		feed?.close();
		feed = undefined;
	}

	return {
		...createMoves({
			keys: () => slice.get().order,
			marked: slice.get,
			mark: (cursor, clicked) => slice.change(list => ({...list, cursor, clicked})),
			accept,
			size: () => context.monitor.get().size,
		}),
		follow(view) {
			if (view === undefined) return close();
			if (feed) return feed.setView(name, view);
			const client = context.client();
			if (!client) return failed(new ServiceNotThere());
			const request = {assetMode: true, views: {[name]: view}};
			feed = client.openFeed({request, onEvent, ...(onTotal === undefined && {totalsEveryMs: 0})});
		},
		refresh: () => feed?.retryNow(),
		close,
		nextSort: () =>
			slice.change(list => {
				const sort = sorts[(sorts.indexOf(list.sort) + 1) % sorts.length]!;
				return sorted({...list, sort, isReversed: false});
			}),
		reverse: () => slice.change(list => sorted({...list, isReversed: !list.isReversed})),
	};
}
