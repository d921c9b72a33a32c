import {expect, test} from 'vitest';
import type {Client} from '../../source/client/client.ts';
import {
	type Feed,
	type FeedEvent,
	type FeedOptions,
	FIRST_LINK,
	type ViewRequest,
} from '../../source/client/feed/feed-events.ts';
import type {Entry} from '../../source/contract/entry.ts';
import {topMode} from '../../source/monitor/state.ts';
import type {PositionBook} from '../../source/trading/positions/book.ts';
import {foldTrades} from '../../source/trading/positions/fold.ts';
import type {Holdings} from '../../source/trading/positions/open-positions.ts';
import type {Amount} from '../../source/trading/positions/position.ts';
import type {SettledTrade} from '../../source/trading/positions/settled.ts';
import type {TradeUnderWay} from '../../source/trading/positions/under-way.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';
import {trade, usd, WALLET} from '../unit/trading/positions/trades.ts';
import {shows} from './screens-fixture.ts';

const MINUTE = 60_000;
const addressOf = (symbol: string): string => `0x${Buffer.from(symbol).toString('hex').padStart(40, '0')}`;

/** A buy or a sell of a token by its symbol, in whole tokens and dollars, some minutes ago. */
function traded(
	symbol: string,
	side: 'buy' | 'sell',
	tokens: number,
	dollars: number,
	more: Partial<SettledTrade> & {readonly minutesAgo?: number} = {},
): SettledTrade {
	const {minutesAgo = 10, ...given} = more;
	return trade({
		side,
		symbol,
		token: addressOf(symbol),
		tokenRaw: usd(tokens),
		usdMicro: usd(dollars),
		feeMicro: usd(0.05),
		atMs: NOW_MS - minutesAgo * MINUTE,
		...given,
	});
}

const underWay = (symbol: string, more: Partial<TradeUnderWay> = {}): TradeUnderWay => ({
	intentId: `0x${symbol}`,
	wallet: WALLET,
	side: 'buy',
	key: `evm:8453|${addressOf(symbol)}`,
	chainId: 'evm:8453',
	token: addressOf(symbol),
	symbol,
	sinceMs: NOW_MS - 5000,
	state: 'moving',
	...more,
});

/** What the journal and the chains say: amounts in whole tokens by symbol, a text for why one was not read. */
function readOf(
	trades: readonly SettledTrade[],
	amounts: Readonly<Record<string, number | string>>,
	more: Partial<Holdings> = {},
): Holdings {
	const holdings = foldTrades(trades, more.gone);
	return {
		holdings,
		amounts: new Map(
			holdings.map(({id, symbol, trackedRaw}): [string, Amount] => {
				const amount = amounts[symbol];
				if (typeof amount === 'string') return [id, {kind: 'unread', why: amount}];
				return [id, {kind: 'read', raw: amount === undefined ? trackedRaw : usd(amount), atMs: NOW_MS}];
			}),
		),
		gone: new Set(),
		underWay: [],
		...more,
	};
}

const entry = (symbol: string, latest_price?: number): Entry =>
	entryOf(addressOf(symbol), {symbol, ...(latest_price !== undefined && {latest_price})}, 'evm:8453');

/** A monitor over a book that a test writes, and whose client opens feeds that a test feeds by hand. */
function open({
	clock,
	read,
	size = {columns: 160, rows: 24},
	ascii,
}: {
	read: Holdings;
	size?: {columns: number; rows: number};
	ascii?: boolean;
	clock?: () => number;
}) {
	const feeds: {options: FeedOptions; views: Map<string, ViewRequest>; isClosed: boolean}[] = [];
	const looked: unknown[] = [];
	const client: Partial<Client> = {
		fetchToken: async token => {
			looked.push(token);
			return entryOf(token.address, {symbol: 'AAA', latest_price: 0.06}, token.chainId);
		},
		watchToken: () => ({close() {}}) as Partial<Feed> as Feed,
		sparkline: () => new Promise(() => {}),
		labels: () => new Promise(() => {}),
		openFeed: options => {
			const feed = {options, views: new Map(Object.entries(options.request.views)), isClosed: false};
			feeds.push(feed);
			return {
				setView: (name, request) => feed.views.set(name, request),
				view: () => undefined,
				retryNow() {},
				close() {
					feed.isClosed = true;
				},
			} as Partial<Feed> as Feed;
		},
	};
	let now = read;
	const listeners = new Set<() => void>();
	const asked: (((chainId: string) => boolean) | undefined)[] = [];
	const book: PositionBook = {
		get: () => (asked.length === 0 ? {} : {read: now, readAtMs: NOW_MS}),
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		isOld: () => false,
		async refresh({startsChain} = {}) {
			asked.push(startsChain);
			for (const listener of [...listeners]) listener();
		},
	};
	const monitor = openTestMonitor({
		size,
		client: client as Client,
		openPositions: async () => book,
		...(ascii !== undefined && {ascii}),
		...(clock && {clock}),
	});
	return {
		monitor,
		feeds,
		asked,
		looked,
		heard(...entries: readonly Entry[]): void {
			feeds
				.at(-1)!
				.options.onEvent({type: 'snapshot', atMs: NOW_MS, source: 'init', view: 'positions', entries} as FeedEvent);
			monitor.screens.flush();
		},
		/** The journal or a chain moved on. */
		becomes(next: Holdings): void {
			now = next;
			for (const listener of [...listeners]) listener();
		},
	};
}

