import {afterEach, expect, test, vi} from 'vitest';
import {InvalidResponse, ServiceRefused, ServiceUnreachable} from '../../source/client/http/service-errors.ts';
import type {MarketQuote} from '../../source/client/lookups/market-watch.ts';
import {NOW_MS, type TestMonitor} from '../helpers/monitor-app.tsx';
import {openScreens, shows} from './screens-fixture.ts';

const open: TestMonitor[] = [];
afterEach(() => {
	// A screen that is open goes on sending requests.
	for (const monitor of open.splice(0)) monitor.press('\u001b', '\u001b', '\u001b');
	vi.useRealTimers();
});

function screens(...given: Parameters<typeof openScreens>): ReturnType<typeof openScreens> {
	const opened = openScreens(...given);
	open.push(opened.monitor);
	return opened;
}

const listed = (marketId: string, more = {}) => ({
	platform: 'platformA',
	marketId,
	question: `Question ${marketId}?`,
	status: 'active',
	volume24hUSD: 1234,
	liquidityUSD: 999,
	endDate: new Date(NOW_MS + 3 * 3_600_000).toISOString(),
	outcomes: [
		{outcomeId: 'a', label: 'Yes', priceUSD: 0.634},
		{outcomeId: 'b', label: 'No', priceUSD: 0.366},
	],
	...more,
});

const market = (marketId: string, yes: number, more = {}) => ({
	id: `platformA:${marketId}`,
	...listed(marketId),
	description: 'It resolves to Yes when it happens.',
	outcomes: [
		{outcomeId: 'a', label: 'Yes', priceUSD: yes, priceChange24hPercentage: 4.2},
		{outcomeId: 'b', label: 'No', priceUSD: 1 - yes, priceChange24hPercentage: null},
	],
	stats: {totalVolumeUSD: 5000, volume24hUSD: 1234, liquidityUSD: 999},
	...more,
});

const page = (data: unknown[]) => ({
	data,
	pagination: {page: 1, offset: 0, limit: 100, pageEntries: data.length},
	hostname: 'h',
	took: 1,
});

const SIZE = {columns: 120, rows: 24};

test('the list shows prices that the batch brings, and what the batch leaves out is said on its line', async () => {
	const {monitor, asked} = screens(
		{
			marketTrending: () => page([listed('one'), listed('two')]),
			marketsBatch: () => ({payload: [market('one', 0.71)], hostname: 'h', took: 1}),
		},
		{size: SIZE},
	);
	monitor.press('M');
	const frame = await shows(monitor, /Question one\?\s+Yes\s+71\.0¢.*\+4\.2%/);
	expect(frame).toContain('ALPHA');
	expect(frame).toMatch(/! Question two\?\s+Yes\s+63\.4¢/);
	expect(frame).toMatch(/in 3h/);
	expect(asked[1]).toEqual({
		id: 'marketsBatch',
		input: {
			body: {
				items: [
					{platform: 'platformA', marketId: 'one'},
					{platform: 'platformA', marketId: 'two'},
				],
			},
		},
	});
	monitor.press('j');
	await shows(monitor, 'no longer reports it');
});

test('prices of the stream are shown at once with their direction, and the batch is requested less often', async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	let notify: (quote: MarketQuote) => void = () => {};
	const wanted: (readonly string[])[] = [];
	let isLive = true;
	let isClosed = false;
	const {monitor, asked} = screens(
		{
			marketTrending: () => page([listed('one'), listed('two')]),
			marketsBatch: () => ({payload: [market('one', 0.71), market('two', 0.2)], hostname: 'h', took: 1}),
		},
		{
			size: SIZE,
			watchMarkets: onQuote => {
				notify = onQuote;
				return {
					setMarkets: names => void wanted.push(names.map(({marketId}) => marketId)),
					isLive: () => isLive,
					close: () => {
						isClosed = true;
					},
				};
			},
		},
	);
	/** As shows, while next to no time passes for the screen. */
	const comes = (what: RegExp) =>
		expect.poll(() => vi.advanceTimersByTimeAsync(1).then(monitor.frame), {interval: 10}).toMatch(what);
	const batches = () => asked.filter(({id}) => id === 'marketsBatch').length;
	monitor.press('M');
	await comes(/Question one\?\s+Yes\s+71\.0¢/);
	expect(wanted.at(-1)).toEqual(['one', 'two']);
	notify({platform: 'platformA', marketId: 'one', outcomeId: 'a', priceUSD: 0.748});
	notify({platform: 'platformA', marketId: 'one', outcomeId: 'b', priceUSD: 0.252});
	notify({platform: 'platformA', marketId: 'nobody', outcomeId: 'a', priceUSD: 0.1});
	await comes(/Question one\?\s+Yes\s+▲\s+74\.8¢/);
	const before = batches();
	await vi.advanceTimersByTimeAsync(8000);
	expect(batches()).toBe(before);
	await vi.advanceTimersByTimeAsync(3000);
	expect(batches()).toBe(before + 1);
	isLive = false;
	await vi.advanceTimersByTimeAsync(12_000);
	const slow = batches();
	await vi.advanceTimersByTimeAsync(5500);
	expect(batches()).toBe(slow + 2);
	monitor.press('\r');
	await vi.advanceTimersByTimeAsync(300);
	expect(wanted.at(-1)).toEqual(['one']);
	monitor.press('\u001b', '\u001b');
	expect(isClosed).toBe(true);
});

