import {expect, test} from 'vitest';
import {FIRST_LINK} from '../../source/client/feed/feed-events.ts';
import type {Entry} from '../../source/contract/entry.ts';
import {topMode} from '../../source/monitor/state.ts';
import {changesArrived} from '../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../source/monitor/transitions/screen.ts';
import type {Store} from '../../source/store.ts';
import {type MoneyState, type MoneyStep, NO_TRADE, windowOpened} from '../../source/ui/money/money-state.ts';
import type {MoneyWindows} from '../../source/ui/money/money-windows.ts';
import {JUMP_MS, REPEAT_MS} from '../../source/ui/money/trade-key.ts';
import {tradeTitles} from '../../source/ui/money/trade-modal.tsx';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

const BASE = 'evm:8453';
const address = (at: number) => `0x${at.toString(16).padStart(40, 'a')}`;
const token = (at: number, figures: Partial<Entry> = {}, chainId = BASE) =>
	entryOf(address(at), {symbol: `T${at}`, created_at: NOW_MS - at * 1000, latest_price: 0.001, ...figures}, chainId);

/** A monitor with tokens in NEW, a feed that is live, and a clock that stands until it is moved. */
function openMonitor(entries: readonly Entry[] = [token(1), token(2), token(3)], start = {}) {
	let nowMs = NOW_MS;
	const monitor = openTestMonitor({
		clock: () => nowMs,
		openMoney: () => new Promise(() => {}),
		size: {columns: 160, rows: 45},
		...start,
	});
	monitor.store.apply(state => ({...state, link: {...FIRST_LINK, phase: 'live'}}));
	monitor.arrive('new', entries);
	return {
		...monitor,
		wait(ms: number) {
			nowMs += ms;
		},
		/** What the feed brings now. */
		bring: (upserts: readonly Entry[], removed: readonly string[] = []) =>
			monitor.store.apply(state => columnChanged(state, 'new', c => changesArrived(c, upserts, removed, nowMs))),
		/** Puts the cursor on a row, and lets the moment pass in which no trade key counts. */
		place(row: number) {
			monitor.press(...Array.from({length: row}, () => 'j'));
			nowMs += JUMP_MS;
		},
		/** What the open window is about. */
		target: () => {
			const mode = topMode(monitor.store.get());
			return mode.kind === 'trade' ? mode.target : undefined;
		},
		said: () => monitor.store.get().notice?.text,
	};
}

test('a trade key opens its window for the token under the cursor, with side, chain and whole address in sight', () => {
	const monitor = openMonitor();
	monitor.place(2);
	monitor.press('+');
	expect(monitor.target()).toMatchObject({side: 'buy', chainId: BASE, address: address(2), symbol: 'T2'});
	expect(monitor.frame()).toContain('Buy T2 on Base');
	expect(monitor.frame()).toContain(address(2));
	monitor.press('\u001b');
	monitor.press('-');
	expect(monitor.target()).toMatchObject({side: 'sell', address: address(2)});
	expect(monitor.frame()).toContain('Sell T2 on Base');
});

test('without a placed cursor a trade key opens nothing and says what to do', () => {
	const monitor = openMonitor();
	monitor.press('+');
	expect(monitor.target()).toBeUndefined();
	expect(monitor.said()).toBe('Choose a row first (j).');
});

test.each([
	['a token of Solana', token(1, {}, 'solana:solana'), '+', /Solana cannot be bought/],
	['a token of a chain without a bridge', token(1, {}, 'evm:1'), '-', /Ethereum cannot be sold/],
	['a honeypot', token(1, {security: {isHoneypot: true}}), '+', /honeypot/],
])('%s says at the key why it is not traded', (_, entry, key, why) => {
	const monitor = openMonitor([entry]);
	monitor.place(1);
	monitor.press(key);
	expect(monitor.target()).toBeUndefined();
	expect(monitor.said()).toMatch(why);
});

test('where the chain of a token is not traded, or the service is away, the hint says so before the key is pressed', () => {
	const monitor = openMonitor([token(1), token(2, {}, 'solana:solana')]);
	const hints = () => monitor.frame().split('\n').at(-1)!;
	monitor.press('j');
	expect(hints()).toMatch(/\+ buy {2}- sell/);
	monitor.press('j');
	expect(hints()).toContain('+ buy: not on Solana');
	expect(hints()).not.toContain('sell');
	monitor.press('k');
	monitor.store.apply(state => ({...state, link: {...FIRST_LINK, phase: 'reconnecting'} as typeof FIRST_LINK}));
	expect(hints()).toContain('+ buy: not live');
	expect(hints()).not.toContain('sell');

	const old = openMonitor();
	old.place(1);
	expect(old.frame()).toMatch(/\+ buy {2}- sell/);
	old.store.apply(state => ({...state, nowMs: state.nowMs + 15_001}));
	expect(old.frame()).toContain('+ buy: old data');
});