const MIXED = readOf(
	[
		traded('AAA', 'buy', 1000, 25, {minutesAgo: 90}),
		traded('AAA', 'sell', 500, 20, {minutesAgo: 30}),
		traded('BBB', 'buy', 200, 50),
		traded('MOV', 'buy', 100, 20),
		traded('AIR', 'buy', 100, 20),
		traded('NON', 'buy', 100, 20),
		traded('NOP', 'buy', 100, 20),
		traded('TIN', 'buy', 100, 2),
		traded('DUS', 'buy', 100, 2),
		traded('OUT', 'buy', 100, 10, {minutesAgo: 200}),
		traded('OUT', 'sell', 100, 13, {minutesAgo: 100}),
	],
	{MOV: 40, AIR: 150, NON: 'no node of Base is configured'},
);
const PRICES = [
	entry('AAA', 0.05),
	entry('BBB', 0.2),
	entry('MOV', 0.3),
	entry('AIR', 0.3),
	entry('NON', 0.3),
	entry('TIN', 0.001),
	entry('DUS', 0.002),
];

test('m lists what is held with its cost, its value and its profit, and Enter opens the token', async () => {
	const {monitor, feeds, heard} = open({read: MIXED, size: {columns: 180, rows: 24}});
	monitor.press('m');
	await shows(monitor, 'POSITIONS');
	await shows(monitor, /AAA +BASE/);
	expect(feeds[0]!.views.get('positions')).toMatchObject({excludeLPTokens: false});
	heard(...PRICES);
	const frame = monitor.frame();
	// Bought 1000 for $25, half of it sold for $20: 500 at an average of 2.5 cents, worth 5 cents each.
	expect(frame).toMatch(/AAA +BASE +500 +\$0\.025 +\$0\.05 +\$25\.00 +\+\$12\.50 +\+100% +\+\$7\.50 +1h/);
	expect(frame).toMatch(/BBB +BASE +200 +\$0\.25 +\$0\.2 +\$40\.00 +-\$10\.00 +-20\.0% +10m/);
	// 60 of 100 were moved elsewhere: $8 of the cost are left, and no loss was made by that.
	expect(frame).toMatch(
		/MOV +BASE +40 +\$0\.2 +\$0\.3 +\$12\.00 +\+\$4\.00 +\+50\.0% .*60 moved elsewhere, and their cost with them/,
	);
	expect(frame).toMatch(/AIR +BASE +150 +\$0\.2 +\$0\.3 +\$45\.00 +\+\$10\.00 +\+50\.0% .*50 not bought here: no cost/);
	expect(frame).toMatch(/NON +BASE +– +\$0\.2 +\$0\.3 +– +– +– .*amount not read: no node of/);
	expect(frame).toMatch(/NOP +BASE +100 +\$0\.2 +– +– +– .*no price: the service does not report it now/);
	expect(frame).toContain('2 small ones, $0.30');
	expect(frame).toContain('1 sold whole, realised +$3.00');
	// The sums have the folded ones: 25 + 40 + 12 + 45 + 0.1 + 0.2; 12.5 - 10 + 4 + 10 - 1.9 - 1.8; 7.5 + 3.
	expect(frame).toMatch(/value \$122\.30 +open \+\$12\.80 \+13\.5% +realised \+\$10\.50 +2 without a value/);
	monitor.press('\r');
	expect(monitor.store.get().detail?.entry.symbol).toBe('AIR');
	monitor.press('\u001b');
	expect(monitor.frame()).toContain('POSITIONS');
	monitor.press('q');
	expect(feeds[0]!.isClosed).toBe(true);
});

