import {chainName} from '../../chains/chains.ts';
import type {Config} from '../../config/config.ts';
import type {Journal} from '../../trading/journal.ts';
import {openTradingFiles} from '../../trading/open-trading.ts';
import {feedPrices} from '../../trading/positions/feed-prices.ts';
import {openPositions, type PositionSource, readHoldings} from '../../trading/positions/open-positions.ts';
import {settledTrades} from '../../trading/positions/settled.ts';
import {type TradeUnderWay, tradesUnderWay} from '../../trading/positions/under-way.ts';
import {listPracticeChains} from '../../trading/practice-funds.ts';
import {age, change, compact, dateTime, price as priceText, usd} from '../../ui/format.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {screenWidth} from '../output/output.ts';
import {membersCsv, printList} from '../output/print-list.ts';
import {type TableColumn, tableText} from '../output/table.ts';
import {moneyModeOf} from '../service/money-mode.ts';
import {type TradingContext, withTrading} from '../trading/context.ts';
import {positionDocument, sumsDocument, tradeDocuments, underWayDocument} from './position-documents.ts';

/**
 * `pulsetop positions`: prints the tokens that were bought: amounts from the chains, costs from the journal, prices from the
 * feed. With `--history` every trade. It only reads, and needs no key.
 * @returns the exit code
 * @throws JournalBroken, PracticeUnproven, the errors of the client
 */
