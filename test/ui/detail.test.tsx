import {expect, test} from 'vitest';
import {FIRST_LINK} from '../../source/client/feed/feed-events.ts';
import type {Entry, Holder} from '../../source/contract/entry.ts';
import type {CandleSeries} from '../../source/monitor/candles/candle-series.ts';
import {detailChanged, ticked} from '../../source/monitor/transitions/screen.ts';
import {glyphsFor} from '../../source/ui/glyphs.ts';
import {createScreenModel} from '../../source/ui/screen-model.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor, type TestMonitor} from '../helpers/monitor-app.tsx';

const MINUTE = 60_000;
const holder = (n: number): Holder => ({
	...{address: `0x${String(n).padStart(40, '0')}`, balance: 10, balanceUSD: 5, tags: []},
	...{boughtAmount: 0, boughtAmountUSD: 0, soldAmount: 0, soldAmountUSD: 0, realizedPnlUSD: 1, unrealizedPnlUSD: 0},
});
const token = (figures: Partial<Entry> = {}): Entry =>
	entryOf('0x00000000000000000000000000000000000000a1', {
		...{symbol: 'PEPE', created_at: NOW_MS - 18 * MINUTE, latest_price: 0.5, market_cap: 5000, holders_count: 3},
		...{dev_holdings_percentage: 7, deployer: '0x00000000000000000000000000000000000000d1', deployer_tokens_count: 4},
		...{deployer_migrations_count: 0, total_supply: 100},
		...figures,
	});

function open(size: {columns: number; rows: number}, figures: Partial<Entry> = {}): TestMonitor {
	const monitor = openTestMonitor({size});
	monitor.arrive('new', [token(figures)]);
	monitor.press('j', '\r');
	return monitor;
}

const places = (frame: string, ...texts: string[]): number[] =>
	texts.map(text => frame.split('\n').findIndex(line => line.includes(text)));

test.each([
	[80, 24],
	[120, 36],
])('what decides stands above the fold, in its order, at %ix%i', (columns, rows) => {
	const at = places(
		open({columns, rows}, {is_spam: true}).frame(),
		...[
			'SPAM: the service',
			'PRICE $0.5',
			'─ RISK',
			'developer',
			'DEVELOPER',
			'launched 4 tokens, 0 bonded',
			'TOP HOLDERS of 3',
		],
	);
	expect(at).toEqual(at.toSorted((a, b) => a - b));
	expect(at[0]).toBeGreaterThan(0);
});

test('a risk has its figure, its mark and its thresholds; what is not reported has a question mark', () => {
	const frame = open({columns: 120, rows: 36}).frame();
	expect(frame).toMatch(/developer +7\.0% \+ .* \+ 5 ! 15/);
	expect(frame).toMatch(/snipers +– \? /);
});

test.each([
	[{security: {isHoneypot: true}}, 'HONEYPOT: reported as impossible to sell'],
	[{is_spam: true}, 'SPAM: the service marks'],
	[{security: {buyTax: '3', sellTax: '25'}}, 'TAX: a trade loses 25% to it'],
])('what may lose all of a buyer’s money is said at the top of the smallest pane: %j', (figures, text) => {
	expect(open({columns: 50, rows: 16}, figures).frame()).toContain(`!! ${text}`);
});

test('a token without such reports has no warning', () => {
	const monitor = open({columns: 50, rows: 16}, {security: {isHoneypot: false, sellTax: '24.9'}, is_spam: false});
	expect(monitor.frame()).not.toContain('!!');
});

test.each([
	[80, 24],
	[160, 45],
])('the higher tax of a trade stands among the risks at %ix%i', (columns, rows) => {
	const taxed = open({columns, rows}, {security: {buyTax: '3', sellTax: '29'}}).frame();
	expect(taxed).toMatch(/trade tax +29% ! .*\+ 10 ! 25/);
	expect(open({columns, rows}).frame()).toMatch(/trade tax +\S \? .*\+ 10 ! 25/);
});