test('the words of the marked line say what its note means', async () => {
	const {monitor, heard} = open({read: MIXED});
	monitor.press('m');
	await shows(monitor, /AAA +BASE/);
	heard(...PRICES);
	const words: string[] = [];
	for (let at = 0; at < 6; at++) {
		words.push(monitor.frame().split('\n').at(-4)!.trim());
		monitor.press('j');
	}
	expect(words).toEqual([
		'AIR: 50 not bought here: no cost.',
		expect.stringMatching(/^BBB {2}0x0+424242 on Base$/),
		expect.stringMatching(/^AAA {2}0x0+414141 on Base$/),
		'MOV: 60 moved elsewhere, and their cost with them.',
		'NOP: no price: the service does not report it now.',
		'NON: amount not read: no node of Base is configured.',
	]);
});

test('the worst risk of what is held stands in its line at every width', async () => {
	for (const columns of [56, 80, 86, 100, 160, 240]) {
		const {monitor, heard} = open({read: MIXED, size: {columns, rows: 24}});
		monitor.press('m');
		await shows(monitor, /AAA .*500/);
		const trap: Entry = {...entry('AAA', 0.05), security: {isHoneypot: true}};
		heard(...PRICES.slice(1), trap);
		const frame = monitor.frame();
		expect(frame).toMatch(/AAA .* honey!/);
		expect(frame).toMatch(/AIR .* (?:part given|50 not bought here)/);
		if (columns >= 100) {
			expect(frame).toMatch(/TOKEN .* RISK +NOTE/);
			// Nobody reported its flags.
			expect(frame).toMatch(/BBB .* \?/);
		}
		monitor.close();
	}
});

test('small ones are folded, and Enter shows them', async () => {
	const {monitor, heard} = open({read: MIXED});
	monitor.press('m');
	await shows(monitor, /AAA +BASE/);
	heard(...PRICES);
	expect(monitor.frame()).not.toContain('DUS');
	monitor.press('G', 'k', '\r');
	expect(monitor.frame()).toMatch(/2 small ones.*\n.*DUS .*\n.*TIN /);
	monitor.press('\r');
	expect(monitor.frame()).not.toContain('DUS');
});

test('- opens the window that sells the marked token, with figures that are not old', async () => {
	let nowMs = NOW_MS;
	const {monitor, heard, looked} = open({read: MIXED, clock: () => nowMs});
	monitor.store.apply(state => ({...state, link: {...FIRST_LINK, phase: 'live'}}));
	monitor.press('m');
	await shows(monitor, /AAA +BASE/);
	heard(...PRICES);
	monitor.press('j', 'j', '-');
	expect(topMode(monitor.store.get())).toMatchObject({
		kind: 'trade',
		target: {side: 'sell', chainId: 'evm:8453', address: addressOf('AAA'), priceUSD: 0.05},
	});
	expect(looked).toEqual([]);
	// The wallet of this test cannot be opened: the window closes again, over the screen.
	await expect.poll(() => topMode(monitor.store.get()).kind).toBe('positions');
	nowMs += 20_000;
	monitor.press('-');
	await expect.poll(() => topMode(monitor.store.get())).toMatchObject({kind: 'trade', target: {priceUSD: 0.06}});
	expect(looked).toEqual([{chainId: 'evm:8453', address: addressOf('AAA')}]);
});

test('- says why a line cannot be sold', async () => {
	const {monitor, heard} = open({read: MIXED});
	monitor.press('m');
	await shows(monitor, /AAA +BASE/);
	heard(...PRICES);
	monitor.press('G', '-');
	expect(monitor.frame()).toContain('There is no position here to sell: mark one first.');
	monitor.press('\r', 'G', '-');
	expect(monitor.frame()).toContain('No OUT is left to sell.');
	monitor.store.apply(state => ({...state, readOnly: true}));
	monitor.press('g', '-');
	expect(topMode(monitor.store.get()).kind).toBe('positions');
});

