import type {Row, Span} from '../../../terminal/style.ts';
import {fitTo, padStart, truncate} from '../../../text.ts';
import {age, change, usd} from '../../format.ts';
import {paragraph} from '../../money/money-rows.ts';
import {
	emptyText,
	inputLine,
	listScreen,
	pageScreen,
	type ScreenCanvas,
	screenTitle,
} from '../../screens/screen-rows.ts';
import type {Tone} from '../../theme.ts';
import {cutSpans, toned} from '../../view-model.ts';
import {predictionDetail} from './prediction-detail.ts';
import {bar, cents, STALE_MS} from './prediction-price.ts';
import {
	leadingOutcome,
	type PredictionItem,
	type PredictionState,
	predictionItem,
	predictionItems,
} from './prediction-state.ts';

/** How long a price is marked as just moved, ms. */
const MOVE_MS = 4000;

/** The lines of the prediction screen. @param watched the watch list: questions by key */
export function predictionRows(
	state: PredictionState,
	watched: ReadonlyMap<string, string>,
	canvas: ScreenCanvas,
): Row[] {
	if (state.open !== undefined) {
		const item = predictionItem(state, state.open, watched);
		const title = screenTitle(
			canvas,
			[...brand(canvas), toned(canvas, 'dim', item.platform)],
			pricesAge(canvas, item.pricesAtMs),
		);
		return pageScreen(canvas, title, predictionDetail(state, item, canvas), state.scroll);
	}
	const items = predictionItems(state, watched);
	const at = items.findIndex(item => item.id === state.cursor);
	const index = Math.max(at, 0);
	const widths = columnsOf(canvas.width);
	return listScreen(canvas, {
		title: title(state, watched, canvas),
		header: header(widths, canvas),
		keys: items.map(({id}) => id),
		marked: state,
		line: i => line(items[i]!, widths, canvas),
		empty: emptyRows(state, canvas),
		end: endLine(state, items, index, canvas),
	});
}

function brand(canvas: ScreenCanvas): Span[] {
	return [toned(canvas, 'brand', 'PREDICTION'), {text: ' '}, toned(canvas, 'badge', ' ALPHA '), {text: ' '}];
}

function title(state: PredictionState, watched: ReadonlyMap<string, string>, canvas: ScreenCanvas): Row {
	const {source, query, filter, listAtMs} = state;
	const name = (which: typeof source, text: string): Span[] => [
		toned(canvas, which === source ? 'strong' : 'dim', which === source ? `[${text}]` : ` ${text} `),
	];
	const search = query === '' ? 'all' : `"${truncate(query, 20)}"`;
	return screenTitle(
		canvas,
		[
			...brand(canvas),
			...name('trending', 'trending'),
			...name('search', filter === '' ? search : `${search} ${filter}`),
			...name('watched', `watched ${watched.size}`),
		],
		source === 'watched' || listAtMs === undefined || canvas.width < 70
			? []
			: [toned(canvas, 'dim', `list ${age(canvas.nowMs - listAtMs)} old`)],
	);
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
	const leads = leadingOutcome(item.outcomes);
	const isOver = item.status !== undefined && item.status !== 'active';
	const isStale = item.pricesAtMs === undefined || nowMs - item.pricesAtMs > STALE_MS;
	const moved = !canvas.isStill && item.move !== undefined && nowMs - item.move.atMs < MOVE_MS ? item.move : undefined;
	const mark = moved === undefined ? ' ' : moved.isUp ? glyphs.up : glyphs.down;
	const move: Tone = moved === undefined ? 'text' : moved.isUp ? 'up' : 'down';
	const drift = leads?.change24h;
	const pieces: Span[] = [
		toned(
			canvas,
			item.problem === undefined ? 'accent' : 'bad',
			item.problem !== undefined ? '! ' : item.isWatched ? `${glyphs.pin} ` : '  ',
		),
		toned(canvas, isOver ? 'dim' : 'text', fitTo(item.question, w.question)),
	];
	if (w.label > 0) pieces.push(toned(canvas, 'dim', ` ${fitTo(leads?.label ?? glyphs.unknown, w.label - 1)}`));
	pieces.push(
		toned(canvas, move, ` ${mark}`),
		toned(canvas, isStale ? 'dim' : 'strong', padStart(cents(leads?.price, glyphs), 6)),
	);
	if (w.bar > 0) pieces.push({text: ' '}, ...bar(leads?.price, w.bar - 1, canvas));
	if (w.change > 0) {
		const tone = drift === undefined || Math.abs(drift) < 0.05 ? 'dim' : drift > 0 ? 'up' : 'down';
		pieces.push(toned(canvas, tone, padStart(change(drift, glyphs.unknown), w.change)));
	}
	if (w.volume > 0) pieces.push(toned(canvas, 'text', padStart(usd(item.volume24h, glyphs.unknown), w.volume)));
	if (w.liquidity > 0) pieces.push(toned(canvas, 'dim', padStart(usd(item.liquidity, glyphs.unknown), w.liquidity)));
	if (w.ends > 0)
		pieces.push(toned(canvas, isOver ? 'warn' : 'dim', `  ${fitTo(endText(item, nowMs, glyphs.unknown), w.ends - 2)}`));
	if (w.age > 0) {
		const text = item.pricesAtMs === undefined ? glyphs.unknown : age(nowMs - item.pricesAtMs);
		pieces.push(toned(canvas, isStale ? 'warn' : 'faint', padStart(text, w.age)));
	}
	return pieces;
}

/** When an active prediction ends; the status of any other. */
function endText({status, endMs}: PredictionItem, nowMs: number, unknown: string): string {
	if (status !== undefined && status !== 'active') return status;
	if (endMs === undefined) return unknown;
	return endMs > nowMs ? `in ${age(endMs - nowMs)}` : 'now';
}

function emptyRows(state: PredictionState, canvas: ScreenCanvas): Row[] {
	const inside = {...canvas, width: canvas.width - 2};
	if (state.source === 'watched')
		return paragraph(
			inside,
			'dim',
			canvas.named(
				'Nothing is watched yet. {markets.watch} puts the marked prediction here, and it stays for the next run.',
			),
		);
	const {text, isBad} = emptyText(
		state.list,
		state.query === ''
			? 'The service has no prediction here.'
			: canvas.named('No prediction matches the search. {markets.search} changes it.'),
	);
	return paragraph(inside, isBad ? 'bad' : 'dim', text);
}

/** The last line: the search that is typed, else the failure, else the whole question of the marked line. */
function endLine(state: PredictionState, items: readonly PredictionItem[], index: number, canvas: ScreenCanvas): Row {
	if (canvas.input) return inputLine(canvas, 'search', canvas.input.edit);
	const {list, problem} = state;
	const item = items[index];
	if (problem)
		return cutSpans(
			[toned(canvas, 'bad', ` ${canvas.glyphs.cross} prices: ${problem.what}. ${problem.why}`)],
			canvas.width,
		);
	if (list.kind === 'failed' && items.length > 0)
		return cutSpans(
			[toned(canvas, 'bad', ` ${canvas.glyphs.cross} list: ${list.problem.what}. ${list.problem.why}`)],
			canvas.width,
		);
	if (item === undefined) return [];
	const place = `${index + 1}/${items.length}${state.hasMore ? '+' : ''}`;
	const note = item.problem === undefined ? toned(canvas, 'text', item.question) : toned(canvas, 'bad', item.problem);
	return cutSpans([toned(canvas, 'dim', ` ${place}  `), note], canvas.width);
}
