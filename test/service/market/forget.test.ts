import {expect, test} from 'vitest';
import {Engine} from '../../../source/service/market/engine.ts';
import {Entries} from '../../../source/service/market/entries.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {walletRecord} from '../../../source/service/market/labels.ts';
import {priceHistory} from '../../../source/service/market/price-history.ts';
import {fc} from '../../helpers/properties.ts';
import {AMM, CHAIN, CURVE, fund, launch, profile, START_MS, trade, transfer} from './make-events.ts';

const WALLETS = ['Ann', 'Bob', 'Cid', 'Dev', 'Eve'] as const;
const TOKENS = ['One', 'Two', 'Three'] as const;
const HOUR = 3_600_000;
const FUNDS = [fund('Ann', 'Eve', START_MS - HOUR), fund('Bob', 'Dev', START_MS - 2 * HOUR)];
const NOBODY = {entityOf: () => undefined, platform: () => undefined};

type Step = {readonly what: number; readonly a: number; readonly b: number; readonly n: number; readonly waitS: number};

/** Any sequence of events of one token, in the order of their times. */
const LIFE = fc.record({
	first: fc.record({what: fc.nat(7), a: fc.nat(4), n: fc.nat(3)}),
	steps: fc.array(
		fc.record<Step>({
			what: fc.nat(20),
			// One wallet trades most: a professional in some stories.
			a: fc.constantFrom(0, 0, 0, 0, 0, 1, 2, 3, 4),
			b: fc.nat(4),
			n: fc.integer({min: 1, max: 40}),
			waitS: fc.oneof(
				{weight: 12, arbitrary: fc.nat(4)},
				{weight: 4, arbitrary: fc.nat(900)},
				{weight: 1, arbitrary: fc.nat(60_000)},
			),
		}),
		{maxLength: 160, size: 'max'},
	),
});
type Life = typeof LIFE extends fc.Arbitrary<infer T> ? T : never;

function eventsOf(token: string, {first, steps}: Life): MarketEvent[] {
	let timeMs = START_MS + first.n * 1000;
	const pools = [`${token}Curve`, `${token}Amm`, `${token}Side`];
	const of = (block: number) => ({token, chainId: CHAIN, timeMs, block});
	const events: MarketEvent[] = [
		launch({
			...of(100),
			deployer: first.a === 4 ? null : WALLETS[first.a]!,
			pool: {...CURVE, address: pools[0]!},
			curveSale: first.what & 1 ? 800 : null,
			balances: first.what & 2 ? 'transfers' : 'trades',
			holdersReported: (first.what & 4) === 0,
			profile: first.n > 1 ? {twitter: `https://x.com/${first.n}`} : {},
		}),
	];
	for (const [index, {what, a, b, n, waitS}] of steps.entries()) {
		timeMs += waitS * 1000;
		const block = 100 + Math.floor(index / 3);
		const wallet = WALLETS[a]!;
		const pool = b === 0 ? pools[1]! : b === 1 ? pools[2]! : null;
		const isUnpriced = n === 13;
		const value = isUnpriced
			? {valueUSD: null, feeUSD: null, quoteUSD: null}
			: {valueUSD: n * (b + 1) * 256, feeUSD: n};
		const spot = n % 3 === 0 ? {} : {spotQuote: n / 64};
		const change = {...of(block), pool, amountToken: n, amountQuote: n / 4, ...value, ...spot};
		if (what < 14) events.push(trade(wallet, what % 2 ? 'sell' : 'buy', {...change, wallet: n === 17 ? null : wallet}));
		else if (what < 16) events.push(transfer(wallet, WALLETS[b]!, n, of(block)));
		else if (what === 16) events.push({...of(block), ...profile({twitter: `https://x.com/${n % 4}`}, token), timeMs});
		else if (what === 17) {
			const {wallet: _, ...rest} = {...change, wallet};
			events.push({...of(block), type: 'liquidity', pool: rest.pool, wallet, amountToken: n, amountQuote: n});
		} else if (what === 18 && n < 6) {
			const main = n > 3 && !events.some(event => event.type === 'migrate' && event.main);
			const address = pools[main ? 1 : 2]!;
			if (events.some(event => event.type === 'migrate' && event.pool.address === address)) continue;
			events.push({...of(block), type: 'migrate', pool: {...AMM, address}, reserveToken: 64, reserveQuote: 16, main});
		} else if (what === 19) {
			events.push({...of(block), type: 'reserves', pool, reserveToken: n, reserveQuote: n});
		} else if (what === 20 && n === 1) events.push({...of(block), type: 'gap', fromMs: timeMs - 1000});
	}
	return events;
}