test('prices that move change the figures, not the order', async () => {
	const {monitor, heard} = open({read: MIXED});
	monitor.press('m');
	await shows(monitor, /AAA +BASE/);
	heard(...PRICES);
	const before = symbolsIn(monitor.frame());
	expect(before).toEqual(['AIR', 'BBB', 'AAA', 'MOV', 'NOP', 'NON']);
	heard(...PRICES.filter(({symbol}) => symbol !== 'AAA'), entry('AAA', 1));
	expect(monitor.frame()).toMatch(/AAA +BASE +500 +\$0\.025 +\$1 +\$500\.00/);
	expect(symbolsIn(monitor.frame())).toEqual(before);
	monitor.press('s', 's', 's', 's');
	expect(symbolsIn(monitor.frame())).toEqual(['AAA', 'AIR', 'BBB', 'MOV', 'NOP', 'NON']);
});

test('tab shows every trade with its fees and its profit', async () => {
	const {monitor} = open({read: {...MIXED, underWay: [underWay('NEW')]}});
	monitor.press('m');
	await shows(monitor, /AAA +BASE/);
	monitor.press('\t');
	const frame = monitor.frame();
	expect(frame).toMatch(/TRADES +LOG +WATCH LIST +\d+ settled/);
	expect(frame).toMatch(/NEW +BASE +buy +5s .*under way/);
	expect(frame).toMatch(/AAA +BASE +sell +30m .* 500 +\$0\.04 +\+\$20\.00 +\$0\.05 +\+\$7\.50/);
	expect(frame).toMatch(/AAA +BASE +buy +1h .* 1000 +\$0\.025 +-\$25\.00 +\$0\.05 *\n/);
	monitor.press('\u001b');
	expect(monitor.frame()).toMatch(/POSITIONS .* held/);
});

test('] and [ turn over positions, trades, the log and the watch list, and Esc leads from each of them to the columns', async () => {
	const {monitor} = open({read: MIXED});
	monitor.press('m');
	await shows(monitor, /POSITIONS +TRADES +LOG +WATCH LIST +\d+ held/);
	monitor.press(']');
	await shows(monitor, /\d+ settled/);
	monitor.press(']');
	await shows(monitor, /No records yet/);
	expect(monitor.store.get().modes.map(({kind}) => kind)).toEqual(['list', 'actionLog']);
	monitor.press(']');
	await shows(monitor, /0 pinned/);
	expect(monitor.store.get().modes.map(({kind}) => kind)).toEqual(['list', 'watchlist']);
	monitor.press(']');
	await shows(monitor, /\d+ held/);
	monitor.press('[');
	await shows(monitor, /0 pinned/);
	monitor.press('[');
	await shows(monitor, /No records yet/);
	monitor.press('[');
	await shows(monitor, /\d+ settled/);
	monitor.press(']');
	await shows(monitor, /No records yet/);
	monitor.press('\u001b');
	expect(monitor.store.get().modes.map(({kind}) => kind)).toEqual(['list']);
	monitor.press('m');
	await shows(monitor, /\d+ held/);
});

test('a buy under way stands before what is held, and is not counted', async () => {
	const {monitor, becomes} = open({read: {...MIXED, underWay: [underWay('NEW')]}});
	monitor.press('m');
	expect(await shows(monitor, /NEW +BASE .*buying/)).toContain('Buying NEW on Base: sent, and not ended yet.');
	becomes(readOf([traded('NEW', 'buy', 10, 25, {minutesAgo: 0})], {}));
	expect(await shows(monitor, /NEW +BASE +10 +\$2\.5/)).not.toContain('buying');
});

test('what no chain has shown is said, and not counted', async () => {
	const {monitor} = open({read: readOf([], {}, {underWay: [underWay('NEW', {state: 'unseen'})]})});
	monitor.press('m');
	expect(await shows(monitor, /NEW .*not seen/)).toContain(
		'Buying NEW on Base: done, says the service, but no chain has shown it. It is not counted.',
	);
});

test('a practice chain that was reset: what was held is gone, and is not invented', async () => {
	const old = traded('OLD', 'buy', 100, 20);
	const {monitor} = open({read: readOf([old, traded('AAA', 'buy', 10, 5)], {}, {gone: new Set([old.intentId])})});
	monitor.press('m');
	await shows(monitor, '1 gone with a practice chain that was reset');
	monitor.press('j', '\r', 'j');
	expect(monitor.frame()).toMatch(/OLD +BASE +0 .*reset/);
	expect(monitor.frame()).toContain('the practice chain Base was reset: 100 are gone with it');
});

test('without a trade the screen says what it is for, and asks for no feed', async () => {
	const {monitor, feeds} = open({read: readOf([], {})});
	monitor.press('m');
	await shows(monitor, 'Nothing was bought or sold here yet.');
	expect(feeds).toEqual([]);
});

