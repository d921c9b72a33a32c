import {chainWord} from '../../chains/chain-words.ts';
import type {Entry} from '../../contract/entry.ts';
import type {FieldName} from '../../contract/fields.ts';
import {type RiskThresholds, worstRisk} from '../../monitor/tokens/risk.ts';
import {age, averageMark, change, compact, progress} from '../../ui/format.ts';
import {glyphsFor} from '../../ui/glyphs.ts';
import {riskWord} from '../../ui/risk-word.ts';
import type {TableColumn} from '../output/table.ts';

/** A token in the view that it came in. */
export interface FeedRow {
	readonly view: string;
	readonly entry: Entry;
}

/**
 * The columns of the printed feed.
 * @param nowMs the service's time, Unix ms: ages count from it
 */
export function feedColumns(
	nowMs: number,
	{ascii, thresholds}: {readonly ascii: boolean; readonly thresholds: RiskThresholds},
): readonly TableColumn<FeedRow>[] {
	const {unknown, dot} = glyphsFor(ascii);
	const figure = (title: string, cell: (entry: Entry) => string): TableColumn<FeedRow> => ({
		title,
		align: 'right',
		cell: row => cell(row.entry),
	});
	return [
		{title: 'VIEW', cell: ({view}) => view},
		{title: 'SYMBOL', cell: ({entry}) => entry.symbol ?? unknown, most: 20, shrinksTo: 6},
		{title: 'NAME', cell: ({entry}) => entry.name ?? unknown, most: 20, shrinksTo: 6},
		{title: 'CHAIN', cell: ({entry}) => chainWord(entry.chain_id)},
		figure('AGE', ({created_at}) => age(created_at === undefined ? undefined : nowMs - created_at, unknown)),
		figure('BONDED', ({bonded_at}) => age(bonded_at === undefined ? undefined : nowMs - bonded_at, unknown)),
		figure('MCAP', entry => averageMark(entry) + compact(entry.market_cap, unknown)),
		figure('CHG 1h', ({price_change_1h}) => change(price_change_1h, unknown)),
		figure('VOL 1h', ({volume_1h}) => compact(volume_1h, unknown)),
		figure('LIQ', ({liquidity}) => compact(liquidity, unknown)),
		figure('HOLD', ({holders_count}) => compact(holders_count, unknown)),
		figure('B/S 1h', ({buys_1h, sells_1h}) => `${compact(buys_1h, unknown)}/${compact(sells_1h, unknown)}`),
		figure('CURVE', ({bonding_percentage}) => progress(bonding_percentage, unknown)),
		{title: 'RISK', cell: ({entry}) => riskWord(worstRisk(entry, thresholds), dot)},
		{title: 'SOURCE', cell: ({entry}) => entry.source ?? entry.type ?? unknown, shrinksTo: 4},
		{title: 'ADDRESS', cell: ({entry}) => entry.address, shrinksTo: 8},
	];
}

/** The fields of a token in a line of comma separated values, after its view. Their order is part of the format. */
const CSV_FIELDS = [
	'chain_id',
	'address',
	'symbol',
	'name',
	'source',
	'created_at',
	'latest_price',
	'market_cap',
	'liquidity',
	'holders_count',
	'bonding_percentage',
	'volume_5min',
	'volume_1h',
	'volume_24h',
	'buys_1h',
	'sells_1h',
	'price_change_5min',
	'price_change_1h',
	'price_change_24h',
	'dev_holdings_percentage',
	'top_10_holdings_percentage',
	'snipers_holdings_percentage',
	'insiders_holdings_percentage',
	'bundlers_holdings_percentage',
] as const satisfies readonly FieldName[];

/** The fields as the `csv` of `printList`. */
export const ENTRY_CSV = Object.fromEntries(CSV_FIELDS.map(name => [name, (entry: Entry) => entry[name]]));
