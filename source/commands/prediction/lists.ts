import type {Client} from '../../client/client.ts';
import type {InputOf, OutputOf} from '../../contract/endpoints.ts';
import {centsOf} from '../../ui/features/prediction/prediction-price.ts';
import {timeOf} from '../../ui/features/prediction/prediction-state.ts';
import {dateTime, usd} from '../../ui/format.ts';
import {serviceConfig} from '../followed.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {screenWidth} from '../output.ts';
import {type PrintedList, printList} from '../print-list.ts';
import {type TableColumn, tableText} from '../table.ts';
import {withClient} from '../with-client.ts';
import {type ListedDocument, leader, listedDocument} from './documents.ts';

type Response = OutputOf<'marketSearch'>;
type Filters = InputOf<'marketSearch'>['query'];

/** `pulsetop market list`: prints all markets. @returns the exit code */
export function marketList(call: Call): Promise<number> {
	return listing(call, client => client.call('marketSearch', {query: filtersOf(call.flags)}));
}

/** `pulsetop market search WORDS...`: prints the markets that match. @returns the exit code @throws UsageError without a word */
export function marketSearch(call: Call): Promise<number> {
	const query = call.operands.join(' ').trim();
	if (query === '') throw new UsageError('No word is given', 'Write what to search for after the command.');
	return listing(call, client => client.call('marketSearch', {query: {...filtersOf(call.flags), query}}));
}

/** `pulsetop market trending`: prints the trending markets. @returns the exit code */
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

/** The command line has checked the values already. */
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

async function listing({flags, readConfig}: Call, request: (client: Client) => Promise<Response>): Promise<number> {
	const config = await readConfig();
	const {offset} = pageOf(flags);
	const {data} = await withClient(serviceConfig(config), request, {history: 'on-demand'});
	const markets = data.map(listedDocument);
	const {ascii} = config.ui;
	await printList(flags, {
		items: markets,
		table: () =>
			markets.length === 0 ? 'No market matches.\n' : tableText(columns(ascii), markets, {width: screenWidth(), ascii}),
		document: {schema: 'pulsetop.market-list/1', offset, markets},
		csv: CSV,
	});
	return 0;
}

function columns(ascii: boolean): readonly TableColumn<ListedDocument>[] {
	const unknown = ascii ? '-' : '–';
	return [
		{title: 'QUESTION', cell: ({question}) => question ?? unknown, shrinksTo: 16},
		{title: 'STATUS', cell: ({status}) => status ?? unknown},
		{title: 'LEADER', cell: ({outcomes}) => leader(outcomes)?.label ?? unknown, shrinksTo: 6},
		{title: 'PRICE', align: 'right', cell: ({outcomes}) => centsOf(leader(outcomes)?.price, {unknown, ascii})},
		{title: 'VOL 24h', align: 'right', cell: ({volume24hUSD}) => usd(volume24hUSD, unknown)},
		{title: 'LIQ', align: 'right', cell: ({liquidityUSD}) => usd(liquidityUSD, unknown)},
		{title: 'ENDS', cell: ({endDate}) => dateTime(timeOf(endDate), unknown)},
		{title: 'CATEGORY', cell: ({category}) => category ?? unknown, shrinksTo: 6},
		{title: 'ID', cell: ({id}) => id},
	];
}

const CSV: PrintedList<ListedDocument>['csv'] = {
	id: ({id}) => id,
	question: ({question}) => question,
	status: ({status}) => status,
	category: ({category}) => category,
	leading_outcome: ({outcomes}) => leader(outcomes)?.label,
	leading_price_usd: ({outcomes}) => leader(outcomes)?.price,
	volume_24h_usd: ({volume24hUSD}) => volume24hUSD,
	total_volume_usd: ({totalVolumeUSD}) => totalVolumeUSD,
	liquidity_usd: ({liquidityUSD}) => liquidityUSD,
	trades: ({tradesCount}) => tradesCount,
	end_date: ({endDate}) => endDate,
};
