import {expect, test} from 'vitest';
import {dayOf, followed, holdersOf, near, worldOn} from '../../helpers/followed-figures.ts';

/* Launches by Doppler on a real chain with Uniswap V4: the pool is there from the start. */

const BANKR = '0xf60633d02690e2a15a54ab919925f3d038df163e';
const LONG = '0x92d435c96e63c43e12d6d0ab28f6b0b04072f765';

for (const chain of ['base', 'robinhood'] as const) {
	test(`launches on ${chain} go by the name of the launchpad, and nobody is said to be their creator`, async () => {
		const world = await worldOn({chain});
		const plain = await world.launch({venue: 'doppler', symbol: 'PLAIN', by: 'relay'});
		await world.launch({venue: 'doppler', symbol: 'BANKR', by: 'relay', integrator: BANKR, quote: 'native'});
		await world.launch({venue: 'doppler', symbol: 'LONG', by: 'relay', integrator: LONG, quote: 'dollar'});
		await world.buy(plain, 'ann', 1);
		await world.sell(plain, 'ann', 0.5);
		const {of, entries, coverage} = await followed(world);
		const {entry, truth} = of('PLAIN');
		const {devHoldings: _, ...holders} = holdersOf(truth);
		expect(entry).toMatchObject({
			...dayOf(truth),
			...holders,
			bonded: true,
			price: near(truth.trades.at(-1)!.spotQuote! * 3000),
		});
		for (const {symbol, deployer} of entries as {symbol: string; deployer?: string}[])
			expect([symbol, deployer ?? null]).toEqual([symbol, null]);
		const named = entries.map(found => [found['symbol'], /"(Doppler|Bankr|Long)"/.exec(JSON.stringify(found))?.[1]]);
		expect(Object.fromEntries(named)).toEqual({PLAIN: 'Doppler', BANKR: 'Bankr', LONG: 'Long'});
		expect(coverage).toMatchObject({unknownEvents: 0, tokens: 3});
	});
}

test('a token quoted in one of Doppler has its price by two steps, and in an unknown coin none', async () => {
	const world = await worldOn({chain: 'robinhood'});
	const first = await world.launch({venue: 'doppler', symbol: 'FIRST'});
	await world.buy(first, 'ann', 0.5);
	const second = await world.launch({venue: 'doppler', symbol: 'SECOND', quote: first});
	await world.buy(second, 'ann', 1e6);
	const stock = await world.launch({venue: 'doppler', symbol: 'STOCK', quote: 'stock'});
	await world.buy(stock, 'ann', 3);
	const {of} = await followed(world);
	const inFirst = of('SECOND').truth.trades.at(-1)!.spotQuote!;
	const firstUSD = Number(of('FIRST').entry['price']);
	expect(Number(of('SECOND').entry['price']) / (inFirst * firstUSD)).toBeCloseTo(1, 6);
	expect(of('STOCK').entry['price'] ?? null).toBeNull();
	expect(of('STOCK').entry).toMatchObject({trades_24h: 1});
});

test('the pool of another contract with the same event is one that a person made', async () => {
	const world = await worldOn({chain: 'robinhood'});
	const other = '0xcab2e5ba8b3a8d8bf8b50f0eec12884d0255fb4a';
	const code = await world.rpc<string>('eth_getCode', [world.places.airlock, 'latest']);
	await world.rpc('anvil_setCode', [other, code]);
	await world.launch({venue: 'doppler', symbol: 'REAL'});
	await world.launch({venue: 'doppler', symbol: 'COPY', at: other, quote: 'stock'});
	const {entries} = await followed(world);
	const named = entries.map(entry => [entry['symbol'], JSON.stringify(entry).includes('"Doppler"')]);
	expect(Object.fromEntries(named)).toEqual({REAL: true, COPY: false});
});
