import {expect, test} from 'vitest';
import {FIRST_LINK, type LinkState, type Resumed} from '../../source/client/feed/feed-events.ts';
import {startOf} from '../../source/commands/config/start.ts';
import {loadConfig} from '../../source/config/config.ts';
import {alertsRaised, ruleAdded} from '../../source/monitor/alerts/alert-transitions.ts';
import {NO_CHOICES} from '../../source/monitor/choices.ts';
import {lossEnded} from '../../source/monitor/resumed.ts';
import {changesArrived, freshened, stalenessArrived} from '../../source/monitor/transitions/column.ts';
import {columnChanged, noticed} from '../../source/monitor/transitions/screen.ts';
import {cellWidth} from '../../source/text.ts';
import {judge} from '../../source/ui/money/trade-key.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

const config = await loadConfig({
	flags: {theme: 'dark', 'base-url': ['http://a.example:4010', 'http://b.example:4010']},
	env: {HOME: '/nowhere'},
});

const ON_B: LinkState = {
	...FIRST_LINK,
	phase: 'live',
	address: 'b.example:4010',
	addresses: [
		{name: 'a.example:4010', state: 'failed', why: 'nothing listens at its address', atMs: NOW_MS - 2000},
		{name: 'b.example:4010', state: 'works', atMs: NOW_MS},
		{name: 'c.example:4010', state: 'unknown'},
	],
};

function open(columns = 120, rows = 30) {
	const monitor = openTestMonitor({...startOf(config, NO_CHOICES, {columns, rows}), nowMs: NOW_MS});
	monitor.arrive('new', [
		entryOf('0x00000000000000000000000000000000000000a1', {symbol: 'FIRST', created_at: NOW_MS - 5000}, 'evm:8453'),
	]);
	return {...monitor, header: () => monitor.frame().split('\n')[0]!.trimEnd()};
}

const resumed = (facts: Partial<Resumed>): Resumed => ({type: 'resumed', missed: [], atMs: NOW_MS, ...facts});
const missed = (...symbols: string[]) =>
	symbols.map(symbol => ({view: 'new', entry: entryOf(symbol.toLowerCase(), {symbol})}));

test.each([80, 120, 160])('at %i columns the first line names the address that serves', columns => {
	const monitor = open(columns);
	expect(monitor.header()).toContain('a.example:4010 +1');
	monitor.store.apply(state => ({...state, link: ON_B}));
	expect(monitor.header()).toContain('live b.example:4010');
	expect(cellWidth(monitor.header())).toBeLessThanOrEqual(columns);
});

test.each([
	[
		{movedTo: 'b:4010', isRecovered: true, missed: missed('X', 'Y', 'Z')},
		'Moved to b:4010 · 3 launches came and went meanwhile.',
	],
	[{movedTo: 'b:4010', isRecovered: true, missed: missed('X')}, 'Moved to b:4010 · 1 launch came and went meanwhile.'],
	[{movedTo: 'b:4010', isRecovered: true}, 'Moved to b:4010 · nothing was missed.'],
	[{movedTo: 'b:4010', isRecovered: false, gapMs: 12_000}, 'Moved to b:4010 · 12 s are missing.'],
	[{movedTo: 'b:4010', gapMs: 1200}, 'Moved to b:4010 · 1.2 s are missing.'],
	[{movedTo: 'b:4010'}, 'Moved to b:4010 · how much is missing is unknown.'],
	[{isRecovered: true}, 'Connected again · nothing was missed.'],
])('the end of a loss is said: %j', (facts, text) => {
	const monitor = open();
	monitor.store.apply(state => lossEnded(state, resumed(facts)));
	expect(monitor.store.get().notice?.text).toBe(text);
	expect(monitor.frame()).toContain(text);
});

test('a token that was missed in two columns counts once, and not as a launch alone', () => {
	const monitor = open();
	const entry = entryOf('x', {symbol: 'X'});
	const both = ['new', 'bonding', 'alerts.new', 'pages.new'].map(view => ({view, entry}));
	const bonded = {view: 'bonded', entry: entryOf('y', {symbol: 'Y'})};
	monitor.store.apply(state => lossEnded(state, resumed({isRecovered: true, missed: [...both, bonded]})));
	expect(monitor.store.get().notice?.text).toBe('Connected again · 2 tokens came and went meanwhile.');
});

test('an alert of the same moment is not covered', () => {
	const monitor = open();
	monitor.store.apply(state =>
		lossEnded(noticed(state, {text: 'Alert: X (NEW) matches mcap>1.', tone: 'warn', atMs: NOW_MS, isEvent: true}), {
			...resumed({movedTo: 'b:4010', isRecovered: true, missed: missed('X')}),
		}),
	);
	expect(monitor.store.get().notice?.text).toBe(
		'Moved to b:4010 · 1 launch came and went meanwhile. Alert: X (NEW) matches mcap>1.',
	);
});

