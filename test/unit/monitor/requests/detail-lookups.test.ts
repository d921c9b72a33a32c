import {expect, onTestFinished, test} from 'vitest';
import type {Client} from '../../../../source/client/client.ts';
import type {Entry} from '../../../../source/contract/entry.ts';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import {createDetailLookups} from '../../../../source/monitor/requests/detail-lookups.ts';
import type {TimeFrame} from '../../../../source/monitor/state.ts';
import {detailOpened} from '../../../../source/monitor/transitions/screen.ts';
import {createStore} from '../../../../source/store.ts';
import {entryOf} from '../../../helpers/entries.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
const holders = (...addresses: readonly string[]) =>
	({holders: addresses.map(address => ({address}))}) as unknown as Partial<Entry>;
const token = (figures: Partial<Entry> = {}) => entryOf('TOKEN', {deployer: 'DEV', ...figures});

/** A request of a fake service, answered by the test. */
interface Asked {
	readonly of: unknown;
	answer(value: unknown): void;
	fail(): void;
}

/** The pane of a token over a service that the test plays. */
function openPane() {
	const asked: Record<'labels' | 'sparkline', Asked[]> = {labels: [], sparkline: []};
	let found: (entry: Entry | undefined) => void = () => {};
	const request = (kind: 'labels' | 'sparkline') => (of: unknown) =>
		new Promise((resolve, reject) => {
			asked[kind].push({of, answer: resolve, fail: () => reject(new Error('the service is away'))});
		});
	const client = {
		watchToken: (_: unknown, onEntry: typeof found) => {
			found = onEntry;
			return {close: () => {}};
		},
		labels: request('labels'),
		sparkline: request('sparkline'),
	} as unknown as Client;
	const size = {columns: 160, rows: 45};
	const service = {label: 'a service', embedded: true};
	const store = createStore(initialState({size, nowMs: NOW_MS, service, theme: 'dark'}));
	const lookups = createDetailLookups(store, () => client);
	onTestFinished(() => lookups.close());
	return {
		asked,
		lookups,
		detail: () => store.get().detail!,
		find: (entry: Entry | undefined) => found(entry),
		async open(entry: Entry, frame: TimeFrame = '24h') {
			const before = asked.sparkline.length;
			store.apply(state => detailOpened(state, entry));
			lookups.open(entry, frame);
			await expect.poll(() => asked.sparkline.length).toBe(before + 1);
		},
	};
}

const labels = (...wallets: readonly string[]) => new Map(wallets.map(wallet => [wallet, {labels: [wallet]}]));
const settled = () => new Promise(resolve => setImmediate(resolve));

test('an opened token gets the labels of its deployer and of fifteen holders, each once, and its sparkline', async () => {
	const {asked, open, detail} = openPane();
	const wallets = Array.from({length: 20}, (_, at) => `W${at}`);
	await open(token(holders('DEV', ...wallets)), '1h');
	expect(asked.labels.map(({of}) => of)).toEqual([['DEV', ...wallets.slice(0, 14)]]);
	expect(asked.sparkline[0]!.of).toMatchObject({asset: 'TOKEN', timeFrame: '1h'});
	expect(detail()).toMatchObject({labels: {kind: 'loading'}, sparkline: {kind: 'loading'}, lookup: 'loading'});
	expect(detail().labels).not.toHaveProperty('last');
	asked.labels[0]!.answer(labels('W0'));
	asked.sparkline[0]!.answer([1, 2]);
	await settled();
	expect(detail()).toMatchObject({
		labels: {kind: 'ready', value: labels('W0')},
		sparkline: {kind: 'ready', value: [1, 2]},
	});
});

test('a token without a deployer asks for its holders, one without wallets for none', async () => {
	const {deployer: _, ...anonymous} = token(holders('W0'));
	const {asked, open} = openPane();
	await open(anonymous);
	expect(asked.labels.map(({of}) => of)).toEqual([['W0']]);
	const {holders: __, ...alone} = anonymous;
	const other = openPane();
	await other.open(alone);
	expect(other.asked.labels).toEqual([]);
});

test('holders that change places are no reason for a request, a new wallet is; known labels stay meanwhile', async () => {
	const {asked, open, find, detail} = openPane();
	await open(token(holders('A', 'B')));
	asked.labels[0]!.answer(labels('DEV', 'A'));
	await settled();
	find(token(holders('B', 'A')));
	find(undefined);
	expect(asked.labels).toHaveLength(1);
	find(token(holders('B', 'C')));
	expect(asked.labels[1]!.of).toEqual(['DEV', 'B', 'C']);
	expect(detail().labels).toEqual({kind: 'loading', last: labels('DEV', 'A')});
	asked.labels[1]!.answer(labels('C'));
	await settled();
	expect(detail().labels).toMatchObject({kind: 'ready', value: labels('DEV', 'A', 'C')});
	expect(detail().lookup).toBe('found');
	find(undefined);
	expect(detail().lookup).toBe('missing');
});

test('after a failure the last labels stay, with the problem, and none are requested for ten seconds', async () => {
	const {asked, open, find, detail} = openPane();
	await open(token(holders('A')));
	asked.labels[0]!.answer(labels('A'));
	await settled();
	find(token(holders('A', 'B')));
	asked.labels[1]!.fail();
	await settled();
	expect(detail().labels).toMatchObject({kind: 'failed', last: labels('A'), problem: {why: expect.any(String)}});
	find(token(holders('A', 'C')));
	expect(asked.labels).toHaveLength(2);
});

test('a failure without earlier labels keeps none', async () => {
	const {asked, open, detail} = openPane();
	await open(token());
	asked.labels[0]!.fail();
	asked.sparkline[0]!.fail();
	await settled();
	expect([detail().labels.kind, detail().sparkline.kind]).toEqual(['failed', 'failed']);
	expect(detail().labels).not.toHaveProperty('last');
});

test('another time frame drops the line of the one before, also when that comes late', async () => {
	const {asked, open, lookups, detail} = openPane();
	await open(token(), '24h');
	lookups.setTimeFrame('1h');
	expect(asked.sparkline.map(({of}) => (of as {timeFrame: string}).timeFrame)).toEqual(['24h', '1h']);
	asked.sparkline[0]!.answer([9]);
	await settled();
	expect(detail().sparkline).toEqual({kind: 'loading'});
	asked.sparkline[1]!.answer([1]);
	await settled();
	expect(detail().sparkline).toMatchObject({kind: 'ready', value: [1]});
	lookups.setTimeFrame('24h');
	asked.sparkline[2]!.fail();
	await settled();
	expect(detail().sparkline).toMatchObject({kind: 'failed'});
});

test('the same token opened again is not looked up again', async () => {
	const {asked, open, lookups} = openPane();
	const entry = token();
	await open(entry);
	lookups.open(entry, '24h');
	await new Promise(resolve => setTimeout(resolve, 300));
	expect(asked.sparkline).toHaveLength(1);
});