test('figures of a holder that are not reported are unknown, not zero', () => {
	const bare: Holder = {address: `0x${'7'.repeat(40)}`, tags: []};
	const line = (more: Partial<Holder>): string | undefined =>
		open({columns: 160, rows: 60}, {holders: [{...bare, ...more}], total_supply: 100})
			.frame()
			.split('\n')
			.find(text => text.includes('0x7777'));
	expect(line({})).toMatch(/0x7777\S+ +– +– +–/);
	expect(line({balance: 25, balanceUSD: 0, realizedPnlUSD: 3})).toMatch(/0x7777\S+ +25% +\$0 +–/);
	expect(line({balance: 0, realizedPnlUSD: 3, unrealizedPnlUSD: -1})).toMatch(/0x7777\S+ +0% +– +\+\$2/);
});

test('holders that cannot be read now are not announced', () => {
	const monitor = open({columns: 160, rows: 60});
	expect(monitor.frame()).toContain('top holders …');
	monitor.store.apply(state => ({...state, link: {...FIRST_LINK, phase: 'offline'}}));
	expect(monitor.frame()).toContain('not read: the service is away');
	expect(monitor.frame()).not.toContain('top holders …');
});

test('activity has only the windows of the token’s life', () => {
	expect(open({columns: 160, rows: 60}).frame()).toMatch(/ACTIVITY +1m +5m +15m +all *$/m);
	const old = open({columns: 160, rows: 60}, {created_at: NOW_MS - 90 * 24 * 60 * MINUTE});
	expect(old.frame()).toMatch(/ACTIVITY +5m +1h +6h +24h *$/m);
});

test('the timeframe fits the age of the token, and t changes it', () => {
	const monitor = open({columns: 160, rows: 60});
	expect(monitor.frame()).toContain('1h  t: timeframe');
	monitor.press('t');
	expect(monitor.frame()).toContain('6h  t: timeframe');
	expect(open({columns: 160, rows: 60}, {created_at: NOW_MS - 5 * 24 * 60 * MINUTE}).frame()).toContain('7d  t:');
});

test('nothing below the holders moves when they come', () => {
	const monitor = open({columns: 160, rows: 60});
	const before = monitor.frame();
	expect(before).toContain('top holders …');
	monitor.store.apply(state =>
		detailChanged(state, token().key, detail => ({
			...detail,
			entry: token({holders: [holder(1), holder(2), holder(3)]}),
			lookup: 'found',
			labels: {kind: 'ready', value: new Map(), atMs: NOW_MS},
		})),
	);
	const after = monitor.frame();
	expect(after).toMatch(/TOP HOLDERS of 3 .*share, value, profit/);
	const below = ['DEVELOPER', 'TOP HOLDERS', 'ACTIVITY', 'HOLDER GROUPS', '─ MARKET', 'SECURITY'];
	expect(places(after, ...below)).toEqual(places(before, ...below));
});

test('a token that the service does not report by itself waits for no holders, and says when its figures are old', () => {
	const monitor = open({columns: 160, rows: 60});
	const missing = (oldMs: number) => {
		monitor.store.apply(state =>
			detailChanged(state, token().key, detail => ({...detail, lookup: 'missing', entryAtMs: state.nowMs - oldMs})),
		);
		return monitor.frame();
	};
	expect(missing(20_000)).toMatch(/TOP HOLDERS of 3 .*\n.*not reported/);
	expect(missing(20_000)).not.toContain('top holders …');
	expect(missing(20_000)).not.toContain('not reported by the service');
	expect(missing(2 * MINUTE)).toContain('not reported by the service: figures of 2m ago');
});

