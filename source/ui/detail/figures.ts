import type {Entry} from '../../contract/entry.ts';
import type {FieldName} from '../../contract/fields.ts';
import {WINDOWS_8, type Window8} from '../../contract/windows.ts';
import {RISK_FIELDS, type Risk, riskLevel} from '../../monitor/risk.ts';
import type {Row, Span} from '../../terminal/style.ts';
import {fitTo, padEnd, padStart, truncate} from '../../text.ts';
import {changeWindow, shortWindow} from '../cells.ts';
import {change, compact, dateTime, grouped, price, share, usd} from '../format.ts';
import {type Scene, toned} from '../scene.ts';
import type {Tone} from '../theme.ts';
import {heading, inColumns, pairs} from './blocks.ts';

const NARROW_WINDOWS: readonly Window8[] = ['5min', '1h', '6h', '24h'];

/** Every figure that has time windows. */
export function windowsTable(scene: Scene, entry: Entry, width: number): Row[] {
	const label = 10;
	const cell = 7;
	const windows = width >= label + WINDOWS_8.length * cell ? WINDOWS_8 : NARROW_WINDOWS;
	const line = (name: string, value: (w: Window8) => Span): Row => [
		toned(scene, 'dim', fitTo(name, label)),
		...windows.map(value),
	];
	const figures = (name: string, read: (w: Window8) => FieldName, format = compact): Row =>
		line(name, w => {
			const value = entry[read(w)] as number | undefined;
			return toned(scene, value === undefined || value === 0 ? 'faint' : 'text', padStart(format(value), cell));
		});
	return [
		[
			toned(scene, 'accent', fitTo('ACTIVITY', label)),
			...windows.map(w => toned(scene, 'dim', padStart(shortWindow(w), cell))),
		],
		line('change', w => {
			const percent = entry[`price_change_${changeWindow(w)}`];
			if (w === '15min') return toned(scene, 'faint', padStart(scene.signs.unknown, cell));
			const tone = percent === undefined || percent === 0 ? 'faint' : percent > 0 ? 'up' : 'down';
			return toned(scene, tone, padStart(truncate(change(percent), cell), cell));
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

const RISK_NAMES: Readonly<Record<Risk, string>> = {
	dev: 'developer',
	top10: 'top 10',
	snipers: 'snipers',
	insiders: 'insiders',
	bundlers: 'bundlers',
};
const RISK_COUNTS: Readonly<Partial<Record<Risk, FieldName>>> = {
	snipers: 'snipers_count',
	insiders: 'insiders_count',
	bundlers: 'bundlers_count',
};

function walletWords(count: number | undefined): string {
	return count === undefined ? '' : ` ${compact(count)} ${count === 1 ? 'wallet' : 'wallets'}`;
}

/** Who holds the supply, with the risk thresholds applied. */
export function holdings(scene: Scene, entry: Entry, width: number): Row[] {
	const {thresholds, signs} = scene;
	const cells: Span[][] = [];
	for (const risk of ['dev', 'top10', 'snipers', 'insiders', 'bundlers'] as const) {
		const percent = entry[RISK_FIELDS[risk]];
		const level = riskLevel(percent, thresholds[risk]);
		const sign = {unknown: '  ', ok: '  ', warn: '! ', bad: '!!'}[level];
		const tone = {unknown: 'faint', ok: 'text', warn: 'warn', bad: 'bad'}[level] as Tone;
		const count = RISK_COUNTS[risk] === undefined ? undefined : (entry[RISK_COUNTS[risk]] as number | undefined);
		cells.push([
			toned(scene, 'dim', padEnd(RISK_NAMES[risk], 11)),
			toned(scene, tone, padStart(share(percent, signs.unknown), 6) + sign),
			toned(scene, 'faint', walletWords(count)),
		]);
	}
	const plain = (name: string, field: FieldName, count?: FieldName): void => {
		const held = count === undefined ? undefined : (entry[count] as number | undefined);
		cells.push([
			toned(scene, 'dim', padEnd(name, 11)),
			toned(scene, 'text', `${padStart(share(entry[field] as number | undefined, signs.unknown), 6)}  `),
			toned(scene, 'faint', walletWords(held)),
		]);
	};
	plain('fresh', 'fresh_traders_holdings_percentage', 'fresh_traders_count');
	plain('pro', 'pro_traders_holdings_percentage', 'pro_traders_count');
	plain('smart', 'smart_traders_holdings_percentage', 'smart_traders_count');
	plain('top 50', 'top_50_holdings_percentage');
	plain('top 100', 'top_100_holdings_percentage');
	plain('top 200', 'top_200_holdings_percentage');
	return [
		heading(scene, `HOLDERS ${grouped(entry.holders_count, signs.unknown)}`, width, 'share of supply'),
		...inColumns(cells, width, 31),
	];
}

/** Capital, supply, extremes and dates. */
export function market(scene: Scene, entry: Entry, width: number): Row[] {
	const {subscripts} = scene.signs;
	return [
		heading(scene, 'MARKET', width),
		...pairs(scene, width, [
			['market cap', usd(entry.market_cap)],
			['diluted', usd(entry.market_cap_diluted)],
			['liquidity', usd(entry.liquidity)],
			['fees paid', usd(entry.total_fees_paid_usd)],
			['supply', compact(entry.total_supply)],
			['score 1h', compact(entry.trending_score_1h)],
			['highest', price(entry.ath, {subscripts})],
			['lowest', price(entry.atl, {subscripts})],
			['created', dateTime(entry.created_at)],
			['bonded', dateTime(entry.bonded_at)],
			['last trade', dateTime(entry.latest_trade_date)],
			['pool type', entry.type ?? scene.signs.unknown],
		]),
	];
}
