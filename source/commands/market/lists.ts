import type {Client} from '../../client/client.ts';
import type {InputOf, OutputOf} from '../../contract/endpoints.ts';
import {timeOf} from '../../monitor/boards/markets-state.ts';
import {dateTime, usd} from '../../ui/format.ts';
import {centsOf} from '../../ui/markets/market-words.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {formatOf, jsonText, print, screenWidth} from '../output.ts';
import {csvText, type TableColumn, tableText} from '../table.ts';
import {withClient} from '../with-client.ts';
import {type ListedDocument, leader, listedDocument} from './documents.ts';

type Answer = OutputOf<'marketSearch'>;
type Filters = InputOf<'marketSearch'>['query'];

/** `pulsetop market list`: all markets. */
export function marketList(call: Call): Promise<number> {
	return listing(call, client => client.call('marketSearch', {query: filtersOf(call.flags)}));
}

/** `pulsetop market search WORDS...`. @throws UsageError without a word */
export function marketSearch(call: Call): Promise<number> {
	const query = call.operands.join(' ').trim();
	if (query === '') throw new UsageError('No word is given', 'Write what to search for after the command.');
	return listing(call, client => client.call('marketSearch', {query: {...filtersOf(call.flags), query}}));
}

/** `pulsetop market trending`. */
export function marketTrending(call: Call): Promise<number> {
	const {flags} = call;
	const period = flags.text('period') as InputOf<'marketTrending'>['query']['period'];
	const rankBy = flags.text('rank-by') as InputOf<'marketTrending'>['query']['rankBy'];
	return listing(call, client =>
		client.call('marketTrending', {
			query: {...pageOf(flags), ...(period !== undefined && {period}), ...(rankBy !== undefined && {rankBy})},
		}),
	);
}

/** The command line has checked the words already. */
function filtersOf(flags: Flags): Filters {
	const [category, platform] = [flags.text('category'), flags.text('platform')];
	const status = flags.text('status') as Filters['status'];
	const sortBy = flags.text('sort') as Filters['sortBy'];
	return {
		...pageOf(flags),
		...(category !== undefined && {category}),
		...(platform !== undefined && {platform}),
		...(status !== undefined && {status}),
		...(sortBy !== undefined && {sortBy}),
	};
}

function pageOf(flags: Flags): {limit: number; offset: number} {
	return {
		limit: flags.wholeNumber('limit', {from: 1, to: 100}) ?? 20,
		offset: flags.wholeNumber('offset', {from: 0, to: 1_000_000}) ?? 0,
	};
}

async function listing({flags, readConfig}: Call, ask: (client: Client) => Promise<Answer>): Promise<number> {
	const config = await readConfig();
	const {offset} = pageOf(flags);
	const {data} = await withClient(config, ask);
	const markets = data.map(listedDocument);
	const {ascii} = config.ui;
	switch (formatOf(flags)) {
		case 'table':
			await print(
				markets.length === 0 ? 'No market fits.\n' : tableText(columns(ascii), markets, {width: screenWidth(), ascii}),
			);
			break;
		case 'json':
			await print(jsonText({schema: 'pulsetop.market-list/1', offset, markets}));
			break;
		case 'jsonl':
			await print(markets.map(market => `${JSON.stringify(market)}\n`).join(''));
			break;
		case 'csv':
			await print(csvText(CSV_NAMES, markets.map(csvRow)));
	}
	return 0;
}

function columns(ascii: boolean): readonly TableColumn<ListedDocument>[] {
	const unknown = ascii ? '-' : '–';
	return [
		{title: 'QUESTION', cell: ({question}) => question ?? unknown, shrinksTo: 16},
		{title: 'STATUS', cell: ({status}) => status ?? unknown},
		{title: 'LEADS', cell: ({outcomes}) => leader(outcomes)?.label ?? unknown, shrinksTo: 6},
		{title: 'PRICE', align: 'right', cell: ({outcomes}) => centsOf(leader(outcomes)?.price, {unknown, ascii})},
		{title: 'VOL 24h', align: 'right', cell: ({volume24hUSD}) => usd(volume24hUSD, unknown)},
		{title: 'LIQ', align: 'right', cell: ({liquidityUSD}) => usd(liquidityUSD, unknown)},
		{title: 'ENDS', cell: ({endDate}) => dateTime(timeOf(endDate), unknown)},
		{title: 'CATEGORY', cell: ({category}) => category ?? unknown, shrinksTo: 6},
		{title: 'ID', cell: ({id}) => id},
	];
}

const CSV_NAMES = [
	'id',
	'question',
	'status',
	'category',
	'leading_outcome',
	'leading_price_usd',
	'volume_24h_usd',
	'total_volume_usd',
	'liquidity_usd',
	'trades',
	'end_date',
];

function csvRow({outcomes, ...market}: ListedDocument): readonly unknown[] {
	const {id, question, status, category, volume24hUSD, totalVolumeUSD, liquidityUSD, tradesCount, endDate} = market;
	const leads = leader(outcomes);
	return [
		...[id, question, status, category, leads?.label, leads?.price],
		...[volume24hUSD, totalVolumeUSD, liquidityUSD, tradesCount, endDate],
	];
}
