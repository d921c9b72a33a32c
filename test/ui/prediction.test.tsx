import {afterEach, expect, test} from 'vitest';
import {InvalidResponse, ServiceRefused} from '../../source/client/http/service-errors.ts';
import {NO_CHOICES} from '../../source/monitor/choices.ts';
import {NOW_MS, type TestMonitor} from '../helpers/monitor-app.tsx';
import {openScreens, shows} from './screens-fixture.ts';

const open: TestMonitor[] = [];
afterEach(() => {
	// A screen that is open goes on sending requests.
	for (const monitor of open.splice(0)) monitor.press('\u001b', '\u001b', '\u001b');
});

function screens(...given: Parameters<typeof openScreens>): ReturnType<typeof openScreens> {
	const opened = openScreens(...given);
	open.push(opened.monitor);
	return opened;
}

const market = (marketId: string, yes: number, more = {}) => ({
	id: `platformA:${marketId}`,
	platform: 'platformA',
	marketId,
	question: `Question ${marketId}?`,
	status: 'active',
	metadata: {endDate: new Date(NOW_MS + 3 * 3_600_000).toISOString(), resolved: false},
	description: 'It resolves to Yes when it happens.',
	outcomes: [
		{outcomeId: 'a', label: 'Yes', priceUSD: yes, priceChange24hPercentage: 4.2},
		{outcomeId: 'b', label: 'No', priceUSD: 1 - yes, priceChange24hPercentage: null},
	],
	stats: {totalVolumeUSD: 5000, volume24hUSD: 1234, liquidityUSD: 999},
	...more,
});

/** Answers of a service that knows markets by their ids, all with one price. */
const knows = (priceOf: (marketId: string) => number | undefined) => ({
	marketsBatch: ({body}: {body: {items: {marketId: string}[]}}) => ({
		payload: body.items.flatMap(({marketId}) => {
			const yes = priceOf(marketId);
			return yes === undefined ? [] : [market(marketId, yes)];
		}),
		hostname: 'h',
		took: 1,
	}),
});

/** A service on another machine, and a watch list: the first id on top. */
const watching = (...ids: string[]) => ({
	service: {label: 'api.example.com', embedded: false},
	choices: {
		...NO_CHOICES,
		watchedPredictions: new Map(ids.toReversed().map(id => [`platformA:${id}`, `Question ${id}?`])),
	},
});

const SIZE = {columns: 120, rows: 24};

