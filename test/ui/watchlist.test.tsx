import {expect, test} from 'vitest';
import type {Client} from '../../source/client/client.ts';
import type {Feed, FeedEvent, FeedOptions, ViewRequest, ViewStatus} from '../../source/client/feed/feed-events.ts';
import type {Entry} from '../../source/contract/entry.ts';
import {columnChanged} from '../../source/monitor/transitions/screen.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';
import {shows} from './screens-fixture.ts';

const DEV = '0xAbCdEf0123456789aBcDeF0123456789AbCdEf01';
const HOUR = 3_600_000;

const entry = (symbol: string, more: Partial<Entry> = {}): Entry =>
	entryOf(`0x${symbol}`, {symbol, latest_price: 1, created_at: NOW_MS - 60_000, ...more}, 'evm:8453');

/** A monitor whose client opens feeds that a test feeds by hand. */
function open(size = {columns: 160, rows: 24}, first?: Entry) {
	const feeds: {options: FeedOptions; views: Map<string, ViewRequest>; isClosed: boolean; isUnfiltered: boolean}[] = [];
	const client: Partial<Client> = {
		openFeed: options => {
			const feed = {
				options,
				views: new Map(Object.entries(options.request.views)),
				isClosed: false,
				isUnfiltered: false,
			};
			feeds.push(feed);
			return {
				setView: (name, request) => feed.views.set(name, request),
				view: () => ({isUnfiltered: feed.isUnfiltered}) as ViewStatus,
				retryNow() {},
				close() {
					feed.isClosed = true;
				},
			} as Partial<Feed> as Feed;
		},
	};
	const monitor = openTestMonitor({size, client: client as Client});
	monitor.arrive(
		'new',
		first ? [first] : [entry('AAA', {created_at: NOW_MS - 30_000, deployer: DEV}), entry('BBB'), entry('CCC')],
	);
	const heard = (event: Partial<FeedEvent>): void => {
		feeds.at(-1)!.options.onEvent({atMs: NOW_MS, source: 'init', ...event} as FeedEvent);
		monitor.screens.flush();
	};
	return {monitor, feeds, heard};
}

test('Q lists the pinned tokens with the price when pinned and the change since, live, and P unpins', async () => {
	const {monitor, feeds, heard} = open();
	monitor.press('j', 'P', 'j', 'P', 'M', 'P');
	await shows(monitor, 'WATCH LIST  2 pinned');
	expect(feeds[0]!.views.get('watch')).toMatchObject({includeTokens: ['0xaaa', '0xbbb'], excludeLPTokens: false});
	heard({type: 'snapshot', entries: [entry('AAA', {latest_price: 1.5}), entry('BBB', {latest_price: 0.5})]});
	expect(monitor.frame()).toMatch(/AAA +BASE +\$1\.5 +\+50\.0% +\$1 +0s ago/);
	heard({type: 'change', upserts: [entry('AAA', {latest_price: 3})], removed: []});
	expect(monitor.frame()).toMatch(/AAA +BASE +\$3 +\+200%/);
	expect(monitor.frame()).toMatch(/BBB +BASE +\$0\.5 +-50\.0%/);
	monitor.press('s');
	expect(rowsOf(monitor.frame())).toEqual(['AAA', 'BBB']);
	monitor.press('S');
	expect(rowsOf(monitor.frame())).toEqual(['BBB', 'AAA']);
	monitor.press('P');
	expect([...monitor.store.get().pins.values()].map(({symbol}) => symbol)).toEqual(['AAA']);
	expect(feeds[0]!.views.get('watch')).toMatchObject({includeTokens: ['0xaaa']});
	expect(rowsOf(monitor.frame())).toEqual(['AAA']);
	monitor.press('q');
	expect(feeds[0]!.isClosed).toBe(true);
});

test.each([
	[160, {security: {isHoneypot: true}}, 'honey!'],
	[80, {security: {isHoneypot: true}}, 'honey!'],
	[50, {security: {isHoneypot: true}}, 'honey!'],
	[80, {dev_holdings_percentage: 27}, 'dev 27!'],
	[80, {}, '?'],
])(
	'the lists of pins and of a deployer name the worst risk, %d columns wide: %j is %s',
	async (columns, more, word) => {
		const {monitor, heard} = open({columns, rows: 24}, entry('AAA', {deployer: DEV}));
		const row = new RegExp(`AAA .* ${word.replaceAll(/[?!]/g, '\\$&')}( |$)`, 'm');
		const snapshot = {type: 'snapshot', entries: [entry('AAA', {deployer: DEV, ...more})]} as const;
		monitor.press('j', 'P', 'M', 'P');
		await shows(monitor, 'WATCH LIST');
		heard(snapshot);
		expect(monitor.frame()).toMatch(row);
		monitor.press('\u001b', 'D');
		await shows(monitor, 'DEVELOPER');
		heard(snapshot);
		expect(monitor.frame()).toMatch(row);
	},
);

test('Enter opens the token, and Esc leads back to the list', async () => {
	const {monitor, heard} = open();
	monitor.press('j', 'P', 'M', 'P');
	await shows(monitor, 'WATCH LIST');
	heard({type: 'snapshot', entries: [entry('AAA', {name: 'A long name'})]});
	monitor.press('\r');
	expect(monitor.store.get().detail?.entry.symbol).toBe('AAA');
	monitor.press('\u001b');
	expect(monitor.frame()).toContain('WATCH LIST');
});