export async function positions({flags, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const mode = await moneyModeOf(config);
	const {journal} = openTradingFiles({dataDir: config.dataDir, mode});
	const isEmpty = !hasTrades(journal);
	const print = flags.has('history') ? printHistory : printPositions;
	// Without a trade no service is needed.
	if (isEmpty) await print({config, flags, mode});
	else {
		const printRead = async (context: TradingContext): Promise<void> => {
			await context.trading.recheckEnds();
			await print({config, flags, mode, context});
		};
		await withTrading(config, printRead, {history: 'first'});
	}
	return 0;
}

function hasTrades(journal: Journal): boolean {
	const records = journal.records();
	return settledTrades(records).length > 0 || tradesUnderWay(records).length > 0;
}

interface Print {
	readonly config: Config;
	readonly flags: Flags;
	readonly mode: 'practice' | 'real';
	/** Undefined without a trade. */
	readonly context?: TradingContext;
}

function sourceOf({trading, practice}: TradingContext): PositionSource {
	return {
		journal: trading.journal,
		chains: trading.chains,
		nowMs: Date.now,
		...(practice && {practice: () => listPracticeChains(practice)}),
	};
}

async function printPositions({config, flags, mode, context}: Print): Promise<void> {
	const {positions: all, underWay} = context
		? await openPositions(
				sourceOf(context),
				feedPrices(context.client, () => context.client.clock.nowMs()),
			)
		: {positions: [], underWay: []};
	const documents = all.map(positionDocument);
	const sums = sumsDocument(all);
	await printList(flags, {
		items: documents,
		table: () => positionsText(documents, {sums, underWay, ascii: config.ui.ascii, mode}),
		document: {
			schema: 'pulsetop.positions/1',
			mode,
			positions: documents,
			sums,
			underWay: underWay.map(underWayDocument),
		},
		csv: membersCsv<PositionDocument>(
			'wallet',
			'chainId',
			'token',
			'symbol',
			'amount',
			'averageUSD',
			'priceUSD',
			'costUSD',
			'valueUSD',
			'openUSD',
			'realisedUSD',
			'feesUSD',
			'sinceMs',
		),
	});
}

type PositionDocument = ReturnType<typeof positionDocument>;

/** The positions that are held, what is unusual about them, the sums, and the work under way. */
function positionsText(
	documents: readonly PositionDocument[],
	{
		sums,
		underWay,
		ascii,
		mode,
	}: {
		sums: ReturnType<typeof sumsDocument>;
		underWay: readonly TradeUnderWay[];
		ascii: boolean;
		mode: Print['mode'];
	},
): string {
	const held = documents.filter(({isHeld}) => isHeld);
	const unknown = ascii ? '-' : '–';
	const table =
		held.length === 0
			? `No token is held in ${mode} mode.\n`
			: tableText(positionColumns(unknown, ascii), held, {width: screenWidth(), ascii});
	const notes = held.flatMap(({symbol, notes: words}) => words.map(text => `${symbol}: ${text}\n`));
	const realised = `realised ${signedUsd(sums.realisedUSD)}, fees ${usd(Number(sums.feesUSD))}`;
	const open = `value ${usd(Number(sums.valueUSD))}, open ${signedUsd(sums.openUSD)}, `;
	const rest = sums.withoutValue === 0 ? '' : `, ${sums.withoutValue} without a value`;
	const total = documents.length === 0 ? '' : `${held.length === 0 ? '' : open}${realised}${rest}\n`;
	const moving = underWay.map(
		({side, symbol, chainId, state, intentId}) =>
			`${side} of ${symbol} on ${chainName(chainId)}: ${state === 'moving' ? 'under way' : 'filled, says the service; not seen on the chain'} (${intentId})\n`,
	);
	return [table, ...notes, total, ...moving].join('');
}

function signedUsd(text: string): string {
	const value = Number(text);
	return value < 0 ? `-${usd(-value)}` : `+${usd(value)}`;
}

function positionColumns(unknown: string, ascii: boolean): readonly TableColumn<PositionDocument>[] {
	const money = (value: number | undefined) => priceText(value, {unknown, ...(ascii && {subscripts: ''})});
	return [
		{title: 'TOKEN', cell: ({symbol}) => symbol, most: 16, shrinksTo: 6},
		{title: 'CHAIN', cell: ({chainId}) => chainName(chainId), shrinksTo: 5},
		{title: 'AMOUNT', align: 'right', cell: ({amount}) => (amount === undefined ? unknown : compact(Number(amount)))},
		{title: 'AVERAGE', align: 'right', cell: ({averageUSD}) => money(averageUSD)},
		{title: 'NOW', align: 'right', cell: ({priceUSD}) => money(priceUSD)},
		{
			title: 'VALUE',
			align: 'right',
			cell: ({valueUSD}) => usd(valueUSD === undefined ? undefined : Number(valueUSD), unknown),
		},
		{title: 'OPEN', align: 'right', cell: ({openPercent}) => change(openPercent, unknown)},
		{title: 'REALISED', align: 'right', cell: ({realisedUSD}) => signedUsd(realisedUSD)},
		{
			title: 'HELD FOR',
			align: 'right',
			cell: ({sinceMs}) => age(sinceMs === undefined ? undefined : Date.now() - sinceMs, unknown),
		},
		{title: 'ADDRESS', cell: ({token}) => token, shrinksTo: 8},
	];
}

async function printHistory({config, flags, mode, context}: Print): Promise<void> {
	const holdings = context ? (await readHoldings(sourceOf(context))).holdings : [];
	const trades = tradeDocuments(holdings);
	await printList(flags, {
		items: trades,
		table: () =>
			trades.length === 0
				? `No trade was made in ${mode} mode.\n`
				: tableText(TRADE_COLUMNS, trades, {width: screenWidth(), ascii: config.ui.ascii}),
		document: {schema: 'pulsetop.trades/1', mode, trades},
		csv: membersCsv<TradeDocument>(
			'atMs',
			'side',
			'end',
			'wallet',
			'chainId',
			'token',
			'symbol',
			'amount',
			'usd',
			'feesUSD',
			'realisedUSD',
			'intentId',
			'txHash',
		),
	});
}

type TradeDocument = ReturnType<typeof tradeDocuments>[number];

const TRADE_COLUMNS: readonly TableColumn<TradeDocument>[] = [
	{title: 'AT', cell: ({atMs}) => dateTime(atMs, '-')},
	{title: 'TRADE', cell: ({side, end}) => (end === 'returned' ? `${side}, dollars came back` : side)},
	{title: 'AMOUNT', align: 'right', cell: ({amount}) => amount},
	{title: 'TOKEN', cell: ({symbol}) => symbol, most: 16, shrinksTo: 6},
	{title: 'CHAIN', cell: ({chainId}) => chainName(chainId), shrinksTo: 5},
	{title: 'USD', align: 'right', cell: ({usd: dollars}) => dollars},
	{title: 'FEES', align: 'right', cell: ({feesUSD = '-'}) => feesUSD},
	{title: 'REALISED', align: 'right', cell: ({realisedUSD = '-'}) => realisedUSD},
	{title: 'INTENT', cell: ({intentId}) => intentId, shrinksTo: 8},
];
