import type {MonitorState} from '../../../monitor/state.ts';
import type {Row, Span} from '../../../terminal/style.ts';
import {fitTo, padStart, truncate} from '../../../text.ts';
import {age, change, usd} from '../../format.ts';
import {paragraph} from '../../money/money-rows.ts';
import {inputLine, listScreen, pageScreen, type ScreenCanvas, screenTitle} from '../../screens/screen-rows.ts';
import {cutSpans, toned} from '../../view-model.ts';
import {predictionDetail} from './prediction-detail.ts';
import {bar, cents, driftTone, STALE_MS} from './prediction-price.ts';
import {
	leadingOutcome,
	type PredictionItem,
	type PredictionState,
	predictionItem,
	predictionKeys,
} from './prediction-state.ts';

/** The lines of the prediction screen. */
export function predictionRows(state: PredictionState, monitor: MonitorState, canvas: ScreenCanvas): Row[] {
	const watched = monitor.watchedPredictions;
	if (state.open !== undefined) {
		const item = predictionItem(state, state.open, watched);
		const title = screenTitle(
			canvas,
			[...brand(canvas), toned(canvas, 'dim', item.platform)],
			pricesAge(canvas, item.atMs),
		);
		return pageScreen(canvas, title, predictionDetail(state, item, canvas), state.scroll);
	}
	const items = predictionKeys(monitor).map(key => predictionItem(state, key, watched));
	const index = Math.max(
		items.findIndex(item => item.id === state.cursor),
		0,
	);
	const widths = columnsOf(canvas.width);
	return listScreen(canvas, {
		title: screenTitle(canvas, [...brand(canvas), toned(canvas, 'dim', `${watched.size} watched`)], []),
		header: header(widths, canvas),
		keys: items.map(({id}) => id),
		marked: state,
		line: i => line(items[i]!, widths, canvas),
		empty: paragraph(
			{...canvas, width: canvas.width - 2},
			'dim',
			canvas.named('Nothing is watched yet. {markets.add} adds a prediction by its id, and it stays for the next run.'),
		),
		end: endLine(state, items, index, canvas),
	});
}

function brand(canvas: ScreenCanvas): Span[] {
	return [toned(canvas, 'brand', 'PREDICTION'), {text: ' '}, toned(canvas, 'badge', ' ALPHA '), {text: ' '}];
}

function pricesAge(canvas: ScreenCanvas, atMs: number | undefined): Span[] {
	if (atMs === undefined) return [toned(canvas, 'warn', 'no price yet')];
	const ms = canvas.nowMs - atMs;
	return [toned(canvas, ms > STALE_MS ? 'warn' : 'dim', `prices ${age(ms)} old`)];
}

/** Which cells there is room for; what doesn't fit drops from the right of this order: price, ends, change, volume, bar, ... */
interface Widths {
	readonly question: number;
	readonly label: number;
	readonly bar: number;
	readonly change: number;
	readonly volume: number;
	readonly liquidity: number;
	readonly ends: number;
	readonly age: number;
}

function columnsOf(width: number): Widths {
	const cells = {
		// Questions of one event differ at their ends: they get the room first.
		label: width >= 84 ? 11 : width >= 54 ? 7 : 0,
		bar: width >= 96 ? 11 : 0,
		change: width >= 66 ? 8 : 0,
		volume: width >= 76 ? 8 : 0,
		liquidity: width >= 110 ? 8 : 0,
		ends: width >= 46 ? 10 : 0,
		age: width >= 84 ? 5 : 0,
	};
	const rest = Object.values(cells).reduce((sum, cell) => sum + cell, 0);
	return {...cells, question: Math.max(width - rest - 12, 8)};
}

