import {expect, test} from 'vitest';
import {Engine} from '../../../source/service/market/engine.ts';
import {Entries} from '../../../source/service/market/entries.ts';
import {launch, START_MS, trade} from './make-events.ts';

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
