import {beforeEach, expect, onTestFinished, test} from 'vitest';
import {parsePulseBody} from '../../../source/contract/pulse-request.ts';
import {PulseEngine} from '../../../source/service/pulse/pulse-engine.ts';
import {type Database, StoreFailed} from '../../../source/service/store/database.ts';
import {LiveViews} from '../../../source/service/stream/live-views.ts';
import {readDefinition, signatureOf, writeDefinition} from '../../../source/service/stream/view-definition.ts';
import {ViewRegistry} from '../../../source/service/stream/view-registry.ts';
import {until} from '../../helpers/until.ts';
import {TinyLog} from '../helpers/tiny-log.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';
import {replicaDatabases} from '../replicas/replica-databases.ts';

const databases = replicaDatabases();
let database: Database;

beforeEach(async () => {
	database = await databases.open();
});

/** The views of a replica that are shared with others. */
async function replica() {
	const log = new TinyLog();
	const market = new TinyMarket({log});
	const views = new LiveViews(new PulseEngine(market), market.table, {log});
	const faults: string[] = [];
	const own = await databases.open();
	const away = {isAway: false, refused: 0};
	const unlessAway =
		<A extends unknown[], R>(act: (...given: A) => Promise<R>) =>
		async (...given: A): Promise<R> => {
			if (!away.isAway) return act(...given);
			away.refused++;
			throw new StoreFailed('it is away');
		};
	const reached: Database = {...own, run: unlessAway(own.run), all: unlessAway(own.all)};
	const registry = new ViewRegistry({market, fault: (_, why) => faults.push(String(why))}, reached, views, {
		turnMs: 20,
	});
	onTestFinished(() => registry.close());
	return {views, faults, registry, database: away};
}

const viewOf = (body: object) => parsePulseBody({assetMode: true, views: [{name: 'v', ...body}]}).views[0]!;
const signatures = (views: LiveViews) => [...views.list()].map(({signature}) => signature).sort();
const rows = () => database.all('SELECT * FROM stream_views ORDER BY signature');

test('each replica follows the views of all subscribers', async () => {
	const [first, second] = [await replica(), await replica()];
	first.views.acquire(viewOf({filters: {market_cap: {gt: 5000}}, sortBy: 'market_cap'}), 'asset');
	second.views.acquire(viewOf({includeTokens: ['0xAb'], limit: 3}), 'asset');
	second.views.acquire(parsePulseBody({assetMode: false, views: [{name: 'v'}]}).views[0]!, 'pool');
	await until(() => first.views.size === 3 && second.views.size === 3);
	expect(signatures(first.views)).toEqual(signatures(second.views));
	expect([...first.views.list()].filter(({used}) => used)).toHaveLength(1);
	expect([...first.faults, ...second.faults]).toEqual([]);
});

test('a row that is no view, or another one than it says, is left out and reported once', async () => {
	const good = {view: viewOf({limit: 9}), mode: 'asset'} as const;
	for (const [key, definition] of [
		['wrong-key', writeDefinition(good)],
		['no-json', '{"views": ['],
		['no-view', '{"views": [{"name": "v", "limit": 1e9}]}'],
		['deep', `{"views":[{"name":"v","filters":${'{"NOT":'.repeat(20_000)}{}${'}'.repeat(20_000)}}]}`],
		['list', '[1]'],
		['nothing', 'null'],
	]) {
		const at = `(${database.dialect.nowMs}) + 1000000`;
		await database.run(`INSERT INTO stream_views VALUES (?, ?, ${at})`, [key!, definition!]);
	}
	const [first, second] = [await replica(), await replica()];
	second.views.acquire(good.view, good.mode);
	await until(() => first.views.size === 1 && first.faults.length >= 6);
	second.views.acquire(viewOf({limit: 11}), 'asset');
	await until(() => first.views.size === 2);
	expect(first.faults).toHaveLength(6);
	expect(first.faults.join('\n')).toContain('another view than its signature says');
});

test('a view is followed for ten minutes after its last use, and forgotten a minute later', async () => {
	const first = await replica();
	const used = first.views.acquire(viewOf({limit: 4}), 'asset');
	await until(() => true);
	const second = await replica();
	await until(() => second.views.size === 1);
	used.release();
	const nowMs = performance.now();
	for (const {views} of [first, second]) views.step([], nowMs + 600_000);
	expect([first.views.size, second.views.size]).toEqual([1, 1]);
	await first.registry.close();
	await second.registry.close();
	for (const {views} of [first, second]) views.step([], performance.now() + 660_001);
	expect([first.views.size, second.views.size]).toEqual([0, 0]);
	await database.run('UPDATE stream_views SET used_at_ms = used_at_ms - 660001');
	const third = await replica();
	third.views.acquire(viewOf({limit: 5}), 'asset');
	await until(() => third.views.size === 1);
	await expect
		.poll(async () => (await rows()).map(row => JSON.parse(String(row['definition'])).views[0].limit))
		.toEqual([5]);
});

test('at most two hundred views of others are followed, and used ones keep their places', async () => {
	const [first, second] = [await replica(), await replica()];
	for (let n = 1; n <= 100; n++) first.views.acquire(viewOf({limit: n}), 'asset');
	await until(() => second.views.size === 100);
	const early = signatures(second.views);
	for (let n = 1; n <= 150; n++) first.views.acquire(viewOf({limit: 50, offset: n}), 'asset');
	await until(() => second.views.size === 200);
	await expect.poll(async () => (await rows()).length).toBe(250);
	second.views.step([], performance.now());
	expect(second.views.size).toBe(200);
	expect(signatures(second.views)).toEqual(expect.arrayContaining(early));
});

test('what subscribers use is shared as soon as the database is back', async () => {
	const [first, second] = [await replica(), await replica()];
	first.views.acquire(viewOf({limit: 1}), 'asset');
	await until(() => second.views.size === 1);
	first.database.isAway = true;
	first.views.acquire(viewOf({limit: 2}), 'asset');
	await until(() => first.database.refused > 2);
	first.database.isAway = false;
	await until(() => second.views.size === 2);
	expect(first.faults).toEqual([
		'the views of all replicas are not shared at the moment: The service could not use its store (it is away)',
	]);
});

test('what a request asks for is what other replicas read of it', () => {
	const bodies = [
		{assetMode: true},
		{assetMode: false, views: [{name: 'a', chainId: ['evm:56'], poolTypes: 'PumpFun', addressToExclude: ['0xA']}]},
		{
			assetMode: true,
			excludeLPTokens: false,
			filterQuotes: true,
			views: [{name: 'b', assetListed: false, min_socials: 2}],
		},
		{
			assetMode: true,
			views: [
				{
					name: 'c',
					model: 'bonding',
					offset: 30,
					sortBy: 'volume_1h',
					sortOrder: 'asc',
					token: '0xB',
					assets: ['So1'],
					includeTokens: ['0xC', 'So2'],
					filters: {
						OR: [{market_cap: {gte: 1, lt: 9e9}}, {includeKeywords: ['Ä', '"', '\u0000']}],
						created_at_offset: {lt: 60},
					},
				},
			],
		},
		{assetMode: false, excludeDuplicates: false, views: [{name: 'd', model: 'trending', baseTokenToExclude: ['0xD']}]},
	];
	for (const body of bodies) {
		const {views, assetMode} = parsePulseBody(body);
		for (const view of views) {
			const defined = {view, mode: assetMode ? ('asset' as const) : ('pool' as const)};
			expect(signatureOf(readDefinition(writeDefinition(defined)))).toBe(signatureOf(defined));
		}
	}
});