test('a price that was not reported at the pin gives no change, and an unknown token says so', async () => {
	const {latest_price: _, ...priceless} = entry('NOP');
	const {monitor, heard} = open({columns: 160, rows: 24}, priceless);
	monitor.press('j', 'P', 'M', 'P');
	await shows(monitor, 'WATCH LIST');
	heard({type: 'snapshot', entries: [entry('NOP', {latest_price: 2})]});
	expect(monitor.frame()).toMatch(/NOP +BASE +\$2 +– +–/);
	monitor.press('q', '\u001b');
	monitor.store.apply(state => columnChanged(state, 'new', c => ({...c, rows: new Map(), order: []})));
	monitor.press('M', 'P');
	await shows(monitor, 'WATCH LIST');
	heard({type: 'snapshot', entries: []});
	expect(monitor.frame()).toContain('The service does not report 1 of them now.');
});

test('without a pin the watchlist says how to make one, and sends no request', async () => {
	const {monitor, feeds} = open();
	monitor.press('M', 'P');
	await shows(monitor, 'Nothing is pinned. In the columns P pins');
	expect(feeds).toEqual([]);
});

test('D lists the tokens of the same deployer with what became of them, x hides the developer', async () => {
	const {monitor, feeds, heard} = open();
	monitor.press('j', 'D');
	await shows(monitor, 'deployer of AAA');
	expect(feeds[0]!.views.get('developer')).toMatchObject({filters: {deployer: {equals: DEV}}, limit: 100});
	heard({
		type: 'snapshot',
		entries: [
			entry('AAA', {bonded: false, bonding_percentage: 43, latest_trade_date: NOW_MS - 5000, market_cap: 5000}),
			entry('OLD', {bonded: false, latest_trade_date: NOW_MS - 5 * HOUR, created_at: NOW_MS - 6 * HOUR}),
			entry('WON', {bonded: true, latest_trade_date: NOW_MS - 1000, created_at: NOW_MS - 9 * HOUR}),
		],
	});
	heard({type: 'total', total: 140});
	const frame = monitor.frame();
	expect(rowsOf(frame)).toEqual(['AAA', 'OLD', 'WON']);
	expect(frame).toMatch(/AAA .*1m +bonding 43% +5s/);
	expect(frame).toMatch(/OLD .*6h .* dead 5h/);
	expect(frame).toMatch(/WON .*9h +bonded/);
	expect(frame).toContain('3 of 140 tokens: 1 bonded, 1 dead');
	const {service} = monitor.store.get();
	monitor.store.apply(state => ({...state, service: {...service, follow: {names: ['base']}}}));
	expect(monitor.frame()).toContain('3 of 140 tokens while followed: 1 bonded, 1 dead');
	monitor.store.apply(state => ({...state, service}));
	monitor.press('x');
	expect([...monitor.store.get().hidden.values()]).toMatchObject([{kind: 'deployer', reason: 'deployer of AAA'}]);
	monitor.press('j', '\r');
	expect(monitor.store.get().detail?.entry.symbol).toBe('OLD');
	monitor.press('\u001b');
	expect(monitor.frame()).toContain('deployer of AAA');
});

test('D says of a service that does not filter that there may be more', async () => {
	const {monitor, feeds, heard} = open();
	monitor.press('j', 'D');
	await shows(monitor, 'deployer of AAA');
	feeds[0]!.isUnfiltered = true;
	heard({type: 'snapshot', entries: []});
	expect(monitor.frame()).not.toContain('has no token of this deployer');
	expect(monitor.frame()).toContain("The service can't be asked for the tokens of a deployer");
	const [mine, other] = [DEV.toLowerCase(), '0x00000000000000000000000000000000000000ee'];
	heard({type: 'snapshot', entries: [entry('AAA', {deployer: mine}), entry('BBB', {deployer: other}), entry('CCC')]});
	expect(rowsOf(monitor.frame())).toEqual(['AAA']);
	expect(monitor.frame()).toContain('1 token: 0 bonded (1 not reported), 0 dead (1 not reported) of the newest rows');
});

test('D says why it can’t where the deployer is not reported', () => {
	const {monitor} = open();
	monitor.press('j', 'j', 'D');
	expect(monitor.frame()).toContain('The deployer of this token is not reported.');
});

test.each([
	[40, 'AAA'],
	[80, 'MCAP'],
	[120, 'PINNED AT'],
])('at %i cells what matters most fits', async (columns, shown) => {
	const {monitor, heard} = open({columns, rows: 20});
	monitor.press('j', 'P', 'M', 'P');
	await shows(monitor, 'WATCH LIST');
	heard({type: 'snapshot', entries: [entry('AAA', {latest_price: 1.5})]});
	const frame = monitor.frame();
	expect(frame).toContain(shown);
	expect(frame).toContain('+50.0%');
	for (const line of frame.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
});

/** Symbols at the beginnings of lines, in their order. */
function rowsOf(frame: string): string[] {
	return frame.split('\n').flatMap(line => /^[▌ ] {2}([A-Z]{3}) /.exec(line)?.[1] ?? []);
}
