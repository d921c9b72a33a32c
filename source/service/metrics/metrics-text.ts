import {coverageNow} from '../coverage-now.ts';
import {inTime} from '../in-time.ts';
import type {ServiceContext} from '../service-context.ts';
import type {Database} from '../store/database.ts';
import type {StreamFigures} from './metrics.ts';
import {MetricsPage, writeProcess} from './metrics-page.ts';
import {DURATION_BOUNDS_S, type RequestCounts} from './request-counts.ts';

/** Sources of the metrics. */
export interface MetricsSources {
	readonly context: ServiceContext;
	readonly requests: RequestCounts;
	readonly streams: StreamFigures;
}

/** Statuses with work left for the service. */
const OPEN_INTENTS = `SELECT status AS name, count(*) AS n FROM bridge_intents
	WHERE status IN ('pending', 'deposited', 'filling', 'retrying', 'filled') GROUP BY status`;
const DATABASE_MS = 2000;

/** All metrics in Prometheus' text format. An unknown value is left out, as the format requires. */
export async function metricsText({context, requests, streams}: MetricsSources): Promise<string> {
	const page = new MetricsPage();
	writeProcess(page);
	writeStreams(page, streams);
	writeRequests(page, requests);
	writeMarket(page, context);
	await writeReplica(page, context);
	return page.text();
}

function writeStreams(page: MetricsPage, {sockets, subscriptions, views}: StreamFigures): void {
	page.family('pulsetop_sockets', 'gauge', 'Open sockets.').add(sockets);
	page.family('pulsetop_subscriptions', 'gauge', 'Subscriptions to views on them.').add(subscriptions);
	page
		.family('pulsetop_views', 'gauge', 'Different views that are kept up to date, those of other replicas too.')
		.add(views);
}

function writeRequests(page: MetricsPage, requests: RequestCounts): void {
	const family = page.family('pulsetop_request_seconds', 'histogram', 'Answers over HTTP and how long they took.');
	for (const {method, route, status, count, seconds, within} of requests.all()) {
		const labels = {method, route, status};
		for (const [n, bound] of DURATION_BOUNDS_S.entries()) family.add(within[n]!, {...labels, le: bound}, '_bucket');
		family.add(count, {...labels, le: '+Inf'}, '_bucket');
		family.add(seconds, labels, '_sum');
		family.add(count, labels, '_count');
	}
}

function writeMarket(page: MetricsPage, {market}: ServiceContext): void {
	page.family('pulsetop_market_rows', 'gauge', 'Pools that are known.').add(market.table.length);
	const chains = coverageNow(market) ?? [];
	const lag = page.family('pulsetop_chain_lag_seconds', 'gauge', 'Age of the newest block whose events are known.');
	const head = page.family('pulsetop_chain_head_block', 'gauge', 'Newest block of the node.');
	const gaps = page.family('pulsetop_chain_gaps', 'gauge', 'Times of the chain that could not be read.');
	const reorgs = page.family(
		'pulsetop_chain_reorgs_total',
		'counter',
		'Reorganisations since the start of the reader.',
	);
	for (const {chainId: chain, lagMs, head: block, gapCount, reorgs: taken} of chains) {
		lag.add(lagMs === null ? undefined : lagMs / 1000, {chain});
		head.add(block ?? undefined, {chain});
		gaps.add(gapCount, {chain});
		reorgs.add(taken, {chain});
	}
}

async function writeReplica(page: MetricsPage, {replica, replicaNumbers}: ServiceContext): Promise<void> {
	if (replica === undefined || replicaNumbers === undefined) return;
	const {database} = replica;
	const [numbers, answer, counts] = await Promise.all([
		replicaNumbers(),
		inTime(database.all('SELECT 1'), DATABASE_MS),
		inTime(countRows(database), DATABASE_MS),
	]);
	page.family('pulsetop_database_up', 'gauge', '1 while the database answers.').add(answer === undefined ? 0 : 1);
	page
		.family('pulsetop_ready', 'gauge', '1 while the market is within two seconds of the log.')
		.add(numbers.isReady ? 1 : 0);
	page.family('pulsetop_log_applied_seq', 'gauge', 'Newest entry of the log in the market.').add(numbers.appliedSeq);
	page.family('pulsetop_log_head_seq', 'gauge', 'Newest entry of the log.').add(numbers.headSeq);
	page
		.family(
			'pulsetop_log_lag_seconds',
			'gauge',
			'Time between the newest entry in the market and the newest of the log.',
		)
		.add(numbers.lagMs === undefined ? undefined : numbers.lagMs / 1000);
	page
		.family(
			'pulsetop_log_stale_seconds',
			'gauge',
			'Age of the market: nothing new comes, or it lags the log. 0 below two seconds.',
		)
		.add((numbers.staleMs ?? 0) / 1000);
	const leads = page.family('pulsetop_leads', 'gauge', '1 for each stream of the log that this replica leads.');
	for (const stream of numbers.leading) leads.add(1, {stream});
	if (counts === undefined) return;
	const intents = page.family('pulsetop_open_intents', 'gauge', 'Transfers with work left, of all replicas.');
	for (const [status, n] of counts.intents) intents.add(n, {status});
	page.family('pulsetop_webhook_queue', 'gauge', 'Webhook deliveries that wait, of all replicas.').add(counts.queued);
	page.family('pulsetop_webhook_dead_letters', 'gauge', 'Deliveries that were given up.').add(counts.dead);
}

/** Rows of work in the database. @throws StoreFailed */
async function countRows(database: Database): Promise<{
	readonly intents: readonly (readonly [string, number])[];
	readonly queued: number;
	readonly dead: number;
}> {
	const one = async (table: string): Promise<number> =>
		Number((await database.get(`SELECT count(*) AS n FROM ${table}`))?.['n']);
	const [rows, queued, dead] = await Promise.all([
		database.all(OPEN_INTENTS),
		one('webhook_deliveries'),
		one('webhook_dead_letters'),
	]);
	return {intents: rows.map(row => [String(row['name']), Number(row['n'])] as const), queued, dead};
}