test('a honeypot can be sold, whoever holds one', () => {
	const monitor = openMonitor([token(1, {security: {isHoneypot: true}})]);
	monitor.place(1);
	expect(monitor.frame()).toMatch(/\+ buy: a honeypot {2}- sell/);
	monitor.press('-');
	expect(monitor.target()).toMatchObject({side: 'sell', isHoneypot: true});
	expect(monitor.frame()).toContain('honeypot');
});

test('figures older than 15 s, a feed that is not live, a recording, a read-only run and locked signing say so', () => {
	const old = openMonitor();
	old.place(1);
	old.wait(15_001);
	old.press('+');
	expect(old.said()).toMatch(/15 s old/);

	const cut = openMonitor();
	cut.place(1);
	cut.store.apply(state => ({...state, link: {...FIRST_LINK, phase: 'reconnecting'} as typeof FIRST_LINK}));
	cut.press('+');
	expect(cut.said()).toMatch(/not live/);

	const replay = openMonitor(undefined, {
		readOnly: true,
		service: {label: 'a.jsonl', embedded: false, recording: {phase: 'playing', speed: 1}},
	});
	replay.place(1);
	replay.press('+');
	expect(replay.said()).toBe('Not in a recording: buy.');

	const readOnly = openMonitor(undefined, {readOnly: true});
	readOnly.place(1);
	readOnly.press('-');
	expect(readOnly.said()).toBe('Not in read-only mode: sell.');

	const locked = openMonitor();
	locked.place(1);
	locked.press('!');
	locked.press('+');
	expect(locked.said()).toMatch(/Signing is locked/);
	for (const monitor of [old, cut, replay, readOnly, locked]) expect(monitor.target()).toBeUndefined();
});

test('a trade key takes the prices of the minutes before along, and none that came later', () => {
	const monitor = openMonitor();
	const remember = (beforeMs: number, price: number | undefined) => {
		const {columns, skewMs} = monitor.store.get();
		const priceOf = (key: string) => (key.endsWith(address(1)) ? price : 9);
		monitor.moments.push({atMs: NOW_MS - beforeMs, columns, skewMs, priceOf});
	};
	monitor.place(1);
	monitor.press('+');
	expect(monitor.target()).not.toHaveProperty('seen');
	monitor.press('\u001b');
	remember(600_000, 5);
	remember(240_000, 0.0008);
	for (const none of [undefined, 0, -1, 1e-30, 1e30, Number.NaN]) remember(120_000, none);
	remember(60_000, 0.002);
	remember(5000, 0.001);
	monitor.press('+');
	const seen = {lowUSD: 0.0008, highUSD: 0.002, count: 3, spanMs: 240_000 + JUMP_MS};
	expect(monitor.target()).toMatchObject({priceUSD: 0.001, seen});
	// The window keeps them, whatever the row becomes.
	remember(0, 7);
	monitor.bring([token(1, {latest_price: 7})]);
	expect(monitor.target()).toMatchObject({priceUSD: 0.001, seen});
});

test('in the rewound columns nothing is traded', () => {
	const monitor = openMonitor();
	monitor.place(1);
	const {columns, skewMs} = monitor.store.get();
	monitor.moments.push({atMs: NOW_MS - 5000, columns, skewMs} as (typeof monitor.moments)[number]);
	monitor.press('<');
	expect(topMode(monitor.store.get()).kind).toBe('rewind');
	monitor.press('+');
	expect(monitor.target()).toBeUndefined();
	expect(monitor.said()).toMatch(/^The past cannot be traded/);
});

test('a click or a jump to a row makes the trade keys wait a moment; a step of one row does not', () => {
	const monitor = openMonitor();
	monitor.place(1);
	monitor.press('j');
	monitor.press('+');
	expect(monitor.target()).toMatchObject({address: address(2)});
	monitor.press('\u001b');
	monitor.press('g');
	monitor.wait(JUMP_MS - 1);
	monitor.press('G');
	monitor.press('+');
	expect(monitor.target()).toBeUndefined();
	expect(monitor.said()).toMatch(/just moved/);
	monitor.wait(REPEAT_MS);
	monitor.press('+');
	expect(monitor.target()).toMatchObject({address: address(3)});
	monitor.press('\u001b');

	const row = monitor
		.frame()
		.split('\n')
		.findIndex(line => line.includes('T2'));
	monitor.press(`\u001b[<0;10;${row + 1}M`);
	monitor.wait(JUMP_MS - 1);
	monitor.press('+');
	expect(monitor.target()).toBeUndefined();
	monitor.wait(REPEAT_MS);
	monitor.press('+');
	expect(monitor.target()).toMatchObject({address: address(2)});
});

test('neither a paste, with marks or without, nor a key that repeats opens a window', () => {
	const monitor = openMonitor();
	monitor.place(1);
	monitor.press('\u001b[200~+2\r25\r\u001b[201~');
	expect(monitor.target()).toBeUndefined();
	monitor.press('+2\r25\r');
	expect(monitor.store.get().modes.some(({kind}) => kind === 'trade')).toBe(false);
	monitor.press('++++');
	expect(monitor.target()).toBeUndefined();

	const held = openMonitor();
	held.place(1);
	held.store.apply(state => ({...state, link: {...FIRST_LINK, phase: 'reconnecting'} as typeof FIRST_LINK}));
	held.press('+');
	held.store.apply(state => ({...state, link: {...FIRST_LINK, phase: 'live'}}));
	for (let repeats = 0; repeats < 40; repeats++) {
		held.wait(30);
		held.press('+');
	}
	expect(held.target()).toBeUndefined();
	held.wait(REPEAT_MS);
	held.press('+');
	expect(held.target()).toMatchObject({address: address(1)});
});

