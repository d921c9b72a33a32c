import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {Simulator} from '../../../source/service/market/simulator/simulator.ts';

const START_MS = Date.UTC(2026, 4, 5, 6, 7, 8);
const HISTORY = 300;

/** Twelve digits of each number: the last ones of a logarithm may differ between versions of V8. */
const rounded = (name: string, value: unknown): unknown =>
	// Trades had no price of the pool then.
	name === 'spotQuote' ? undefined : typeof value === 'number' ? Number(value.toPrecision(12)) : value;

test('without a trade from outside a seed gives the market that it gave before such trades existed', () => {
	const hash = createHash('sha256');
	const count: Partial<Record<MarketEvent['type'], number>> = {};
	const emit = (event: MarketEvent): void => {
		count[event.type] = (count[event.type] ?? 0) + 1;
		// Coins came later in the history then.
		const isCoin = event.type === 'launch' && (event.kind === 'quote' || event.kind === 'lp');
		if (!isCoin) hash.update(JSON.stringify(event, rounded));
	};
	const simulator = new Simulator({seed: 12, rate: 1, startMs: START_MS, emit});
	for (let n = 0; n < HISTORY; n++) simulator.emitNext(START_MS);
	for (let atMs = START_MS; atMs <= START_MS + 60_000; atMs += 500) simulator.run(atMs);
	/*
	 * The code of 22 November 2026, the last without trades from outside, gave this market with the facts of chains that it had. Since
	 * then only these facts changed: the block time of BNB Smart Chain, the coins of Robinhood Chain, `1%` for a tax of `1`, an empty
	 * list for a Twitter account without renames, and on Solana a mint authority that agrees with `isMintable` and a report of the
	 * freeze authority.
	 */
	expect({...count, digest: hash.digest('hex')}).toEqual({
		digest: '44abff917352e983fcdf799652ca627698c2e3d1dc18e0869c5ffa670113351a',
		fund: 7038,
		launch: 384,
		liquidity: 5,
		migrate: 4,
		profile: 16,
		trade: 27_385,
		transfer: 56,
	});
});