test.each([
	['a record', {labels: []}, 'no labels'],
	['no record', {}, 'labels not reported'],
	['a record with its name alone', {entity: {name: 'Acme', labels: []}}, 'Acme'],
])('of a developer with %s the pane says no more than that', (_, record, text) => {
	const monitor = open({columns: 160, rows: 60});
	const {key, deployer} = token();
	const labels = new Map([[deployer!, {...record, address: deployer!, atMs: NOW_MS}]]);
	monitor.store.apply(state =>
		detailChanged(state, key, detail => ({...detail, labels: {kind: 'ready', value: labels, atMs: NOW_MS}})),
	);
	expect(monitor.frame().replace('funding not reported', '')).toContain(text);
	expect(monitor.frame().includes('no labels')).toBe(text === 'no labels');
});

test('the line ends in the live price, which stands in the heading too', () => {
	const monitor = open({columns: 160, rows: 60});
	const span = {fromMs: NOW_MS - 16 * MINUTE, toMs: NOW_MS - 20_000};
	const line = {points: [1, 2, 3], min: 1, max: 3, last: 3, unit: 'usd', span} as const;
	monitor.store.apply(state =>
		detailChanged(state, token().key, detail => ({
			...detail,
			sparkline: {kind: 'ready', value: line, atMs: NOW_MS},
		})),
	);
	expect(monitor.frame()).toMatch(/PRICE \$0\.5 [\s\S]*\$3 *\n[\s\S]* \$0\.5 *\n/);
	expect(monitor.frame()).toMatch(/16m ago +8m ago +now/);
	monitor.press('i');
	expect(monitor.frame()).toMatch(/ \$30\.0K *\n[\s\S]* \$5\.00K *\n[\s\S]*now +mcap/);
});

test('old data dims the open pane as it dims the columns, and says how old it is', () => {
	const monitor = open({columns: 160, rows: 60});
	const isDim = () => paneLine(monitor, 'launched 4 tokens')?.map(({style}) => style?.dimColor ?? false);
	expect(isDim()).toEqual([false]);
	monitor.store.apply(state => ticked(state, NOW_MS + 12_000));
	expect(monitor.frame()).toMatch(/PRICE \$0\.5 ─+ 12s old/);
	expect(isDim()).toEqual([true]);
});

/** The spans of a line of the pane, as they are painted. */
function paneLine({store}: TestMonitor, text: string) {
	const screen = createScreenModel({glyphs: glyphsFor(false)});
	return screen.detailLines(screen.of(store.get())).find(row =>
		row
			.map(span => span.text)
			.join('')
			.includes(text),
	);
}

test('a key figure that does not fit is left out whole', () => {
	const figures = {market_cap: 4_804_321, price_change_1h: 119.4, liquidity: 5_381_000, volume_1h: 1_752_000};
	const keyFigures = (columns: number): string =>
		/mcap \$4\.80M.*$/m.exec(open({columns, rows: 36}, {...figures, holders_count: 123_456}).frame())?.[0].trimEnd() ??
		'';
	expect(keyFigures(200)).toMatch(/liq \$5\.38M {2}vol 1h \$1\.75M {2}holders 123,456$/);
	for (const columns of [60, 50, 40])
		expect(keyFigures(columns)).toMatch(/(mcap|1h|liq|vol 1h|holders) [+$\d][\d.,%M]*$/);
});

test.each([
	[undefined, '–'],
	[120, '$120'],
])('beside the volume of candles stands the largest, %s as %s: unknown is not $0', (volumeUSD, label) => {
	const {store, press} = open({columns: 120, rows: 36});
	press('i', 'i');
	const candle = {startMs: NOW_MS, open: 1, high: 2, low: 1, close: 2, volumeUSD, isPartial: false};
	const series = {beganAtMs: NOW_MS, candles: () => [candle]} as Partial<CandleSeries> as CandleSeries;
	const screen = createScreenModel({glyphs: glyphsFor(false), candles: () => series});
	const lines = screen.detailLines(screen.of(store.get())).map(row =>
		row
			.map(({text}) => text)
			.join('')
			.trimEnd(),
	);
	const at = lines.findIndex(line => line.endsWith(' volume'));
	expect(lines[at - 1]).toMatch(new RegExp(` \\${label}$`));
});
