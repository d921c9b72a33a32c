import {pollDelayMs} from '../../client/http/backoff.ts';
import {ServiceRefused, WrongAnswer} from '../../client/http/service-errors.ts';
import type {MarketWatch} from '../../client/lookups/market-watch.ts';
import type {ListedMarket} from '../../contract/prediction.ts';
import {explain} from '../../errors.ts';
import type {Store} from '../../store.ts';
import {
	type Board,
	type BoardContext,
	firstShown,
	keyAfter,
	lineClicked,
	listPage,
	ServiceNotThere,
	scrolledBy,
} from './board.ts';
import type {BoardsState} from './boards-state.ts';
import {
	leadingOutcome,
	listedMarkets,
	MARKET_FILTERS,
	MARKET_SOURCES,
	type MarketsState,
	marketItem,
	marketItems,
	marketKey,
	marketNameOf,
	priceArrived,
	quoteFailed,
	quotesArrived,
} from './markets-state.ts';

/** How often what is on screen is asked for; and where the stream tells prices as they change, only for the other figures. */
const PRICES_EVERY_MS = 2500;
const FIGURES_EVERY_MS = 10_000;
const MAX_WAIT_MS = 30_000;
/** Most markets in one batch (spec 4.11). */
const BATCH = 50;
/** A market that broke its batch is asked for again after so long. */
const BROKEN_MS = 60_000;
const LIST_PAGE = 100;
const CANDLES_EVERY_MS = 30_000;