/** Everything that an engine says of its tokens and their wallets. */
function picture(engine: Engine, nowMs: number) {
	engine.advance(nowMs);
	// Holders are added up again a minute later, with the next event.
	engine.advance(nowMs + 61_000);
	for (const token of TOKENS) engine.apply({...profile({isSpam: null}, token), timeMs: nowMs + 61_000});
	engine.advance(nowMs + 62_000);
	const entries = new Entries(engine);
	const rows: Record<string, unknown> = {};
	for (let row = 0; row < engine.length; row++) {
		if (engine.bits[row] === 0) continue;
		const {token, pool} = engine.listing(row);
		rows[`${token.address} ${pool}`] = {
			asset: entries.asset(row, 20),
			pool: {...entries.pool(row, 0)},
			prices: token.row === row ? priceHistory(engine, token, START_MS) : [],
		};
	}
	const {wallets} = engine;
	const known: Record<string, unknown> = {};
	for (const address of WALLETS) {
		const id = wallets.find(address);
		const records = [undefined, ...TOKENS].map(token => {
			const found = token === undefined ? undefined : engine.catalog.token(CHAIN, token);
			return walletRecord(engine, NOBODY, address, found).labels;
		});
		known[address] =
			id === undefined
				? 'forgotten'
				: {
						trades: wallets.trades[id],
						volume: wallets.volumeUSD[id],
						profit: wallets.profitUSD[id],
						closes: wallets.closes[id],
						wins: wallets.wins[id],
						trips: wallets.fastTrips[id],
						roles: [wallets.snipes[id], wallets.insides[id], wallets.bundles[id]],
						launched: [engine.reputation.tokensOf(id), engine.reputation.migrationsOf(id)],
						records,
					};
	}
	return {rows, known};
}

/** The events of several tokens in the order of their times. */
function merged(lists: readonly MarketEvent[][]): MarketEvent[] {
	return lists.flat().toSorted((a, b) => a.timeMs - b.timeMs);
}

const STORY = fc.record({
	lives: fc.tuple(LIFE, LIFE, LIFE),
	/** For each token: null leaves it alone; otherwise it is forgotten, and this part of its events comes again. */
	forgotten: fc.tuple(
		fc.option(fc.double({min: 0, max: 1, noNaN: true})),
		fc.option(fc.double({min: 0, max: 1, noNaN: true})),
		fc.option(fc.double({min: 0, max: 1, noNaN: true})),
	),
	other: LIFE,
	steps: fc.nat(6),
});

test('after tokens were forgotten and other events of them applied, an engine equals one that never saw what was forgotten', () => {
	fc.assert(
		fc.property(STORY, ({lives, forgotten, other, steps}) => {
			const first = TOKENS.map((token, at) => eventsOf(token, lives[at]!));
			const last = first.map((events, at) => {
				const part = forgotten[at];
				if (part === null || part === undefined) return events;
				// A history that went on otherwise from some event on.
				const kept = events.slice(0, Math.floor(events.length * part));
				const sinceMs = kept.at(-1)?.timeMs ?? 0;
				return kept.length === 0
					? []
					: [...kept, ...eventsOf(TOKENS[at]!, other).filter(event => event.timeMs >= sinceMs)];
			});
			const endMs = Math.max(START_MS, ...[...first, ...last].flat().map(({timeMs}) => timeMs));

			const engine = new Engine(START_MS, {isExact: true});
			for (const event of FUNDS) engine.apply(event);
			for (const [index, event] of merged(first).entries()) {
				engine.apply(event);
				if (index % (steps + 1) === 0) engine.advance(event.timeMs);
			}
			if (steps % 2) engine.advance(endMs);
			for (const [at, token] of TOKENS.entries()) {
				if (forgotten[at] == null) continue;
				engine.forget(CHAIN, token);
				for (const event of last[at]!) engine.apply(event);
			}

			const fresh = new Engine(START_MS, {isExact: true});
			for (const event of FUNDS) fresh.apply(event);
			for (const event of last.toReversed().flat()) fresh.apply(event);

			const expected = picture(fresh, endMs);
			expect(picture(engine, endMs)).toEqual(expected);
		}),
		{numRuns: 100, endOnFailure: true},
	);
});

