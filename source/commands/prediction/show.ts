import type {Client} from '../../client/client.ts';
import {type Market, PREDICTION} from '../../contract/prediction.ts';
import {SIMULATED_MARKETS} from '../../contract/simulated-markets.ts';
import {centsOf} from '../../ui/features/prediction/prediction-price.ts';
import {
	isPredictionKey,
	predictionKey,
	predictionNameOf,
	timeOf,
} from '../../ui/features/prediction/prediction-state.ts';
import {change, dateTime, grouped, usd} from '../../ui/format.ts';
import type {Call} from '../line/command.ts';
import {addressesOf} from '../line/operands.ts';
import {UsageError} from '../line/usage-error.ts';
import {screenWidth} from '../output/output.ts';
import {type PrintedList, printList} from '../output/print-list.ts';
import {type TableColumn, tableText} from '../output/table.ts';
import {followOf, serviceConfig} from '../service/followed.ts';
import {withClient} from '../service/with-client.ts';
import {factsText} from '../trading/output.ts';

const MAX_IDS = 500;

/**
 * `pulsetop market show [ID...]`: prints the details of markets, requested in batches of 50 (spec 4.11); without an id those
 * of the embedded service.
 * @returns 0; 1 when the response lacks one of them (the others are printed)
 * @throws UsageError for an invalid id, and without one for another service
 */
export async function marketShow({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const ids =
		operands.length === 0 && config.service.baseUrl === undefined && followOf(config) === undefined
			? SIMULATED_MARKETS
			: await addressesOf(operands, {most: MAX_IDS, what: 'market', many: 'markets'});
	const invalid = ids.find(id => !isPredictionKey(id));
	if (invalid !== undefined)
		throw new UsageError(`"${invalid.slice(0, 60)}" is not the id of a market`, 'An id is PLATFORM:MARKET.');
	const markets = await withClient(serviceConfig(config), client => readMarkets(client, ids), {history: 'on-demand'});
	const missing = ids.filter(id => !markets.some(market => market.id === id));
	const {ascii} = config.ui;
	await printList(flags, {
		items: markets,
		table: () => markets.map(market => marketText(market, ascii)).join('\n'),
		document: {schema: 'pulsetop.market-show/1', markets, missing},
		csv: CSV,
		linesOf: market => market.outcomes.map(outcome => ({market, outcome})),
	});
	if (missing.length > 0) process.stderr.write(`The response has no readable record of ${missing.join(', ')}.\n`);
	return missing.length > 0 ? 1 : 0;
}

/** In the order of `ids`, without unknown ones. */
async function readMarkets(client: Client, ids: readonly string[]): Promise<readonly MarketDocument[]> {
	const found = new Map<string, MarketDocument>();
	for (let at = 0; at < ids.length; at += PREDICTION.batchItems) {
		const items = ids.slice(at, at + PREDICTION.batchItems).map(predictionNameOf);
		const {payload} = await client.call('marketsBatch', {body: {items}});
		for (const market of payload) found.set(predictionKey(market), marketDocument(market));
	}
	return ids.flatMap(id => found.get(id) ?? []);
}

/** A market for JSON: a value that the service does not report is absent, which is not 0. */
function marketDocument({outcomes, stats, metadata, reference, tags, ...market}: Market) {
	const {priceToBeat, ...measured} = reference ?? {};
	return {
		...known(market),
		...(tags !== undefined && {tags}),
		outcomes: outcomes.map(outcome => known(outcome)),
		stats: known(stats),
		...(metadata && {metadata: known(metadata)}),
		...(reference && {reference: {...known(measured), ...(priceToBeat && {priceToBeat})}}),
	};
}
type MarketDocument = ReturnType<typeof marketDocument>;

/** The members that are neither null nor undefined. */
function known<T extends object>(value: T): {[Name in keyof T]?: NonNullable<T[Name]>} {
	return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined)) as {
		[Name in keyof T]?: NonNullable<T[Name]>;
	};
}

function marketText(market: MarketDocument, ascii: boolean): string {
	const {id, question, status, category, description, stats, metadata, outcomes, eventTitle} = market;
	const unknown = ascii ? '-' : '–';
	const facts = [
		['id', id],
		['status', status],
		['category', category],
		['event', eventTitle],
		['ends', timeOf(metadata?.endDate) === undefined ? undefined : dateTime(timeOf(metadata?.endDate))],
		['resolved', metadata?.resolved ? (metadata.resolvedOutcome ?? 'no outcome reported') : undefined],
		['volume', `${usd(stats.volume24hUSD, unknown)} in 24h, ${usd(stats.totalVolumeUSD, unknown)} total`],
		['liquidity', usd(stats.liquidityUSD, unknown)],
		['trades', `${grouped(stats.trades24h, unknown)} in 24h, ${grouped(stats.tradesCount, unknown)} total`],
		['rules', description],
		['page', metadata?.url],
	].flatMap(([label, text]) => (text === undefined ? [] : [{label: label!, text}]));
	const options = {width: screenWidth(), ascii};
	return `${question}\n${factsText(facts)}\n${tableText(outcomeColumns(unknown, ascii), outcomes, options)}`;
}

type Outcome = MarketDocument['outcomes'][number];

function outcomeColumns(unknown: string, ascii: boolean): readonly TableColumn<Outcome>[] {
	return [
		{title: 'OUTCOME', cell: ({label}) => label ?? unknown, shrinksTo: 8},
		{title: 'PRICE', align: 'right', cell: ({priceUSD}) => centsOf(priceUSD, {unknown, ascii})},
		{title: 'CHG 24h', align: 'right', cell: ({priceChange24hPercentage}) => change(priceChange24hPercentage, unknown)},
		{title: 'CHG 7d', align: 'right', cell: ({priceChange7dPercentage}) => change(priceChange7dPercentage, unknown)},
		{title: 'VOL 24h', align: 'right', cell: ({volume24hUSD}) => usd(volume24hUSD, unknown)},
		{title: 'OUTCOME ID', cell: ({outcomeId}) => outcomeId ?? unknown, shrinksTo: 10},
	];
}

/** A line for each outcome. */
interface OutcomeLine {
	readonly market: MarketDocument;
	readonly outcome: Outcome;
}

const CSV: PrintedList<MarketDocument, OutcomeLine>['csv'] = {
	id: ({market}) => market.id,
	question: ({market}) => market.question,
	status: ({market}) => market.status,
	outcome_id: ({outcome}) => outcome.outcomeId,
	outcome: ({outcome}) => outcome.label,
	price_usd: ({outcome}) => outcome.priceUSD,
	price_change_24h: ({outcome}) => outcome.priceChange24hPercentage,
	volume_24h_usd: ({outcome}) => outcome.volume24hUSD,
	total_volume_usd: ({outcome}) => outcome.totalVolumeUSD,
	holders: ({outcome}) => outcome.holdersCount,
};