/** Prediction markets: a list with prices that live, a watch list, and the details of one. */
export function createMarketsBoard(store: Store<BoardsState>, context: BoardContext): Board {
	const {monitor, input, nowMs} = context;
	let timer: NodeJS.Timeout | undefined;
	let life: AbortController | undefined;
	let listing: AbortController | undefined;
	let failures = 0;
	let candlesAtMs = 0;
	let watch: MarketWatch | undefined;
	const brokenUntilMs = new Map<string, number>();

	const state = (): MarketsState => store.get().markets;
	const watched = () => monitor.get().markets;
	const keys = () => marketItems(state(), watched()).map(item => item.id);
	/** The key of the marked line: the first while none was chosen. */
	const marked = (): string | undefined => {
		const all = keys();
		return all.find(key => key === state().cursor) ?? all[0];
	};

	function change(transition: (markets: MarketsState) => MarketsState): void {
		store.apply(all => {
			const markets = transition(all.markets);
			return markets === all.markets ? all : {...all, markets};
		});
	}

	/** Has prices in sight told as they change, where there is a stream. */
	function watchSight(): void {
		watch ??= context.client()?.watchMarkets(({outcomeId, priceUSD, ...name}) => {
			const quote = {key: marketKey(name), outcomeId, priceUSD};
			store.later(all => {
				const markets = priceArrived(all.markets, quote, nowMs());
				return markets === all.markets ? all : {...all, markets};
			});
		});
		watch?.setMarkets(inSight().map(marketNameOf));
	}

	function service() {
		const client = context.client();
		if (!client) throw new ServiceNotThere();
		return client;
	}

	/** Reads the list of the source anew, or its next page behind what is there. */
	async function load(more = false): Promise<void> {
		const {source, query, filter} = state();
		listing?.abort();
		if (source === 'watched')
			return void change(({listAtMs: _, ...s}) => ({...s, list: {kind: 'idle'}, hasMore: false}));
		const current = new AbortController();
		listing = current;
		const before = more ? listedMarkets(state()) : [];
		const last = listedMarkets(state());
		change(s => ({...s, list: {kind: 'loading', last}}));
		try {
			const {call} = service();
			const page = {limit: LIST_PAGE, offset: before.length};
			const {signal} = current;
			const {data} =
				source === 'trending'
					? await call('marketTrending', {query: page}, {signal})
					: await call(
							'marketSearch',
							{query: {...page, ...(query !== '' && {query}), ...(filter !== '' && {status: filter})}},
							{signal},
						);
			if (current.signal.aborted) return;
			const value = unique([...before, ...data]);
			change(s => ({
				...s,
				list: {kind: 'ready', value, atMs: nowMs()},
				listAtMs: nowMs(),
				hasMore: data.length === LIST_PAGE && value.length > before.length,
			}));
			again(0);
		} catch (error) {
			if (!current.signal.aborted) change(s => ({...s, list: {kind: 'failed', problem: explain(error), last}}));
		}
	}

	/** What is in sight: only that is asked for. */
	function inSight(): readonly string[] {
		const {open} = state();
		if (open !== undefined) return [open];
		const all = keys();
		const page = listPage(monitor.get().size);
		const top = firstShown(all, state(), page);
		return all.slice(top, top + page);
	}

	function again(afterMs: number): void {
		clearTimeout(timer);
		if (life === undefined) return;
		timer = setTimeout(() => void beat(), afterMs);
	}

	async function beat(): Promise<void> {
		const current = life;
		if (current === undefined) return;
		watchSight();
		try {
			await refreshPrices(current.signal);
			failures = 0;
		} catch (error) {
			if (current.signal.aborted) return;
			failures++;
			change(s => ({...s, problem: explain(error)}));
		}
		const isTold = state().open === undefined && watch?.isLive() === true;
		const everyMs = isTold ? FIGURES_EVERY_MS : PRICES_EVERY_MS;
		if (current === life) again(pollDelayMs(everyMs, failures, MAX_WAIT_MS));
	}

	async function refreshPrices(signal: AbortSignal): Promise<void> {
		const now = nowMs();
		const wanted = inSight().filter(key => (brokenUntilMs.get(key) ?? 0) <= now);
		for (let at = 0; at < wanted.length; at += BATCH) await refresh(wanted.slice(at, at + BATCH), signal);
		const {open} = state();
		if (open !== undefined && now - candlesAtMs >= CANDLES_EVERY_MS) await readCandles(open, signal);
	}

	/** One batch. A market that makes the whole answer unusable is found by halves, and told of alone. */
	async function refresh(asked: readonly string[], signal: AbortSignal): Promise<void> {
		try {
			const {payload} = await service().call('marketsBatch', {body: {items: asked.map(marketNameOf)}}, {signal});
			change(s => quotesArrived(s, asked, payload, nowMs()));
		} catch (error) {
			const isOfItems = error instanceof WrongAnswer || (error instanceof ServiceRefused && error.status === 400);
			if (!isOfItems || signal.aborted) throw error;
			if (asked.length === 1) {
				const [key] = asked as [string];
				brokenUntilMs.set(key, nowMs() + BROKEN_MS);
				change(s => quoteFailed(s, key, explain(error).why));
				return;
			}
			const middle = asked.length >> 1;
			await refresh(asked.slice(0, middle), signal);
			await refresh(asked.slice(middle), signal);
		}
	}

	/** The price line of the leading outcome: nice to have, so its failure is only said in its place. */
	async function readCandles(key: string, signal: AbortSignal): Promise<void> {
		candlesAtMs = nowMs();
		const market = state().quotes.get(key)?.market;
		const leading = leadingOutcome(market?.outcomes.map(o => ({label: o.label, price: o.priceUSD})) ?? []);
		const outcomeId = market?.outcomes.find(outcome => outcome.label === leading?.label)?.outcomeId;
		if (market === undefined || outcomeId === undefined) return;
		try {
			const query = {...marketNameOf(key), outcomeId, period: '1h' as const, limit: 168};
			const {data} = await service().call('marketOhlcv', {query}, {signal});
			if (state().open === key) change(s => ({...s, candles: {kind: 'ready', value: data, atMs: nowMs()}}));
		} catch (error) {
			if (!signal.aborted && state().open === key)
				change(s => ({...s, candles: {kind: 'failed', problem: explain(error)}}));
		}
	}

	function setCursor(cursor: string | undefined): void {
		if (cursor === undefined) return;
		change(s => (s.cursor === cursor ? s : {...s, cursor}));
		const {list, hasMore, source} = state();
		if (source !== 'watched' && hasMore && list.kind === 'ready' && cursor === keys().at(-1)) void load(true);
		// A key held down asks once, when it rests.
		again(250);
	}

	function show(source: MarketsState['source']): void {
		change(({cursor: _, ...s}) => ({...s, source, list: {kind: 'idle'}, hasMore: false}));
		void load();
		again(0);
	}

	function step(by: number): void {
		if (state().open === undefined) setCursor(keyAfter(keys(), state().cursor, by));
		else change(s => ({...s, scroll: scrolledBy(s.scroll, by, store.get().reach)}));
	}

	return {
		open() {
			life = new AbortController();
			failures = 0;
			if (state().list.kind !== 'ready') void load();
			again(0);
		},
		close() {
			clearTimeout(timer);
			watch?.close();
			watch = undefined;
			life?.abort();
			listing?.abort();
			life = undefined;
			change(({open: _, ...s}) => ({...s, scroll: 0}));
		},
		move: step,
		scroll: step,
		click(line) {
			const hit = state().open === undefined && lineClicked(keys(), state(), listPage(monitor.get().size), line);
			if (!hit) return;
			if (hit.isAgain) return this.accept();
			change(s => ({...s, clicked: hit.clicked}));
			setCursor(hit.cursor);
		},
		page: by => step(by * Math.max(listPage(monitor.get().size) - 1, 1)),
		jump(to) {
			if (state().open === undefined) setCursor(to === 'first' ? keys()[0] : keys().at(-1));
			else change(s => ({...s, scroll: to === 'first' ? 0 : (store.get().reach ?? 0)}));
		},
		accept() {
			const {open} = state();
			if (open !== undefined) return void this.back();
			const key = marked();
			if (key === undefined) return context.tell('There is no market here to open.', 'warn');
			candlesAtMs = 0;
			change(s => ({...s, cursor: key, open: key, scroll: 0, candles: {kind: 'loading'}}));
			again(0);
		},
		back() {
			const {open, query, source} = state();
			if (open !== undefined) {
				change(({open: _, ...s}) => ({...s, scroll: 0}));
				again(0);
				return true;
			}
			if (source === 'search' && query !== '') {
				change(s => ({...s, query: ''}));
				show('trending');
				return true;
			}
			return false;
		},
		turn(by) {
			const at = MARKET_SOURCES.indexOf(state().source);
			change(({open: _, ...s}) => ({...s, scroll: 0}));
			show(MARKET_SOURCES[(at + by + MARKET_SOURCES.length) % MARKET_SOURCES.length]!);
		},
		refresh() {
			brokenUntilMs.clear();
			candlesAtMs = 0;
			failures = 0;
			void load();
			again(0);
		},
		run(verb) {
			const key = state().open ?? marked();
			switch (verb) {
				case 'search':
					return input.open('query', state().query);
				case 'status': {
					const at = MARKET_FILTERS.indexOf(state().filter);
					change(s => ({...s, filter: MARKET_FILTERS[(at + 1) % MARKET_FILTERS.length]!}));
					return show('search');
				}
				case 'watch': {
					if (key === undefined) return context.tell('Put the cursor on a market first, then watch it.', 'warn');
					const {question, isWatched} = marketItem(state(), key, watched());
					monitor.apply(all => {
						const markets = new Map(all.markets);
						if (!markets.delete(key)) markets.set(key, question);
						return {...all, markets};
					});
					context.save();
					return isWatched
						? context.tell('Not watched any more.')
						: context.tell('Watched.', 'info', '{markets.turn} shows the watch list.');
				}
				case 'copy':
					return key === undefined
						? context.tell('Put the cursor on a market first, then copy its name.', 'warn')
						: context.copy(key, 'Market');
				default:
			}
		},
		acceptInput(_field, text) {
			input.close();
			change(s => ({...s, query: text.trim()}));
			show('search');
		},
		turnInput() {},
		cancelInput() {},
		paste: () =>
			context.tell('Pasted text does nothing here.', 'warn', '{markets.search} opens the search: paste there.'),
	};
}

function unique(markets: readonly ListedMarket[]): readonly ListedMarket[] {
	return [...new Map(markets.map(market => [marketKey(market), market])).values()];
}