test('only markets on screen are requested, at most fifty at once', async () => {
	const sizes: number[] = [];
	const {monitor} = screens(
		{
			marketTrending: () => page(Array.from({length: 100}, (_, at) => listed(`m${at}`))),
			marketsBatch: ({body}: {body: {items: {marketId: string}[]}}) => {
				sizes.push(body.items.length);
				return {payload: body.items.map(({marketId}) => market(marketId, 0.5)), hostname: 'h', took: 1};
			},
		},
		{size: {columns: 200, rows: 60}},
	);
	monitor.press('M');
	await shows(monitor, /Question m0\?\s+\S+\s+50\.0¢/);
	// 60 rows: header, footer, title, names and the line at the end are none of the list.
	expect(sizes.slice(0, 2)).toEqual([50, 5]);
});

test('one market that makes its batch unreadable leaves the others readable', async () => {
	const {monitor} = screens(
		{
			marketTrending: () => page([listed('good'), listed('bad'), listed('fine')]),
			marketsBatch: ({body}: {body: {items: {marketId: string}[]}}) => {
				if (body.items.some(({marketId}) => marketId === 'bad')) throw new InvalidResponse('a price is no number');
				return {payload: body.items.map(({marketId}) => market(marketId, 0.25)), hostname: 'h', took: 1};
			},
		},
		{size: SIZE},
	);
	monitor.press('M');
	await shows(monitor, /Question good\?\s+No\s+75\.0¢/);
	const frame = await shows(monitor, /Question fine\?\s+No\s+75\.0¢/);
	expect(frame).toMatch(/! Question bad\?/);
});

test('an unknown status is shown unchanged, and a closed market shows its status instead of its end', async () => {
	const {monitor} = screens(
		{
			marketTrending: () => page([listed('one', {status: 'disputed'}), listed('two', {status: 'resolved'})]),
			marketsBatch: () => ({payload: [], hostname: 'h', took: 1}),
		},
		{size: SIZE},
	);
	monitor.press('M');
	const frame = await shows(monitor, /disputed/);
	expect(frame).toMatch(/Question two\?.*resolved/);
});

test('a list that is on its way, one that failed and an empty one look different', async () => {
	let response: () => unknown = () => new Promise(() => {});
	const {monitor} = screens(
		{
			marketTrending: () => response(),
			marketSearch: () => page([]),
			marketsBatch: () => ({payload: [], hostname: 'h', took: 1}),
		},
		{size: SIZE},
	);
	monitor.press('M');
	await shows(monitor, 'Loading');
	response = () => {
		throw new ServiceUnreachable('nobody listens there', {sent: 'no'});
	};
	monitor.press('R');
	await shows(monitor, 'nobody listens there');
	monitor.press('\t');
	await shows(monitor, 'no prediction here');
});

test('a batch that fails leaves the prices with their age, and says why', async () => {
	let fails = false;
	const {monitor} = screens(
		{
			marketTrending: () => page([listed('one')]),
			marketsBatch: () => {
				if (fails) throw new ServiceRefused(503, '');
				return {payload: [market('one', 0.9)], hostname: 'h', took: 1};
			},
		},
		{size: SIZE},
	);
	monitor.press('M');
	await shows(monitor, '90.0¢');
	fails = true;
	monitor.press('R');
	const frame = await shows(monitor, /prices: The service failed/);
	expect(frame).toContain('90.0¢');
});

test('a search goes to the service and shows its text; Esc ends it', async () => {
	const {monitor, asked} = screens(
		{
			marketTrending: () => page([listed('one')]),
			marketSearch: () => page([listed('found')]),
			marketsBatch: () => ({payload: [], hostname: 'h', took: 1}),
		},
		{size: SIZE},
	);
	monitor.press('M');
	await shows(monitor, 'Question one');
	monitor.press('/', 'rain in Rome', '\r');
	const frame = await shows(monitor, 'Question found');
	expect(frame).toContain('"rain in Rome"');
	expect(asked.find(({id}) => id === 'marketSearch')!.input).toMatchObject({query: {query: 'rain in Rome'}});
	monitor.press('\u001b');
	await shows(monitor, 'Question one');
	monitor.press('\u001b');
	expect(monitor.frame()).not.toContain('PREDICTION');
});

