import {expect, test} from 'vitest';
import {whyOf} from '../../../../source/monitor/columns/why.ts';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import {snapshotArrived} from '../../../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../../../source/monitor/transitions/screen.ts';
import {
	describeColumn,
	describeDetails,
	describeToken,
	describeWhy,
	durationText,
} from '../../../../source/ui/plain/descriptions.ts';
import {coverageOf} from '../../../helpers/coverage.ts';
import {entryOf} from '../../../helpers/entries.ts';

const NOW = 1_700_000_000_000;
const state = initialState({
	size: {columns: 80, rows: 24},
	nowMs: NOW,
	service: {label: 'test', embedded: true},
	theme: 'dark',
	columns: {bonding: {filter: 'mcap>50k'}},
});

test('a token is one sentence, without signs that a reader would spell', () => {
	const entry = entryOf('a', {
		symbol: 'PEPE',
		name: 'Pepe Coin',
		created_at: NOW - 65_000,
		market_cap: 12_345,
		price_change_5min: -4.2,
		bonded: false,
		bonding_percentage: 43,
		dev_holdings_percentage: 40,
	});
	const sentence = describeToken(state, entry, '5min');
	expect(sentence).toBe(
		'PEPE, Pepe Coin, on SOL, 1 minute old, market cap 12.3K, change in 5m -4.2%, volume not known, holders not known, bonding 43%, bad: the developer holds 40%.',
	);
	expect(sentence).not.toMatch(/[▲▼●★│–]/);
});

test('what a row shows as a risk is said: no sale, taxes, who may mint or freeze, the worst first', () => {
	const security = {isHoneypot: true, sellTax: '12', isMintable: true, transferPausable: true};
	expect(describeToken(state, entryOf('a', {symbol: 'TRAP', is_spam: true, security}), '1h')).toContain(
		'bad: it cannot be sold, bad: more can be minted, bad: transfers can be frozen, bad: the service takes it for spam, warning: its tax is 12%.',
	);
});

test('an unknown figure is called unknown, never 0', () => {
	const dark = describeToken(state, entryOf('a', {symbol: 'DARK'}), '1h');
	expect(dark).toContain('market cap not known');
	expect(dark).toMatch(/, risk not known\.$/);
});

test('launches of a deployer on a followed chain are those of the time followed', () => {
	const entry = entryOf('a', {deployer: 'd', deployer_tokens_count: 1, deployer_migrations_count: 0}, 'evm:8453');
	const coverage = [coverageOf('base', {since: new Date(NOW - 7_200_000).toISOString()})];
	const followed = {...state, service: {...state.service, follow: {names: ['base'], coverage}}};
	expect(describeDetails(followed, entry)).toContain('Deployer: d, launched 1, of them bonded 0 in the 2h followed.');
	expect(describeDetails(state, entry)).toContain('Deployer: d, launched 1, of them bonded 0.');
});

test('a token that imitates known money is called bad', () => {
	expect(describeToken(state, entryOf('a', {symbol: 'USD\u0421'}), '1h')).toContain('bad: made to look like');
});

test.each([
	[undefined, 'not known'],
	[-5, '0 seconds'],
	[1000, '1 second'],
	[59_999, '59 seconds'],
	[7_200_000, '2 hours'],
	[86_400_000, '1 day'],
])('%s ms are %s', (ms, words) => {
	expect(durationText(ms)).toBe(words);
});

test('why a token is missing names the clauses that fail, column by column', () => {
	const entry = entryOf('a', {symbol: 'A', bonded: false, bonding_percentage: 5, volume_1h: 50, market_cap: 900});
	const shown = columnChanged(state, 'new', c => snapshotArrived(c, [entry], NOW));
	expect(describeWhy(whyOf(shown, entry, NOW))).toEqual([
		'In new: #1 of 1.',
		'Not in bonding: kept out.',
		'  mcap>50k fails: mcap 900 ≤ 50k.',
		'Not in bonded: kept out.',
		'  it has bonded fails: not bonded.',
	]);
});

test('a column says its number of tokens, its order and its filter', () => {
	const shown = columnChanged(state, 'bonding', c => snapshotArrived(c, [entryOf('a')], NOW));
	expect(describeColumn(shown.columns.bonding)).toBe(
		'Column bonding: 1 token, sorted by market cap, largest first, filter mcap>50k.',
	);
	expect(describeColumn(columnChanged(state, 'new', c => snapshotArrived(c, [], NOW)).columns.new)).toBe(
		'Column new: 0 tokens, sorted by date of creation, newest first, no filter.',
	);
});
