import {expect, test} from 'vitest';
import {Engine} from '../../../source/service/market/engine.ts';
import {Entries} from '../../../source/service/market/entries.ts';
import {CHAIN, launch, START_MS, trade} from './make-events.ts';

test.each([
	[[{wallet: 'Ann', amountToken: 0.001}], true],
	[[], true],
	[[{wallet: 'Ann', amountToken: 0}], false],
	[[{wallet: 'Ann', amountToken: -1}], false],
	[[{wallet: 'Ann', amountToken: Number.NaN}], false],
	[[{wallet: '', amountToken: 5}], false],
	[
		[
			{wallet: 'Ann', amountToken: 5},
			{wallet: 'Bob', amountToken: 0},
		],
		false,
	],
])('a reported list %j is taken: %s', (largest, isTaken) => {
	const engine = new Engine(START_MS);
	engine.apply(launch());
	const event = {
		type: 'holders',
		timeMs: START_MS + 1000,
		chainId: CHAIN,
		token: 'Token',
		block: 101,
		largest,
	} as const;
	engine.apply(event);
	expect(engine.ignored).toBe(isTaken ? 0 : 1);
});

test('holders of equal balances have one order, whichever of them was seen first in other tokens', () => {
	const wallets = Array.from({length: 40}, (_, n) => `Wallet${n}`);
	const holders = (seen: readonly string[]): unknown[] => {
		const engine = new Engine(START_MS, {isExact: true});
		engine.apply(launch({token: 'Other'}));
		for (const wallet of seen) engine.apply(trade(wallet, 'buy', {token: 'Other'}));
		engine.apply(launch());
		for (const wallet of wallets) engine.apply(trade(wallet, 'buy'));
		engine.advance(START_MS + 10_000);
		const list = new Entries(engine).asset(engine.rowOf('solana:solana|Token')!, 20)['holders_list'];
		return (list as {address: string}[]).map(({address}) => address);
	};
	expect(holders([...wallets].reverse())).toEqual(holders(wallets));
});
