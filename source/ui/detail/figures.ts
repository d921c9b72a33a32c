import type {Entry} from '../../contract/entry.ts';
import type {FieldName} from '../../contract/fields.ts';
import {WINDOW_MS, WINDOWS_8, type Window8} from '../../contract/windows.ts';
import type {Row, Span} from '../../terminal/style.ts';
import {fitTo, padStart, truncate} from '../../text.ts';
import {changeWindow, shortWindow} from '../cell-specs.ts';
import {averageMark, change, compact, dateTime, price, usd} from '../format.ts';
import {toned, type ViewModel} from '../view-model.ts';
import {heading, pairs} from './blocks.ts';

const NARROW_WINDOWS: readonly Window8[] = ['5min', '1h', '6h', '24h'];

/** The windows shorter than the token's life, and the first that holds all of it; every one where the age is unknown. */
function livedWindows(ageMs: number | undefined): {
	readonly windows: readonly Window8[];
	readonly all?: Window8;
} {
	const all = ageMs === undefined ? undefined : WINDOWS_8.find(w => WINDOW_MS[w] >= ageMs);
	return all === undefined ? {windows: WINDOWS_8} : {windows: WINDOWS_8.slice(0, WINDOWS_8.indexOf(all) + 1), all};
}

/** Every figure that has time windows. A window longer than the token's life repeats what the one before says: it is left out. */
export function activity(model: ViewModel, entry: Entry, width: number): Row[] {
	const {nowMs, skewMs} = model.state;
	const label = 10;
	const cell = 7;
	const lived = livedWindows(entry.created_at === undefined ? undefined : nowMs + skewMs - entry.created_at);
	const fits = width >= label + lived.windows.length * cell;
	const windows = fits ? lived.windows : lived.windows.filter(w => NARROW_WINDOWS.includes(w) || w === lived.all);
	const line = (name: string, value: (w: Window8) => Span): Row => [
		toned(model, 'dim', fitTo(name, label)),
		...windows.map(value),
	];
	const figures = (name: string, read: (w: Window8) => FieldName, format = compact): Row =>
		line(name, w => {
			const value = entry[read(w)] as number | undefined;
			return toned(model, value === undefined || value === 0 ? 'faint' : 'text', padStart(format(value), cell));
		});
	return [
		[
			toned(model, 'rule', model.glyphs.line),
			toned(model, 'accent', fitTo(' ACTIVITY', label - 1)),
			...windows.map(w => toned(model, 'dim', padStart(w === lived.all ? 'all' : shortWindow(w), cell))),
		],
		line('change', w => {
			const percent = entry[`price_change_${changeWindow(w)}`];
			if (w === '15min') return toned(model, 'faint', padStart(model.glyphs.unknown, cell));
			const tone = percent === undefined || percent === 0 ? 'faint' : percent > 0 ? 'up' : 'down';
			return toned(model, tone, padStart(truncate(change(percent), cell), cell));
		}),
		figures('volume $', w => `volume_${w}`),
		figures(' bought', w => `volume_buy_${w}`),
		figures(' sold', w => `volume_sell_${w}`),
		figures('trades', w => `trades_${w}`),
		figures(' buys', w => `buys_${w}`),
		figures(' sells', w => `sells_${w}`),
		figures('traders', w => `traders_${w}`),
		figures(' buyers', w => `buyers_${w}`),
		figures(' sellers', w => `sellers_${w}`),
		figures('fees $', w => `fees_paid_${w}`),
		figures('organic $', w => `organic_volume_${w}`),
		figures(' traders', w => `organic_traders_${w}`),
	];
}

/** The API gives this score no scale. */
function trendText(score: number | undefined): string {
	return score === undefined ? compact(score) : `${compact(score)}, higher is hotter`;
}

/** Capital, supply, extremes and dates. */
export function market(model: ViewModel, entry: Entry, width: number): Row[] {
	const {subscripts} = model.glyphs;
	return [
		heading(model, 'MARKET', width),
		...pairs(model, width, [
			['market cap', averageMark(entry) + usd(entry.market_cap)],
			['diluted', averageMark(entry) + usd(entry.market_cap_diluted)],
			['liquidity', usd(entry.liquidity)],
			['fees paid', usd(entry.total_fees_paid_usd)],
			['supply', compact(entry.total_supply)],
			['trend 1h', trendText(entry.trending_score_1h)],
			['highest', price(entry.ath, {subscripts})],
			['lowest', price(entry.atl, {subscripts})],
			['created', dateTime(entry.created_at)],
			['bonded', dateTime(entry.bonded_at)],
			['last trade', dateTime(entry.latest_trade_date)],
			['pool type', entry.type ?? model.glyphs.unknown],
		]),
	];
}
