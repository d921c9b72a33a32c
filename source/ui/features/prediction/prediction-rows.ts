import type {Row, Span} from '../../../terminal/style.ts';
import {fitTo, padStart, truncate} from '../../../text.ts';
import {age, change, usd} from '../../format.ts';
import {sentence} from '../../money/money-rows.ts';
import {cutSpans, toned} from '../../scene.ts';
import {
	emptyWords,
	inputLine,
	listScreen,
	pageScreen,
	type ScreenLook,
	screenTitle,
} from '../../screens/screen-rows.ts';
import type {Tone} from '../../theme.ts';
import {predictionDetail} from './prediction-detail.ts';
import {bar, cents, STALE_MS} from './prediction-price.ts';
import {
	leadingOutcome,
	type PredictionItem,
	type PredictionState,
	predictionItem,
	predictionItems,
} from './prediction-state.ts';

/** For so long a price is marked as just moved. */
const MOVE_MS = 4000;

/** The lines of the markets board. @param watched the watch list: questions by key */
export function predictionRows(state: PredictionState, watched: ReadonlyMap<string, string>, look: ScreenLook): Row[] {
	if (state.open !== undefined) {
		const item = predictionItem(state, state.open, watched);
		const title = screenTitle(
			look,
			[...brand(look), toned(look, 'dim', item.platform)],
			pricesAge(look, item.pricesAtMs),
		);
		return pageScreen(look, title, predictionDetail(state, item, look), state.scroll);
	}
	const items = predictionItems(state, watched);
	const at = items.findIndex(item => item.id === state.cursor);
	const index = Math.max(at, 0);
	const widths = columnsOf(look.width);
	return listScreen(look, {
		title: title(state, watched, look),
		header: header(widths, look),
		keys: items.map(({id}) => id),
		marked: state,
		line: i => line(items[i]!, widths, look),
		empty: emptyRows(state, look),
		end: endLine(state, items, index, look),
	});
}

function brand(look: ScreenLook): Span[] {
	return [toned(look, 'brand', 'PREDICTION'), {text: ' '}, toned(look, 'badge', ' ALPHA '), {text: ' '}];
}

function title(state: PredictionState, watched: ReadonlyMap<string, string>, look: ScreenLook): Row {
	const {source, query, filter, listAtMs} = state;
	const name = (which: typeof source, text: string): Span[] => [
		toned(look, which === source ? 'strong' : 'dim', which === source ? `[${text}]` : ` ${text} `),
	];
	const search = query === '' ? 'all' : `"${truncate(query, 20)}"`;
	return screenTitle(
		look,
		[
			...brand(look),
			...name('trending', 'trending'),
			...name('search', filter === '' ? search : `${search} ${filter}`),
			...name('watched', `watched ${watched.size}`),
		],
		source === 'watched' || listAtMs === undefined || look.width < 70
			? []
			: [toned(look, 'dim', `list ${age(look.nowMs - listAtMs)} old`)],
	);
}