test('a token that has left every list opens nothing; one that was promoted is still the same token', () => {
	const monitor = openMonitor();
	monitor.place(2);
	monitor.change('new', [], [token(2).key]);
	monitor.press('+');
	expect(monitor.target()).toBeUndefined();
	expect(monitor.said()).toMatch(/has left the list/);
	monitor.arrive('bonded', [token(2, {bonded: true})]);
	monitor.wait(REPEAT_MS);
	monitor.press('+');
	expect(monitor.target()).toMatchObject({address: address(2), phase: 'bonded'});
});

test('what happens behind an open window changes nothing of what it is about', () => {
	const monitor = openMonitor();
	monitor.place(2);
	monitor.press('+');
	const before = monitor.target();
	monitor.change('new', [token(9, {created_at: NOW_MS}), token(2, {symbol: 'OTHER', latest_price: 9})], [token(1).key]);
	monitor.arrive('bonded', [token(2, {bonded: true})]);
	monitor.change('new', [], [token(2).key]);
	monitor.store.apply(state => ({...state, size: {columns: 80, rows: 24}}));
	expect(monitor.target()).toBe(before);
	expect(Object.isFrozen(before)).toBe(true);
	expect(monitor.frame()).toContain('Buy T2 on Base');
	expect(monitor.frame()).toContain(address(2));
});

test('500 keys on a list that moves all the time never trade another token than the one in the title', () => {
	const count = 30;
	const monitor = openMonitor(
		Array.from({length: count}, (_, at) => token(at + 1)),
		{size: {columns: 100, rows: 30}, isLazy: true},
	);
	let seed = 7;
	const random = (below: number) => {
		seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
		return Math.floor((seed / 2 ** 31) * below);
	};
	const KEYS = ['j', 'k', 'j', 'G', '+', '+', '-', '\u001b', '\r', '3', '\t'];
	let opened = 0;
	for (let presses = 0; presses < 500; presses++) {
		// Rows overtake each other, come and go: twenty times a second.
		const moved = Array.from({length: 5}, () => 1 + random(count));
		monitor.bring(
			moved.map(at => token(at, {created_at: NOW_MS + presses * 50 - random(60_000), symbol: `T${at}`})),
			random(4) === 0 ? [token(1 + random(count)).key] : [],
		);
		const state = monitor.store.get();
		const wasOpen = monitor.target();
		const under =
			state.detail?.entry ?? state.columns[state.focus].rows.get(state.columns[state.focus].cursor ?? '')?.entry;
		const key = KEYS[random(KEYS.length)]!;
		monitor.wait(random(600));
		monitor.press(key);
		const target = monitor.target();
		if (wasOpen && target) expect(target).toBe(wasOpen);
		if (!wasOpen && target) {
			opened++;
			expect(target.address).toBe(under?.address);
			expect(target.side).toBe(key === '+' ? 'buy' : 'sell');
			expect(tradeTitles(target)[0]).toBe(`${target.side === 'buy' ? 'Buy' : 'Sell'} ${target.symbol} on Base`);
		}
	}
	expect(monitor.frame()).toContain('pulsetop');
	expect(opened).toBeGreaterThan(15);
});

test('a number key that comes while the window opens counts once it is open, and not in a window that was closed', async () => {
	const typed: string[] = [];
	const opened: string[] = [];
	let load = (): void => {};
	let show = (_step: MoneyStep): void => {};
	const loaded = new Promise<void>(resolve => {
		load = resolve;
	});
	const trade = {
		async open({symbol}: {symbol: string}) {
			opened.push(symbol);
			show(symbol === 'T3' ? 'unlock' : 'form');
		},
		type: (key: string) => void typed.push(key),
		back: () => false,
		close() {},
		rows: () => [],
		hints: () => ({}),
	};
	const monitor = openMonitor(undefined, {
		openMoney: (money: Store<MoneyState>) =>
			loaded.then(() => {
				show = step => money.apply(state => ({...state, trade: {...windowOpened(NO_TRADE), step}}) as MoneyState);
				return {windows: {trade}, wallet: {keepUnlocked() {}}} as unknown as MoneyWindows;
			}),
	});
	monitor.place(1);
	monitor.press('+', '3', '\u001b');
	monitor.press('j');
	monitor.press('+', '-', '\r', '2');
	load();
	await expect.poll(() => typed).toEqual(['2']);
	expect(opened).toEqual(['T2']);
	monitor.press('\u001b');
	monitor.press('j', '+', '2');
	await expect.poll(() => opened).toEqual(['T2', 'T3']);
	await new Promise(resolve => setImmediate(resolve));
	expect(typed).toEqual(['2']);
});
