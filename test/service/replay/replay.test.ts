import {afterEach, expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import {createClient} from '../../../source/client/create-client.ts';
import type {FeedEvent, ViewRequest} from '../../../source/client/feed/feed-events.ts';
import {recordFeed} from '../../../source/commands/recording/record-feed.ts';
import {createRecording} from '../../../source/commands/recording/recording-writer.ts';
import type {Entry} from '../../../source/contract/entry.ts';
import {explain} from '../../../source/errors.ts';
import type {Playback, ReplayOptions} from '../../../source/service/replay/player.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService, ServiceOptions} from '../../../source/service/service-options.ts';
import {publishedAsset} from '../../contract/published-entries.ts';
import {entryOf} from '../../helpers/entries.ts';
import {LAUNCHES, LAUNCHES_MS, readAll, recordingOf} from '../../helpers/recordings.ts';
import {ask} from '../helpers/http-client.ts';
import {TinyMarket, type TinyRow} from '../helpers/tiny-market.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const close of opened.splice(0).reverse()) await close();
});

async function open(options: ServiceOptions): Promise<{service: RunningService; client: Client}> {
	const service = await startService({flushMs: 20, ...options});
	const client = createClient({baseUrl: service.url, streamUrl: service.streamUrl, apiKey: service.apiKeys[0]});
	opened.push(service.close, client.close);
	return {service, client};
}

async function play(recording: ReplayOptions): Promise<{client: Client; reports: Playback[]}> {
	const reports: Playback[] = [];
	return {...(await open({recording, onPlayback: playback => reports.push(playback)})), reports};
}

/** What a client holds of a view, kept current by the stream. */
function watch(
	client: Client,
	view: ViewRequest,
): {readonly symbols: () => string[]; readonly entries: Map<string, Entry>} {
	const entries = new Map<string, Entry>();
	const onEvent = (event: FeedEvent): void => {
		if (event.type === 'snapshot') entries.clear();
		if (event.type === 'snapshot') for (const entry of event.entries) entries.set(entry.key, entry);
		if (event.type !== 'change') return;
		for (const entry of event.upserts) entries.set(entry.key, entry);
		for (const key of event.removed) entries.delete(key);
	};
	client.openFeed({request: {assetMode: true, views: {new: view}}, onEvent});
	return {symbols: () => [...entries.values()].map(({symbol}) => symbol ?? '').sort(), entries};
}

const until = async (holds: () => boolean): Promise<void> => {
	await expect.poll(holds, {interval: 10}).toBe(true);
};