test('a second wallet has its own line, and a column says which', async () => {
	const other = `0x${'bb'.repeat(20)}`;
	const read = readOf([traded('AAA', 'buy', 10, 5), traded('AAA', 'buy', 20, 5, {wallet: other})], {});
	const {monitor} = open({read});
	monitor.press('m');
	expect(await shows(monitor, /AAA +BASE +0xaaaa…aaaa/)).toMatch(/AAA +BASE +0xbbbb…bbbb +20/);
});

test.each([
	[80, 24],
	[160, 45],
	[40, 12],
])('at %ix%i every line fits, and the figures that matter most are there', async (columns, rows) => {
	const {monitor, heard} = open({read: MIXED, size: {columns, rows}});
	monitor.press('m');
	await shows(monitor, 'AIR');
	heard(...PRICES);
	const frame = monitor.frame();
	for (const line of frame.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
	if (columns < 80) return;
	expect(frame).toMatch(/TOKEN +(CHAIN +)?AMOUNT +AVG COST +NOW +VALUE .*OPEN %/);
	expect(frame).toMatch(/AAA .*500 +\$0\.025 +\$0\.05 +\$25\.00 .*\+100%/);
	expect(frame).toMatch(/value \$122\.30 +open \+\$12\.80 \+13\.5% +realised \+\$10\.50/);
});

test('the marked line stays in sight at 80x24 with more positions than lines', async () => {
	const many = Array.from({length: 40}, (_, n) => traded(`T${n + 10}`, 'buy', 100, 20 + n));
	const {monitor} = open({read: readOf(many, {}), size: {columns: 80, rows: 24}});
	monitor.press('m');
	await shows(monitor, 'POSITIONS');
	for (const keys of [['j', 'j', 'j'], ['G'], ['k', 'k', 'k'], [...'k'.repeat(20)], ['g']]) {
		monitor.press(...keys);
		expect(monitor.frame()).toMatch(/^▌ {2}T/m);
	}
});

test('rows are marked where something is held or under way, without starting a chain for it', async () => {
	const read = {...readOf([traded('AAA', 'buy', 100, 20)], {}), underWay: [underWay('BBB')]};
	const {monitor, asked, becomes} = open({read});
	monitor.arrive('new', [entry('AAA', 0.3), entry('BBB', 1), entry('CCC', 1)]);
	expect(monitor.frame()).not.toContain('•AAA');
	monitor.followPositions();
	const frame = await shows(monitor, '•AAA');
	expect(frame).toContain('◦BBB');
	expect(frame).toContain(' CCC');
	expect(asked).toHaveLength(1);
	expect(asked[0]!('evm:8453')).toBe(false);
	becomes(readOf([traded('AAA', 'buy', 100, 20), traded('AAA', 'sell', 100, 30, {minutesAgo: 1})], {}));
	expect(monitor.frame()).not.toContain('•AAA');
});

test('the pane of a token says what is held of it, and only then its chain is started', async () => {
	const read = readOf([traded('AAA', 'buy', 100, 20)], {AAA: 50});
	const {monitor, asked} = open({read});
	monitor.arrive('new', [entry('AAA', 0.3)]);
	monitor.followPositions();
	await shows(monitor, '•AAA');
	monitor.press('j', '\r');
	expect(monitor.frame()).toMatch(/• held 50 +avg \$0\.2 +value \$15 +open \+\$5 \+50\.0%/);
	expect(monitor.frame()).toContain('50 moved elsewhere');
	await expect.poll(() => asked.length).toBe(2);
	expect(asked[1]!('evm:8453')).toBe(true);
	expect(asked[1]!('evm:137')).toBe(false);
});

test('in ASCII the marks are letters of ASCII', async () => {
	const read = {...readOf([traded('AAA', 'buy', 100, 20)], {}), underWay: [underWay('BBB')]};
	const {monitor} = open({read, ascii: true});
	monitor.arrive('new', [entry('AAA', 0.3), entry('BBB', 1)]);
	monitor.followPositions();
	expect(await shows(monitor, '@AAA')).toContain(':BBB');
	monitor.press('m');
	expect(await shows(monitor, 'AVG COST')).toMatch(/^[\n -~]*$/);
});

/** Symbols at the beginnings of lines, in their order. */
function symbolsIn(frame: string): string[] {
	return frame.split('\n').flatMap(line => /^[▌ ] {2}([A-Z]{3}) /.exec(line)?.[1] ?? []);
}
