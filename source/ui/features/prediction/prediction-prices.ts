import type {MarketWatch} from '../../../client/lookups/market-watch.ts';
import {explain} from '../../../errors.ts';
import {createPolling} from '../../../monitor/polling.ts';
import {isInvalidResponse, isRefused} from '../../../monitor/refusals.ts';
import {clientOf, type ScreenContext} from '../../screens/screen.ts';
import type {Slice} from '../../screens/slice.ts';
import {
	leadingOutcome,
	type PredictionState,
	predictionKey,
	predictionNameOf,
	priceArrived,
	quoteFailed,
	quotesArrived,
} from './prediction-state.ts';

/** The wait between two requests; where the stream brings prices, only the other figures are requested. */
const PRICES_EVERY_MS = 2500;
const FIGURES_EVERY_MS = 10_000;
const MAX_WAIT_MS = 30_000;
/** Most predictions in one batch (spec 4.11). */
const BATCH = 50;
/** The wait until a prediction that broke its batch is requested again. */
const BROKEN_MS = 60_000;
const CANDLES_EVERY_MS = 30_000;

export interface PredictionPrices {
	open(): void;
	/** Requests what is in sight after `afterMs`. */
	next(afterMs: number): void;
	/** Requests the candles of the open prediction with the next prices. */
	expireCandles(): void;
	/** Requests everything again, broken predictions too. */
	refresh(): void;
	close(): void;
}

/** Keeps the prices of the predictions in sight up to date. @param inSight their keys */
export function createPredictionPrices(
	slice: Slice<PredictionState>,
	context: ScreenContext,
	inSight: () => readonly string[],
): PredictionPrices {
	const {nowMs} = context;
	let candlesAtMs = 0;
	let watch: MarketWatch | undefined;
	const brokenUntilMs = new Map<string, number>();
	const polling = createPolling({
		poll,
		everyMs: () => (slice.get().open === undefined && watch?.isLive() ? FIGURES_EVERY_MS : PRICES_EVERY_MS),
		longestMs: MAX_WAIT_MS,
	});

	async function poll(signal: AbortSignal): Promise<boolean> {
		watchSight();
		try {
			const now = nowMs();
			const keys = inSight().filter(key => (brokenUntilMs.get(key) ?? 0) <= now);
			for (let at = 0; at < keys.length; at += BATCH) await readQuotes(keys.slice(at, at + BATCH), signal);
			const {open} = slice.get();
			if (open !== undefined && now - candlesAtMs >= CANDLES_EVERY_MS) await readCandles(open, signal);
			return true;
		} catch (error) {
			if (!signal.aborted) slice.change(state => ({...state, problem: explain(error)}));
			return false;
		}
	}

	/** Watches the prices of the predictions in sight on the stream, where the service has one. */
	function watchSight(): void {
		watch ??= context.client()?.watchMarkets(({outcomeId, priceUSD, ...name}) => {
			const quote = {key: predictionKey(name), outcomeId, priceUSD};
			slice.later(state => priceArrived(state, quote, nowMs()));
		});
		watch?.setMarkets(inSight().map(predictionNameOf));
	}

	/** Reads one batch. A prediction that makes the whole response unusable is found by bisection, and fails alone. */
	async function readQuotes(keys: readonly string[], signal: AbortSignal): Promise<void> {
		try {
			const items = keys.map(predictionNameOf);
			const {payload} = await clientOf(context).call('marketsBatch', {body: {items}}, {signal});
			slice.change(state => quotesArrived(state, keys, payload, nowMs()));
		} catch (error) {
			if (signal.aborted || !(isInvalidResponse(error) || isRefused(error, 400))) throw error;
			if (keys.length === 1) {
				const [key] = keys as [string];
				brokenUntilMs.set(key, nowMs() + BROKEN_MS);
				return slice.change(state => quoteFailed(state, key, explain(error).why));
			}
			const middle = keys.length >> 1;
			await readQuotes(keys.slice(0, middle), signal);
			await readQuotes(keys.slice(middle), signal);
		}
	}

	/** Reads the price line of the leading outcome. A failure is shown in place of the line. */
	async function readCandles(key: string, signal: AbortSignal): Promise<void> {
		candlesAtMs = nowMs();
		const market = slice.get().quotes.get(key)?.market;
		const leading = leadingOutcome(market?.outcomes.map(o => ({label: o.label, price: o.priceUSD})) ?? []);
		const outcomeId = market?.outcomes.find(outcome => outcome.label === leading?.label)?.outcomeId;
		if (market === undefined || outcomeId === undefined) return;
		const arrived = (candles: PredictionState['candles']): void => {
			if (slice.get().open === key) slice.change(state => ({...state, candles}));
		};
		try {
			const query = {...predictionNameOf(key), outcomeId, period: '1h' as const, limit: 168};
			const {data} = await clientOf(context).call('marketOhlcv', {query}, {signal});
			arrived({kind: 'ready', value: data, atMs: nowMs()});
		} catch (error) {
			if (!signal.aborted) arrived({kind: 'failed', problem: explain(error)});
		}
	}

	function expireCandles(): void {
		candlesAtMs = 0;
	}

	return {
		open: polling.open,
		next: polling.next,
		expireCandles,
		refresh() {
			brokenUntilMs.clear();
			expireCandles();
			polling.reset();
		},
		close() {
			polling.close();
			watch?.close();
			watch = undefined;
		},
	};
}
