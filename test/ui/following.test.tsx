import {expect, test} from 'vitest';
import {startOf} from '../../source/commands/config/start.ts';
import {loadConfig} from '../../source/config/config.ts';
import type {ChainCoverage} from '../../source/contract/coverage.ts';
import {NO_CHOICES} from '../../source/monitor/choices.ts';
import {coverageRead} from '../../source/monitor/following.ts';
import {cellWidth} from '../../source/text.ts';
import {clock} from '../../source/ui/format.ts';
import {coverageOf} from '../helpers/coverage.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

const env = {HOME: '/nowhere'};
const follow = ['base=wss://node.example.com/s3cret', 'bnb=https://other.example.com/s3cret'];
const alone = await loadConfig({flags: {theme: 'dark', follow}, env});
const beside = await loadConfig({flags: {theme: 'dark', follow, 'base-url': 'https://api.example.com'}, env});

/** A monitor of followed chains, and its first line. */
function open(columns: number, {config = alone, coverage}: {config?: typeof alone; coverage?: ChainCoverage[]} = {}) {
	const monitor = openTestMonitor({...startOf(config, NO_CHOICES, {columns, rows: 24}), nowMs: NOW_MS});
	if (coverage) monitor.store.apply(state => coverageRead(state, coverage, NOW_MS));
	return {...monitor, header: () => monitor.frame().split('\n')[0]!.trimEnd()};
}

const BOTH = [coverageOf('base'), coverageOf('bnb')];

test.each([80, 100, 160, 200])(
	'at %i columns the first line says which chains are live and how far behind',
	columns => {
		const {header} = open(columns, {coverage: BOTH});
		expect(header()).toMatch(/^ pulsetop {2}LIVE {2}base, bnb · 1\.2 s behind /);
		expect(cellWidth(header())).toBeLessThanOrEqual(columns);
		expect(header()).not.toContain('PRACTICE');
		expect(header()).not.toContain('simulated');
	},
);

test('before the first report it says that it starts', () => {
	expect(open(80).header()).toContain('LIVE  base, bnb · starting');
});

test('the reason of a stall stands there at every width, as far as there is room', () => {
	const why = 'its head went back below block 48,112,903, which was final';
	const coverage = [coverageOf('base', {state: 'stalled', why}), coverageOf('bnb')];
	expect(open(160, {coverage}).header()).toContain(`LIVE  base, bnb · base is stalled: ${why}`);
	const narrow = open(80, {coverage}).header();
	expect(narrow).toContain('LIVE  base +1 · base is stalled: its head went back');
	expect(cellWidth(narrow)).toBeLessThanOrEqual(80);
	// The whole of it is a notice.
	expect(open(80, {coverage}).store.get().notice?.text).toBe(`base is stalled: ${why}`);
	expect(open(80, {coverage: [coverage[0]!]}).header()).toContain(' NOT LIVE ');
});

test('money keys say why they do nothing, and are not hinted', () => {
	const monitor = open(160, {coverage: BOTH});
	monitor.arrive('new', [entryOf('first', {symbol: 'FIRST'})]);
	monitor.press('j');
	expect(monitor.frame()).not.toMatch(/buy|bridge|positions/);
	for (const key of ['+', '-', 'b', 'm']) {
		monitor.press(key);
		expect(monitor.frame(), key).toContain(
			'This market is real, and no money service is configured: --base-url names one.',
		);
	}
	monitor.press('M', 'o', 'M');
	expect(monitor.frame()).toMatch(/o {2}Cancel orders +this market is real/i);
	monitor.press('p');
	expect(monitor.frame()).toContain('Nodes of chains have no prediction markets');
});

test('beside a hosted service its host is named, and money keys open their windows', () => {
	const monitor = open(160, {config: beside, coverage: BOTH});
	expect(monitor.header()).toContain('base, bnb · 1.2 s behind money: api.example.com');
	expect(monitor.store.get().service.noMoney).toBeUndefined();
});

test('an empty column says what is awaited, and since when', () => {
	const monitor = open(160);
	monitor.arrive('new', []);
	expect(monitor.frame()).toContain('Nothing of base, bnb has been read yet.');
	monitor.store.apply(state => coverageRead(state, BOTH, NOW_MS));
	const since = clock(Date.parse(BOTH[0]!.since!));
	expect(monitor.frame()).toContain(`base, bnb, followed since ${since}:`);
});

const DEV = '0x00000000000000000000000000000000000000d1';

test.each([
	[
		'a chain that reported since when',
		[coverageOf('base', {since: new Date(NOW_MS - 3 * 3_600_000).toISOString()})],
		' in the 3h followed',
	],
	['a chain that reported no beginning', [coverageOf('base', {since: null})], ' while followed'],
	['no report yet', undefined, ' while followed'],
])('launches of a deployer are those of the time followed: %s', (_, coverage, text) => {
	const monitor = open(160, coverage && {coverage});
	const figures = {deployer: DEV, deployer_tokens_count: 1, deployer_migrations_count: 0};
	monitor.arrive('new', [entryOf('0x00000000000000000000000000000000000000a1', figures, 'evm:8453')]);
	monitor.press('j', '\r');
	expect(monitor.frame()).toContain(`launched 1 token, 0 bonded${text}`);
});

test('the help says what LIVE is, and nothing of practice', () => {
	const monitor = open(80, {coverage: BOTH});
	monitor.press('?');
	expect(monitor.frame()).toMatch(/LIVE, behind +Real launches\. Yellow: late or incomplete\. Red: stopped\./);
	expect(monitor.frame()).not.toContain('PRACTICE');
});

test('no part of an address but its host is anywhere in the state', () => {
	for (const config of [alone, beside]) expect(JSON.stringify(open(80, {config}).store.get())).not.toContain('s3cret');
});