test('the list shows prices that the batch brings, and what the batch leaves out is said on its line', async () => {
	const {monitor, asked} = screens(
		knows(id => (id === 'one' ? 0.71 : undefined)),
		{size: SIZE, ...watching('one', 'two')},
	);
	monitor.press('M', 'p');
	const frame = await shows(monitor, /Question one\?\s+Yes\s+71\.0¢.*\+4\.2%/);
	expect(frame).toContain('ALPHA');
	expect(frame).toMatch(/! Question two\?\s+–\s+–/);
	expect(frame).toMatch(/in 3h/);
	expect(asked[0]).toEqual({
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
	await shows(monitor, 'the response has no readable record of it');
});

test('the embedded service has markets of its own, below the watched ones', async () => {
	const {monitor} = screens(
		knows(() => 0.4),
		{...watching('one'), size: SIZE, service: {label: 'simulated market', embedded: true}},
	);
	monitor.press('M', 'p');
	const frame = await shows(monitor, /Question 1001\?\s+No\s+60\.0¢/);
	expect(frame).toMatch(/★ Question one\?/);
	expect(frame.indexOf('Question one')).toBeLessThan(frame.indexOf('Question 1001'));
	expect(frame).toContain('1/9');
});

test('only markets on screen are requested, at most fifty at once', async () => {
	const sizes: number[] = [];
	const {marketsBatch} = knows(() => 0.5);
	const {monitor} = screens(
		{
			marketsBatch: (input: Parameters<typeof marketsBatch>[0]) => {
				sizes.push(input.body.items.length);
				return marketsBatch(input);
			},
		},
		{size: {columns: 200, rows: 60}, ...watching(...Array.from({length: 100}, (_, at) => `m${at}`))},
	);
	monitor.press('M', 'p');
	await shows(monitor, /Question m0\?\s+\S+\s+50\.0¢/);
	// 60 rows: header, footer, title, names and the line at the end are none of the list.
	expect(sizes.slice(0, 2)).toEqual([50, 5]);
});

test('one market that makes its batch unreadable leaves the others readable', async () => {
	const {marketsBatch} = knows(() => 0.25);
	const {monitor} = screens(
		{
			marketsBatch: (input: Parameters<typeof marketsBatch>[0]) => {
				if (input.body.items.some(({marketId}) => marketId === 'bad'))
					throw new InvalidResponse('a price is no number');
				return marketsBatch(input);
			},
		},
		{size: SIZE, ...watching('good', 'bad', 'fine')},
	);
	monitor.press('M', 'p');
	await shows(monitor, /Question good\?\s+No\s+75\.0¢/);
	const frame = await shows(monitor, /Question fine\?\s+No\s+75\.0¢/);
	expect(frame).toMatch(/! Question bad\?/);
});

test('an unknown status is shown unchanged, and a closed market shows its status instead of its end', async () => {
	const {monitor} = screens(
		{
			marketsBatch: () => ({
				payload: [market('one', 0.5, {status: 'disputed'}), market('two', 0.5, {status: 'resolved'})],
				hostname: 'h',
				took: 1,
			}),
		},
		{size: SIZE, ...watching('one', 'two')},
	);
	monitor.press('M', 'p');
	const frame = await shows(monitor, /disputed/);
	expect(frame).toMatch(/Question two\?.*resolved/);
});

test('a batch that fails leaves the prices with their age, and says why', async () => {
	let fails = false;
	const {monitor} = screens(
		{
			marketsBatch: () => {
				if (fails) throw new ServiceRefused(503, '');
				return {payload: [market('one', 0.9)], hostname: 'h', took: 1};
			},
		},
		{size: SIZE, ...watching('one')},
	);
	monitor.press('M', 'p');
	await shows(monitor, '90.0¢');
	fails = true;
	monitor.press('R');
	const frame = await shows(monitor, /prices: The service failed/);
	expect(frame).toContain('90.0¢');
});

test('a market is added by its id, and removed; what is no id is refused and stays to be mended', async () => {
	const {monitor} = screens(
		knows(id => (id === 'one' ? 0.4 : undefined)),
		{size: SIZE, ...watching()},
	);
	monitor.press('M', 'p');
	await shows(monitor, 'Nothing is watched yet');
	monitor.press('/', 'rain in Rome', '\r');
	const refused = await shows(monitor, 'not the id of a prediction');
	expect(refused).toContain('rain in Rome');
	monitor.press('\u0015', ' platformA:one ', '\r');
	await shows(monitor, /★ Question one\?\s+No\s+60\.0¢/);
	expect([...monitor.store.get().watchedPredictions.keys()]).toEqual(['platformA:one']);
	monitor.press('/', 'platformB:two', '\r');
	await shows(monitor, /! platformB:two/);
	monitor.press('w');
	await shows(monitor, /^(?![\s\S]*platformB:two)[\s\S]*Question one/);
	monitor.press('\u001b');
	expect(monitor.frame()).not.toContain('PREDICTION');
});

test('the details show every outcome, the figures and the rules', async () => {
	const {monitor} = screens(
		knows(() => 0.8),
		{size: {columns: 100, rows: 40}, ...watching('one')},
	);
	monitor.press('M', 'p');
	await shows(monitor, '80.0¢');
	monitor.press('\r');
	const frame = await shows(monitor, 'It resolves to Yes when it happens.');
	expect(frame).toMatch(/Yes\s+80\.0¢.*\+4\.2%/);
	expect(frame).toMatch(/No\s+20\.0¢.*–/);
	expect(frame).toContain('platformA:one');
	monitor.press('\u001b');
	await shows(monitor, 'QUESTION');
});

test('a page that was scrolled to its end comes back with the first key, and its hints are of a page', async () => {
	const {monitor} = screens(
		knows(() => 0.5),
		{size: {columns: 100, rows: 12}, ...watching('one')},
	);
	monitor.press('M', 'p');
	await shows(monitor, '50.0¢');
	monitor.press('\r');
	const hints = (await shows(monitor, /PgDn scroll/)).split('\n').at(-1)!;
	expect(hints).not.toMatch(/open|add/);
	monitor.press('G');
	const end = await shows(monitor, 'platformA:one');
	expect(end.split('\n').at(-1)).toContain('PgUp scroll up');
	monitor.press('k');
	await shows(monitor, /1 more line$/m);
});

test('questions of one family differ on a narrow screen', async () => {
	const {monitor} = screens(
		{
			marketsBatch: () => ({
				payload: [
					market('one', 0.5, {question: 'Solana above $170 on November 23?'}),
					market('two', 0.5, {question: 'Solana above $180 on November 23?'}),
				],
				hostname: 'h',
				took: 1,
			}),
		},
		{size: {columns: 60, rows: 20}, ...watching('one', 'two')},
	);
	monitor.press('M', 'p');
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
				marketsBatch: () => ({payload: [market('one', 0.5, {question: '长'.repeat(90)})], hostname: 'h', took: 1}),
			},
			{size: {columns, rows}, ascii, ...watching('one', 'two')},
		);
		monitor.press('M', 'p');
		const frame = await shows(monitor, ascii ? '50.0c' : '50.0¢');
		if (ascii) expect(frame.replaceAll(/长|…/g, '')).toMatch(/^[\u0020-\u007e\n]*$/);
		const lines = frame.split('\n');
		expect(lines.length).toBe(rows);
		monitor.press('\u001b');
	}
});