test.each([
	['is 1999 ms old', {atMs: NOW_MS - 1999}, true],
	['is 2 s old', {atMs: NOW_MS - 2000}, false],
	['is no event', {isEvent: false}, false],
	['is no alert', {text: 'Copied.'}, false],
])('a notice that %s stands beside the report of a loss: %s', (_, facts, stays) => {
	const monitor = open();
	const alert = {text: 'Alert: X (NEW) matches mcap>1.', tone: 'warn', atMs: NOW_MS, isEvent: true, ...facts} as const;
	monitor.store.apply(state => lossEnded(noticed(state, alert), resumed({movedTo: 'b:4010', isRecovered: true})));
	expect(monitor.store.get().notice?.text.includes(alert.text)).toBe(stays);
});

test('what is said of a loss stays beside the alerts that follow, until there was time to read it', () => {
	const monitor = open();
	const rule = {where: 'new', line: 'age<5m', isOff: false, isConfigured: false} as const;
	const arrived = (symbol: string, afterMs: number) =>
		monitor.store.apply(state => {
			const entry = entryOf(symbol.toLowerCase(), {symbol, created_at: NOW_MS}, 'evm:8453');
			const after = columnChanged(state, 'new', c => changesArrived(c, [entry], [], NOW_MS + afterMs));
			return alertsRaised(state, after, NOW_MS + afterMs);
		});
	monitor.store.apply(state => ruleAdded(state, rule, NOW_MS));
	monitor.store.apply(state => lossEnded(state, resumed({movedTo: 'b:4010', isRecovered: true})));
	arrived('ONE', 100);
	arrived('TWO', 3900);
	const loss = 'Moved to b:4010 · nothing was missed.';
	expect(monitor.store.get().notice?.text).toBe(`${loss} Alert: TWO (NEW) matches @new age<5m.`);
	arrived('THREE', 4000);
	expect(monitor.store.get().notice?.text).toBe('Alert: THREE (NEW) matches @new age<5m.');
});

test.each([
	[80, 24],
	[160, 45],
])(
	'at %ix%i the window lists the addresses, the last loss and what it missed, which can be opened',
	(columns, rows) => {
		const monitor = open(columns, rows);
		monitor.press('M', 's');
		expect(monitor.frame()).toContain('The service has one address, and nothing was missed.');
		monitor.store.apply(state => ({...state, link: ON_B}));
		monitor.press('M', 's');
		expect(monitor.frame()).toMatch(/a\.example:4010 .*failed at [\d:]+: nothing listens at its address/);
		expect(monitor.frame()).toMatch(/b\.example:4010 .*serves now/);
		expect(monitor.frame()).toMatch(/c\.example:4010 .*not tried yet/);
		// What comes while it is open is in it.
		monitor.store.apply(state =>
			lossEnded(state, resumed({movedTo: 'b.example:4010', isRecovered: true, missed: missed('GONE')})),
		);
		expect(monitor.frame()).toMatch(/Moved to b\.example:4010 · 1 launch came and went meanwhile/);
		expect(monitor.frame()).toMatch(/GONE in new .*came and went/);
		monitor.press('j', 'j', 'j', 'j', '\r');
		expect(monitor.store.get().detail?.entry.symbol).toBe('GONE');
	},
);

test('a connection that brings nothing is not called live while its columns are old', () => {
	const monitor = open(160, 45);
	monitor.store.apply(state => ({...state, link: ON_B}));
	expect(monitor.frame().split('\n')[0]).toContain('live b.example:4010');
	monitor.store.apply(state => ({...state, nowMs: state.nowMs + 8000}));
	expect(monitor.frame()).toMatch(/NEW .*data 8s/);
	expect(monitor.frame().split('\n')[0]).toContain('connected, no new data b.example:4010');
	// One column that is up to date shows that the connection works.
	monitor.store.apply(state => columnChanged(state, 'bonded', c => ({...c, dataAtMs: state.nowMs})));
	expect(monitor.frame().split('\n')[0]).toContain('live b.example:4010');
});

test('the data of a service that stands still are said to be old, are dimmed, and nothing is signed on them', () => {
	const monitor = open(160, 45);
	expect(monitor.frame()).not.toMatch(/NEW .*data/);
	const sinceMs = NOW_MS - 20_000;
	monitor.store.apply(state => columnChanged({...state, link: ON_B}, 'new', c => stalenessArrived(c, sinceMs)));
	expect(monitor.frame()).toMatch(/NEW .*service's data 20s/);
	expect(monitor.frame().split('\n')[0]).toContain('connected, no new data b.example:4010');
	monitor.press('b');
	expect(monitor.frame()).toContain('The data is old');
	// Also not on what was read a moment ago: the service reads it out of the same market.
	const state = monitor.store.get();
	const entry = state.columns.new.rows.values().next().value!.entry;
	expect(judge(state, {entry, dataAtMs: NOW_MS}, {side: 'buy', atMs: NOW_MS, moments: []})).toMatchObject({
		why: expect.stringContaining('old'),
	});
	monitor.store.apply(before => columnChanged(before, 'new', c => freshened(stalenessArrived(c, undefined), NOW_MS)));
	expect(monitor.store.get().columns.new).not.toHaveProperty('staleSinceMs');
	expect(monitor.frame().split('\n')[0]).toContain('live b.example:4010');
});