function pricesAge(look: ScreenLook, atMs: number | undefined): Span[] {
	if (atMs === undefined) return [toned(look, 'warn', 'no price yet')];
	const ms = look.nowMs - atMs;
	return [toned(look, ms > STALE_MS ? 'warn' : 'dim', `prices ${age(ms)} old`)];
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
		// Questions of one family differ at their ends: they get the room first.
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

function header(w: Widths, look: ScreenLook): Row {
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
	return [toned(look, 'faint', truncate(text, look.width))];
}

function line(item: PredictionItem, w: Widths, look: ScreenLook): Row {
	const {signs, nowMs} = look;
	const leads = leadingOutcome(item.outcomes);
	const isOver = item.status !== undefined && item.status !== 'active';
	const isStale = item.pricesAtMs === undefined || nowMs - item.pricesAtMs > STALE_MS;
	const moved = !look.isStill && item.move !== undefined && nowMs - item.move.atMs < MOVE_MS ? item.move : undefined;
	const mark = moved === undefined ? ' ' : moved.isUp ? signs.up : signs.down;
	const move: Tone = moved === undefined ? 'text' : moved.isUp ? 'up' : 'down';
	const drift = leads?.change24h;
	const pieces: Span[] = [
		toned(
			look,
			item.problem === undefined ? 'accent' : 'bad',
			item.problem !== undefined ? '! ' : item.isWatched ? `${signs.pin} ` : '  ',
		),
		toned(look, isOver ? 'dim' : 'text', fitTo(item.question, w.question)),
	];
	if (w.label > 0) pieces.push(toned(look, 'dim', ` ${fitTo(leads?.label ?? signs.unknown, w.label - 1)}`));
	pieces.push(
		toned(look, move, ` ${mark}`),
		toned(look, isStale ? 'dim' : 'strong', padStart(cents(leads?.price, signs), 6)),
	);
	if (w.bar > 0) pieces.push({text: ' '}, ...bar(leads?.price, w.bar - 1, look));
	if (w.change > 0) {
		const tone = drift === undefined || Math.abs(drift) < 0.05 ? 'dim' : drift > 0 ? 'up' : 'down';
		pieces.push(toned(look, tone, padStart(change(drift, signs.unknown), w.change)));
	}
	if (w.volume > 0) pieces.push(toned(look, 'text', padStart(usd(item.volume24h, signs.unknown), w.volume)));
	if (w.liquidity > 0) pieces.push(toned(look, 'dim', padStart(usd(item.liquidity, signs.unknown), w.liquidity)));
	if (w.ends > 0)
		pieces.push(toned(look, isOver ? 'warn' : 'dim', `  ${fitTo(endWords(item, nowMs, signs.unknown), w.ends - 2)}`));
	if (w.age > 0) {
		const words = item.pricesAtMs === undefined ? signs.unknown : age(nowMs - item.pricesAtMs);
		pieces.push(toned(look, isStale ? 'warn' : 'faint', padStart(words, w.age)));
	}
	return pieces;
}

/** When it ends while it goes on; a market that is over says its status, whatever that is called. */
function endWords({status, endMs}: PredictionItem, nowMs: number, unknown: string): string {
	if (status !== undefined && status !== 'active') return status;
	if (endMs === undefined) return unknown;
	return endMs > nowMs ? `in ${age(endMs - nowMs)}` : 'now';
}

function emptyRows(state: PredictionState, look: ScreenLook): Row[] {
	const inside = {...look, width: look.width - 2};
	if (state.source === 'watched')
		return sentence(
			inside,
			'dim',
			look.named('Nothing is watched yet. {markets.watch} puts the marked market here, and it stays for the next run.'),
		);
	const {text, isBad} = emptyWords(
		state.list,
		state.query === ''
			? 'The service has no prediction market here.'
			: look.named('No market fits the search. {markets.search} changes it.'),
	);
	return sentence(inside, isBad ? 'bad' : 'dim', text);
}

/** What is typed; else what went wrong; else the whole question of the marked line. */
function endLine(state: PredictionState, items: readonly PredictionItem[], index: number, look: ScreenLook): Row {
	if (look.input) return inputLine(look, 'search', look.input.edit);
	const {list, problem} = state;
	const item = items[index];
	if (problem)
		return cutSpans([toned(look, 'bad', ` ${look.signs.cross} prices: ${problem.what}. ${problem.why}`)], look.width);
	if (list.kind === 'failed' && items.length > 0)
		return cutSpans(
			[toned(look, 'bad', ` ${look.signs.cross} list: ${list.problem.what}. ${list.problem.why}`)],
			look.width,
		);
	if (item === undefined) return [];
	const place = `${index + 1}/${items.length}${state.hasMore ? '+' : ''}`;
	const note = item.problem === undefined ? toned(look, 'text', item.question) : toned(look, 'bad', item.problem);
	return cutSpans([toned(look, 'dim', ` ${place}  `), note], look.width);
}