test('watched markets have a list of their own, with what the batch knows of them', async () => {
	const {monitor} = screens(
		{
			marketTrending: () => page([listed('one'), listed('two')]),
			marketSearch: () => page([]),
			marketsBatch: ({body}: {body: {items: {marketId: string}[]}}) => ({
				payload: body.items.map(({marketId}) => market(marketId, 0.4)),
				hostname: 'h',
				took: 1,
			}),
		},
		{size: SIZE},
	);
	monitor.press('M');
	await shows(monitor, 'Question two');
	monitor.press('j', 'w');
	expect([...monitor.store.get().watchedPredictions]).toEqual([['platformA:two', 'Question two?']]);
	monitor.press('\t', '\t');
	const frame = await shows(monitor, /watched 1/);
	expect(frame).toMatch(/★ Question two\?/);
	expect(frame).not.toContain('Question one');
	monitor.press('w');
	await shows(monitor, 'Nothing is watched yet');
});

test('the details show every outcome, the figures and the rules, and a failed price line only in its place', async () => {
	const {monitor} = screens(
		{
			marketTrending: () => page([listed('one')]),
			marketsBatch: () => ({payload: [market('one', 0.8)], hostname: 'h', took: 1}),
			marketOhlcv: () => {
				throw new ServiceRefused(404, '');
			},
		},
		{size: {columns: 100, rows: 40}},
	);
	monitor.press('M');
	await shows(monitor, '80.0¢');
	monitor.press('\r');
	const frame = await shows(monitor, /No price line/);
	expect(frame).toMatch(/Yes\s+80\.0¢.*\+4\.2%/);
	expect(frame).toMatch(/No\s+20\.0¢.*–/);
	expect(frame).toContain('It resolves to Yes when it happens.');
	expect(frame).toContain('platformA:one');
	monitor.press('\u001b');
	await shows(monitor, 'QUESTION');
});

test('a page that was scrolled to its end comes back with the first key, and its hints are of a page', async () => {
	const {monitor} = screens(
		{
			marketTrending: () => page([listed('one')]),
			marketsBatch: () => ({payload: [market('one', 0.5)], hostname: 'h', took: 1}),
			marketOhlcv: () => {
				throw new ServiceRefused(404, '');
			},
		},
		{size: {columns: 100, rows: 12}},
	);
	monitor.press('M');
	await shows(monitor, '50.0¢');
	monitor.press('\r');
	await shows(monitor, /No price line/);
	const hints = (await shows(monitor, /PgDn scroll/)).split('\n').at(-1)!;
	expect(hints).not.toMatch(/open|next list/);
	monitor.press('G');
	const end = await shows(monitor, 'platformA:one');
	expect(end.split('\n').at(-1)).toContain('PgUp scroll up');
	monitor.press('k');
	await shows(monitor, /1 more line$/m);
});

test('questions of one family differ on a narrow screen', async () => {
	const {monitor} = screens(
		{
			marketTrending: () =>
				page([
					listed('one', {question: 'Solana above $170 on November 23?'}),
					listed('two', {question: 'Solana above $180 on November 23?'}),
				]),
			marketsBatch: () => ({
				payload: [
					market('one', 0.5, {question: 'Solana above $170 on November 23?'}),
					market('two', 0.5, {question: 'Solana above $180 on November 23?'}),
				],
				hostname: 'h',
				took: 1,
			}),
		},
		{size: {columns: 60, rows: 20}},
	);
	monitor.press('M');
	const frame = await shows(monitor, '50.0¢');
	expect(frame).toMatch(/Solana above \$170 on .*\n.*Solana above \$180 on /);
	expect(frame).toMatch(/QUESTION +LEADER +PRICE/);
});

test('the list fills the screen and breaks no line, from 40 to 200 columns, in ASCII too', async () => {
	for (const [columns, rows, ascii] of [
		[40, 12, false],
		[60, 20, true],
		[83, 24, false],
		[120, 40, true],
		[200, 60, false],
	] as const) {
		const {monitor} = screens(
			{
				marketTrending: () => page([listed('one', {question: '长'.repeat(90)}), listed('two')]),
				marketsBatch: () => ({payload: [market('one', 0.5, {question: '长'.repeat(90)})], hostname: 'h', took: 1}),
			},
			{size: {columns, rows}, ascii},
		);
		monitor.press('M');
		const frame = await shows(monitor, ascii ? '50.0c' : '50.0¢');
		if (ascii) expect(frame.replaceAll(/长|…/g, '')).toMatch(/^[\u0020-\u007e\n]*$/);
		const lines = frame.split('\n');
		expect(lines.length).toBe(rows);
		monitor.press('\u001b');
	}
});
