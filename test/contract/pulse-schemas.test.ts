import {afterAll, beforeAll, expect, test} from 'vitest';
import {entrySchema} from '../../source/contract/entry-schema.ts';
import type {Frame} from '../service/helpers/stream-client.ts';
import {publishedAsset, publishedPool} from './published-entries.ts';
import {type Entry, openTarget, type Target, until} from './target.ts';

/* Every row that a service has, in both modes, against the schema that /openapi.json serves and the published one (spec 2.1). */

const PAGE = 100;

let target: Target;

beforeAll(async () => {
	target = await openTarget();
	await until(
		() => target.count({}),
		count => count > target.tokens,
	);
});
afterAll(() => target.close());

const MODELS = [{model: 'new'}, {model: 'bonding'}, {model: 'bonded'}] as const;
/** Keeps every token, or every pool. */
const ALL = {sortBy: 'market_cap'} as const;

/** All rows of a view, page by page. */
async function allRows(view: Record<string, unknown>, body: Record<string, unknown>): Promise<Entry[]> {
	const rows: Entry[] = [];
	for (;;) {
		const page = await target.view({...view, limit: PAGE, offset: rows.length}, body);
		rows.push(...page);
		if (page.length < PAGE) return rows;
	}
}

const describeRow = (entry: Entry) => `${entry['address'] ?? entry['pair']?.token0?.address}`;

const MODES = [
	{mode: 'asset', body: {assetMode: true, excludeLPTokens: false}},
	{mode: 'pool', body: {assetMode: false, excludeDuplicates: false}},
] as const;

/** What the schemas refuse in these entries, by place. */
function misfits(mode: 'asset' | 'pool', entries: readonly Entry[]): Record<string, string> {
	const schemas = {
		published: mode === 'asset' ? publishedAsset(target.knows) : publishedPool(target.knows),
		served: entrySchema(mode).strict(),
	};
	const wrong: Record<string, string> = {};
	for (const [which, schema] of Object.entries(schemas)) {
		for (const entry of entries) {
			for (const {path, message} of schema.safeParse(entry).error?.issues ?? [])
				wrong[`${which} ${path.join('.')}`] = `${message} (${describeRow(entry)})`;
		}
	}
	return wrong;
}

test.for(MODES)('every row of every view is what the schemas of $mode mode say', async ({mode, body}) => {
	const all = await allRows(ALL, body);
	expect(all.length).toBeGreaterThan(target.tokens);
	for (const view of MODELS) {
		const rows = await target.view({...view, limit: PAGE}, body);
		expect(rows.length, JSON.stringify(view)).toBeGreaterThan(0);
		all.push(...rows);
	}
	expect(misfits(mode, all)).toEqual({});
});

test('both sides of a pool agree with themselves: price within its extremes, reserves raw and in whole units', async () => {
	const pools = await target.view({sortBy: 'volume_24h', limit: PAGE}, {assetMode: false});
	expect(pools.length).toBeGreaterThan(0);
	const knowsAll = target.knows === 'everything';
	let compared = 0;
	for (const {pair} of pools) {
		for (const side of [0, 1]) {
			const token = pair[`token${side}`];
			if ((token.price !== undefined && `athToken${side}` in pair) || knowsAll) {
				expect(token.price).toBeLessThanOrEqual(pair[`athToken${side}`]);
				expect(token.price).toBeGreaterThanOrEqual(pair[`atlToken${side}`]);
				compared++;
			}
			if (token.approximateReserveToken === undefined && !knowsAll) continue;
			const reserve = Number(token.approximateReserveTokenRaw) / 10 ** token.decimals;
			expect(Math.abs(reserve - token.approximateReserveToken)).toBeLessThanOrEqual(1e-6 * Math.max(1, reserve));
		}
	}
	expect(compared).toBeGreaterThanOrEqual(pools.length / 2);
});

test.for(MODES)('a token that is named comes with its holders, in $mode mode', async ({mode, body}) => {
	const rows = await target.view({sortBy: 'holders_count', limit: 20}, body);
	const addresses = rows.map(row => row['address'] ?? row['pair'].token0.address);
	const named = mode === 'asset' ? {includeTokens: addresses, limit: 1} : {assets: addresses};
	expect(misfits(mode, await target.view(named, body))).toEqual({});
});

test.for(MODES)('every entry of the stream is what the schemas of $mode mode say', async ({mode, body}) => {
	const client = await target.stream();
	const views = [
		{name: 'v', sortBy: 'latest_trade_date', limit: 100},
		{name: 'b', model: 'bonding', limit: 100},
	];
	client.send({type: 'pulse-v2', authorization: target.key, payload: {...body, views, subscriptionId: 's'}});
	const entriesOf = ({payload, type}: Frame): Entry[] =>
		type === 'init' || type === 'sync'
			? Object.values<{data: Entry[]}>(payload).flatMap(({data}) => data)
			: [payload?.token ?? payload?.pool].filter(entry => entry !== undefined);
	const seen = () => client.frames.flatMap(entriesOf);
	await until(
		async () => seen().length,
		count => count > 1.5 * target.tokens,
	);
	expect(seen().length).toBeGreaterThan(Math.min(300, target.tokens));
	expect(misfits(mode, seen())).toEqual({});
});