test('a wallet is no professional, no smart trader and no bot any more when what made it one is forgotten', () => {
	const engine = new Engine(START_MS, {isExact: true});
	for (const token of ['One', 'Two'])
		engine.apply(launch({token, supply: 1e6, pool: {...CURVE, address: `${token}Pool`}}));
	const at = (n: number) => ({timeMs: START_MS + n * 1000});
	for (let n = 0; n < 60; n += 2) {
		engine.apply(trade('Ann', 'buy', {...at(n), token: 'One', valueUSD: 400}));
		engine.apply(trade('Ann', 'sell', {...at(n + 1), token: 'One', valueUSD: 500}));
		engine.apply(trade('Ann', 'buy', {...at(n + 1), token: 'Two', block: 100}));
	}
	engine.advance(START_MS + 60_000);
	const labels = () => walletRecord(engine, NOBODY, 'Ann').labels;
	const ann = engine.wallets.find('Ann')!;
	expect(labels()).toEqual(['sniper', 'proTrader', 'smartTrader']);
	expect(engine.wallets.isBot(ann)).toBe(true);
	const organic = (token: string) =>
		engine.table.numbers('organic_trades_24h')[engine.table.rowOf(`${CHAIN}|${token}`)!];
	// A bot of one token is none in another: the figures of a token follow from its own trades.
	expect([organic('One'), organic('Two')]).toEqual([3, 30]);
	engine.forget(CHAIN, 'One');
	expect(labels()).toEqual(['sniper']);
	expect(engine.wallets.isBot(ann)).toBe(false);
	expect([engine.wallets.trades[ann], engine.wallets.volumeUSD[ann], engine.wallets.profitUSD[ann]]).toEqual([
		30, 600, 0,
	]);
});

test('a token that is idle for a day is dropped, whether the clock moved meanwhile or not', () => {
	const late = trade('Bob', 'buy', {timeMs: START_MS + 25 * HOUR});
	const engines = [true, false].map(doesMove => {
		const engine = new Engine(START_MS, {isExact: true});
		engine.apply(launch());
		engine.apply(trade('Ann', 'buy'));
		if (doesMove) for (let hour = 1; hour < 25; hour++) engine.advance(START_MS + hour * HOUR);
		engine.apply(late);
		engine.advance(late.timeMs);
		return engine;
	});
	for (const engine of engines) {
		expect(engine.table.rowOf(`${CHAIN}|Token`)).toBeUndefined();
		expect(engine.wallets.count).toBe(0);
		expect(engine.ignored).toBe(1);
	}
});

test('a wallet that is in no other token is forgotten with it, and its number is used again', () => {
	const engine = new Engine(START_MS, {isExact: true});
	engine.apply(launch());
	engine.apply(trade('Ann', 'buy'));
	const before = engine.wallets.find('Ann');
	expect(engine.forget(CHAIN, 'Token')).toBe(true);
	expect(engine.forget(CHAIN, 'Token')).toBe(false);
	expect(engine.wallets.find('Ann')).toBeUndefined();
	expect(engine.wallets.count).toBe(0);
	engine.apply(launch());
	engine.apply(trade('Bob', 'buy'));
	expect(engine.wallets.find('Bob')).toBe(before);
	engine.advance(START_MS + 1000);
	expect(engine.takeChanged()).toEqual([0]);
});

test('a forgotten token leaves the table at once, and its row is reported', () => {
	const engine = new Engine(START_MS, {isExact: true});
	engine.apply(launch());
	engine.advance(START_MS);
	engine.takeChanged();
	engine.forget(CHAIN, 'Token');
	expect(engine.takeChanged()).toEqual([0]);
	expect(engine.table.rowOf(`${CHAIN}|Token`)).toBeUndefined();
	expect(engine.bits[0]).toBe(0);
});

test('an engine of a simulation, which keeps less of its wallets, refuses to forget', () => {
	expect(() => new Engine(START_MS).forget(CHAIN, 'Token')).toThrow('cannot forget');
});
