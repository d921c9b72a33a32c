import {describe, expect, test} from 'vitest';
import type {NumberFieldName} from '../../../source/contract/fields.ts';
import {Engine} from '../../../source/service/market/engine.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {CHAIN, fund, launch, START_MS, trade} from './make-events.ts';

/* In an exact engine the shares of pro, smart and fresh holders follow what a wallet is at whole minutes, for all tokens at once. */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The first whole minute after the start, which is one itself. */
const NEXT_MS = START_MS + MINUTE_MS;

function engineWith(events: readonly MarketEvent[]): Engine {
	const engine = new Engine(START_MS, {isExact: true});
	for (const event of events) engine.apply(event);
	engine.advance(START_MS + 5000);
	return engine;
}

function figure(engine: Engine, token: string, name: NumberFieldName): number {
	return engine.table.numbers(name)[engine.rowOf(`${CHAIN}|${token}`)!]!;
}

/** Trades of another token that make a wallet a professional: 60 of 15,000 dollars together. */
const CAREER = Array.from({length: 30}, (_, n) => {
	const at = {token: 'Other', timeMs: START_MS + 2000 + n, block: 1000 + n, amountToken: 1, valueUSD: 300};
	return [trade('Ann', 'buy', at), trade('Ann', 'sell', at)];
}).flat();
const BEFORE = [launch(), launch({token: 'Other'}), trade('Ann', 'buy')];

describe('a wallet that becomes a professional in another token', () => {
	test('is one in the shares of its tokens from the next whole minute on, without an event of theirs', () => {
		const engine = engineWith([...BEFORE, ...CAREER]);
		expect(engine.wallets.isPro(engine.wallets.find('Ann')!)).toBe(true);
		expect(figure(engine, 'Token', 'pro_traders_count')).toBe(0);
		engine.advance(NEXT_MS - 1);
		expect(figure(engine, 'Token', 'pro_traders_count')).toBe(0);
		const version = engine.versions[engine.rowOf(`${CHAIN}|Token`)!]!;
		engine.advance(NEXT_MS);
		expect(figure(engine, 'Token', 'pro_traders_count')).toBe(1);
		expect(engine.versions[engine.rowOf(`${CHAIN}|Token`)!]).toBeGreaterThan(version);
	});

	test('is one at once for the tokens that a restart loads, where the minute has passed', () => {
		const engine = new Engine(NEXT_MS, {isExact: true});
		for (const event of [...BEFORE, ...CAREER]) engine.apply(event);
		engine.restoreKinds([]);
		expect(figure(engine, 'Token', 'pro_traders_count')).toBe(1);
	});

	test('is not one yet after a restart within its minute: the kept kinds count', () => {
		const before = engineWith(BEFORE);
		for (const event of CAREER) before.apply(event);
		before.advance(START_MS + 10_000);
		const {isAll, wallets} = before.settledKinds!.unkept();
		expect([isAll, wallets]).toEqual([true, [['Ann', 0]]]);
		before.settledKinds!.keep();
		expect(before.settledKinds!.unkept()).toEqual({isAll: false, wallets: []});

		const engine = new Engine(START_MS + 10_000, {isExact: true});
		for (const event of [...CAREER, ...BEFORE].toSorted((a, b) => a.timeMs - b.timeMs)) engine.apply(event);
		engine.restoreKinds(wallets);
		expect(figure(engine, 'Token', 'pro_traders_count')).toBe(0);
		engine.advance(NEXT_MS);
		expect(figure(engine, 'Token', 'pro_traders_count')).toBe(1);
	});
});

test('a fresh wallet is fresh at once, and no more at the whole minute after its first day', () => {
	const engine = engineWith([launch(), fund('Ann', 'Dev', START_MS - DAY_MS + 90_000), trade('Ann', 'buy')]);
	expect(figure(engine, 'Token', 'fresh_traders_count')).toBe(1);
	engine.advance(START_MS + 90_000);
	expect(figure(engine, 'Token', 'fresh_traders_count')).toBe(1);
	engine.advance(START_MS + 2 * MINUTE_MS);
	expect(figure(engine, 'Token', 'fresh_traders_count')).toBe(0);
});

test('a clock that was ahead and begins again makes wallets what they are as of then', () => {
	const funded = fund('Ann', 'Dev', START_MS - MINUTE_MS);
	const engine = new Engine(START_MS + 2 * DAY_MS, {isExact: true});
	for (const event of [launch(), funded, trade('Ann', 'buy')]) engine.apply(event);
	engine.advance(START_MS + 2 * DAY_MS);
	engine.beginAgain(START_MS);
	for (const event of [launch(), funded, trade('Ann', 'buy')]) engine.apply(event);
	engine.restoreKinds([]);
	expect(figure(engine, 'Token', 'fresh_traders_count')).toBe(1);
});