function knownFields(entry: Entry): object {
	return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

test('what was recorded of a service is what a replay of it serves', async () => {
	const market = new TinyMarket();
	const launch = (i: number, figures: TinyRow = {}) =>
		market.add({
			address: `0x${String(i).padStart(40, '0')}`,
			chain_id: 'evm:8453',
			symbol: `T${i}`,
			source: 'pumpfun',
			bonded: false,
			created_at: market.time - i * 1000,
			market_cap: i,
			...figures,
		});
	launch(1);
	const row = launch(2);
	const {client} = await open({market});
	const seen = watch(client, {model: 'new'});
	const path = await recordingOf([]);
	const writer = await createRecording(path, {replaces: true});
	const ending = Promise.withResolvers<void>();
	const written: string[] = [];
	const write = (line: string): boolean => {
		written.push(line);
		return writer.write(line);
	};
	const recorded = recordFeed(
		client,
		{assetMode: true, views: {new: {model: 'new'}}},
		{writer: {...writer, write}, ending: ending.promise, onTrouble: words => expect.fail(words)},
	);
	await until(() => seen.symbols().length === 2 && written.length > 1);
	market.change(row, {market_cap: 77});
	launch(3, {security: {isHoneypot: true}});
	await until(() => seen.symbols().length === 3 && [...seen.entries.values()].some(entry => entry.market_cap === 77));
	// The recorder has a subscription of its own.
	await until(() => ['"market_cap":77', '"T3"'].every(text => written.some(line => line.includes(text))));
	ending.resolve();
	expect(await recorded).toMatchObject({views: ['new'], events: expect.any(Number)});
	await writer.close();

	const {client: later} = await play({path, speed: 1000});
	const shown = watch(later, {model: 'new'});
	await until(() => shown.symbols().length === 3);
	await until(() => [...shown.entries.values()].some(entry => entry.market_cap === 77));
	for (const [key, entry] of seen.entries) {
		// Two raw amounts are required on the wire: a replay serves "0" where the recording does not know them.
		expect(shown.entries.get(key)).toMatchObject({...knownFields(entry), holders: []});
	}
});

test('a recording is played in its time: what came later comes later, what left leaves', async () => {
	const {client, reports} = await play({path: LAUNCHES, speed: 20});
	const shown = watch(client, {model: 'new', sortBy: 'created_at', sortOrder: 'desc', limit: 5});
	await until(() => shown.symbols().includes('LAZYGOAT'));
	expect(shown.symbols()).not.toContain('SQUID');
	await until(() => shown.symbols().includes('SQUID'));
	expect(shown.symbols()).not.toContain('LAZYGOAT');
	await until(() => reports.at(-1)?.phase === 'ended');
	expect(reports[0]).toEqual({phase: 'playing', atMs: LAUNCHES_MS + 1000, speed: 20});
	expect(reports.at(-1)).toMatchObject({speed: 0});
	expect(reports.at(-1)!.atMs / 1000).toBeCloseTo(LAUNCHES_MS / 1000 + 12, -1);
});

test('filters, sorts and searches of the screen work on what was recorded, ages by its clock', async () => {
	const {client} = await play({path: LAUNCHES, fromMs: 60_000});
	const ask = async (view: object) => {
		const response = await client.call('pulse', {body: {assetMode: true, views: [{name: 'v', limit: 20, ...view}]}});
		return response['v']!.data.map(({symbol}) => symbol);
	};
	expect(await ask({model: 'bonded', sortBy: 'market_cap', filters: {market_cap: {gt: 15_000}}})).toEqual(
		expect.arrayContaining(['HOLPRO', 'SBANA', 'MOGOBL', 'PANDA']),
	);
	expect(await ask({model: 'bonded', filters: {symbol: {equals: 'SOL'}}})).toEqual(['SOL']);
	expect(await ask({model: 'new', filters: {created_at_offset: {lte: 60}}})).toContain('SQUID');
	expect(await ask({model: 'new', filters: {created_at_offset: {gt: 3600}}})).not.toContain('SQUID');
});

test('a token that left can still be looked up, its price line has what the recording knows, its wallets are not known', async () => {
	const {client} = await play({path: LAUNCHES, fromMs: 60_000});
	const {events} = await readAll(LAUNCHES);
	const first = events.find(event => event.type === 'snapshot' && event.view === 'new');
	const gone = first?.type === 'snapshot' ? first.tokens.find(({symbol}) => symbol === 'LAZYGOAT')! : expect.fail();
	const token = {chainId: gone.chain_id, address: gone.address};
	expect(await client.fetchToken(token)).toMatchObject({symbol: 'LAZYGOAT', latest_price: expect.any(Number)});
	const line = await client.sparkline({asset: gone.address, blockchain: gone.chain_id, timeFrame: '1h'});
	expect(line?.points.length).toBeGreaterThan(1);
	const refusal = await client.labels([gone.address]).catch(explain);
	expect(refusal).toMatchObject({why: expect.stringContaining('A recording holds no wallet labels')});
});

test('in a replay no money moves, no webhook is stored, no market is requested', async () => {
	const {client} = await play({path: LAUNCHES});
	for (const id of ['bridgeRoutes', 'bridgeQuote', 'perpExecute', 'webhookList', 'marketsBatch'] as const) {
		const refusal = await client
			.call(id, {body: {}, params: {}, query: {}} as never)
			.then(() => expect.fail(`${id} was answered`), explain);
		expect(refusal).toMatchObject({why: expect.stringContaining('This is a recording')});
	}
});

test('a recording that was cut off says so where it ends, a damaged one where and why', async () => {
	const lines = [
		{type: 'pulsetop-recording', version: 1, atMs: 1000, views: {new: {}}},
		{type: 'snapshot', view: 'new', atMs: 2000, tokens: [entryOf('A', {symbol: 'A'})]},
		{type: 'change', view: 'new', atMs: 5000, upserts: [entryOf('B', {symbol: 'B'})], removed: []},
	];
	const cut = await play({path: await recordingOf(lines), speed: 100});
	watch(cut.client, {model: 'new'});
	await until(() => cut.reports.at(-1)?.phase === 'cut');
	const broken = await play({path: await recordingOf([...lines, {type: 'snapshot', atMs: 1}]), speed: 100});
	const shown = watch(broken.client, {model: 'new'});
	await until(() => broken.reports.at(-1)?.phase === 'broken');
	expect(broken.reports.at(-1)?.reason).toBe(
		'line 4, after 00:00:05 UTC: its time is before that of the line above it',
	);
	// What came before is there: unknown `bonded` and `source` are what the view says.
	await until(() => shown.symbols().join() === 'A,B');
});

test('a recording that loops starts again, and hours without events are skipped', async () => {
	const lines = [
		{type: 'pulsetop-recording', version: 1, atMs: 1000, views: {new: {}}},
		{type: 'snapshot', view: 'new', atMs: 2000, tokens: [entryOf('A', {symbol: 'A'})]},
		{type: 'snapshot', view: 'new', atMs: 9 * 3_600_000, tokens: [entryOf('B', {symbol: 'B'})]},
		{type: 'end', atMs: 9 * 3_600_000 + 100},
	];
	const {client, reports} = await play({path: await recordingOf(lines), loops: true});
	const shown = watch(client, {model: 'new'});
	await until(() => shown.symbols().join() === 'B');
	expect(reports.map(({atMs}) => atMs)).toContain(9 * 3_600_000);
	await until(() => reports.filter(({phase}) => phase === 'playing').length > 2);
});

test('what a replay serves is what the published schema says, and what was not recorded is nowhere a 0', async () => {
	const {service} = await open({recording: {path: LAUNCHES, fromMs: 60_000}});
	const {json} = await ask(service, 'GET', '/api/2/pulse?assetMode=true&model=default');
	const entries = Object.values<{data: unknown[]}>(json.payload ?? json).flatMap(({data}) => data);
	expect(entries.length).toBeGreaterThan(5);
	const schema = publishedAsset('seen');
	for (const entry of entries) expect(schema.safeParse(entry).error?.issues ?? []).toEqual([]);
});