function header(w: Widths, canvas: ScreenCanvas): Row {
	const right = (text: string, width: number) => (width === 0 ? '' : padStart(text, width));
	const text = [
		'   ',
		fitTo('QUESTION', w.question),
		w.label === 0 ? '' : ` ${fitTo('LEADER', w.label - 1)}`,
		padStart('PRICE', 8),
		w.bar === 0 ? '' : fitTo('', w.bar),
		right('CHG 24h', w.change),
		right('VOL 24h', w.volume),
		right('LIQ', w.liquidity),
		w.ends === 0 ? '' : `  ${fitTo('ENDS', w.ends - 2)}`,
		right('AGE', w.age),
	].join('');
	return [toned(canvas, 'faint', truncate(text, canvas.width))];
}

function line(item: PredictionItem, w: Widths, canvas: ScreenCanvas): Row {
	const {glyphs, nowMs} = canvas;
	const {market, problem, atMs} = item;
	const leads = market && leadingOutcome(market);
	const isOver = isEnded(item);
	const isStale = atMs === undefined || nowMs - atMs > STALE_MS;
	const drift = leads?.priceChange24hPercentage ?? undefined;
	const figure = (value: number | null | undefined) => usd(value ?? undefined, glyphs.unknown);
	const mark = problem !== undefined ? '! ' : item.isWatched ? `${glyphs.pin} ` : '  ';
	const pieces: Span[] = [
		toned(canvas, problem === undefined ? 'accent' : 'bad', mark),
		toned(canvas, isOver ? 'dim' : 'text', fitTo(item.question, w.question)),
	];
	if (w.label > 0) pieces.push(toned(canvas, 'dim', ` ${fitTo(leads?.label ?? glyphs.unknown, w.label - 1)}`));
	pieces.push(toned(canvas, isStale ? 'dim' : 'strong', padStart(cents(leads?.priceUSD, glyphs), 8)));
	if (w.bar > 0) pieces.push({text: ' '}, ...bar(leads?.priceUSD, w.bar - 1, canvas));
	if (w.change > 0) pieces.push(toned(canvas, driftTone(drift), padStart(change(drift, glyphs.unknown), w.change)));
	if (w.volume > 0) pieces.push(toned(canvas, 'text', padStart(figure(market?.stats.volume24hUSD), w.volume)));
	if (w.liquidity > 0) pieces.push(toned(canvas, 'dim', padStart(figure(market?.stats.liquidityUSD), w.liquidity)));
	if (w.ends > 0)
		pieces.push(toned(canvas, isOver ? 'warn' : 'dim', `  ${fitTo(endText(item, nowMs, glyphs.unknown), w.ends - 2)}`));
	if (w.age > 0) {
		const text = atMs === undefined ? glyphs.unknown : age(nowMs - atMs);
		pieces.push(toned(canvas, isStale ? 'warn' : 'faint', padStart(text, w.age)));
	}
	return pieces;
}

function isEnded({market}: PredictionItem): boolean {
	return typeof market?.status === 'string' && market.status !== 'active';
}

/** When an active prediction ends; the status of any other. */
function endText(item: PredictionItem, nowMs: number, unknown: string): string {
	const {market, endMs} = item;
	if (isEnded(item)) return market!.status!;
	if (endMs === undefined) return unknown;
	return endMs > nowMs ? `in ${age(endMs - nowMs)}` : 'now';
}

/** The last line: the id that is typed, else the failure, else the whole question of the marked line. */
function endLine(state: PredictionState, items: readonly PredictionItem[], index: number, canvas: ScreenCanvas): Row {
	if (canvas.input) return inputLine(canvas, 'id', canvas.input.edit);
	const {problem} = state;
	const item = items[index];
	if (problem)
		return cutSpans(
			[toned(canvas, 'bad', ` ${canvas.glyphs.cross} prices: ${problem.what}. ${problem.why}`)],
			canvas.width,
		);
	if (item === undefined) return [];
	const note = item.problem === undefined ? toned(canvas, 'text', item.question) : toned(canvas, 'bad', item.problem);
	return cutSpans([toned(canvas, 'dim', ` ${index + 1}/${items.length}  `), note], canvas.width);
}
