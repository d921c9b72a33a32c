import {expect, test} from 'vitest';
import {createEvmSource} from '../../../source/service/follow/evm/evm-source.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import * as own from '../../contracts/artifacts.generated.ts';
import type {World} from '../../helpers/follow-world.ts';
import {dayOf, followed, holdersOf, near, worldOn} from '../../helpers/followed-figures.ts';
import {PlainSink} from '../../helpers/plain-sink.ts';
import {PONS_LOCKER, TRADER} from '../../helpers/world/places.ts';

/*
 * Pons V2 on a real chain whose contracts write its events: a curve a token, that graduates to a pool of Uniswap V4. Figures are counted
 * from balances and from what the curve itself says.
 */

const askCurve = (world: World, place: `0x${string}`, name: string) =>
	world.senders.read<bigint>({to: place, abi: own.PonsCurve.abi, name, args: []});

/** Any person may open a pair for a token. */
async function openPair(world: World, token: `0x${string}`, by: `0x${string}`): Promise<void> {
	const {v2Factory, wrapped} = world.places;
	const [amount, value] = [10n ** 18n, 10n ** 17n];
	await world.senders.send(by, {to: token, abi: own.LaunchToken.abi, name: 'approve', args: [TRADER, amount]});
	const args = [v2Factory, token, wrapped, amount, value];
	await world.senders.send(by, {to: TRADER, abi: own.Trader.abi, name: 'openV2', args, value});
	await world.mine();
}

/** The events of the whole chain. */
async function eventsOf(world: World): Promise<readonly MarketEvent[]> {
	const {number} = await world.mine(1);
	const chain = {chainId: world.places.id, name: world.places.name, urls: [world.url], confirmations: 0};
	const source = createEvmSource({chain, backfillMs: 86_400_000, log: () => {}, nowMs: () => world.nowMs()});
	const sink = new PlainSink();
	source.start(sink, sink.resume(world.places.id));
	await sink.until(({coverage}) => coverage?.block === number);
	await source.stop();
	return sink.events;
}

const tradesOf = (events: readonly MarketEvent[], token: string) =>
	events.filter(event => event.type === 'trade').filter(event => event.token === token);

test('a launch has its creator, its trades, its holders and its progress, and a sale takes progress back', async () => {
	const world = await worldOn({chain: 'robinhood', price: 2500});
	const token = await world.launch({name: 'Pond Frog', symbol: 'FROG', by: 'creator', tax: 3});
	await world.buy(token, 'ann', 1);
	const [half] = (await followed(world)).truths;
	await world.buy(token, 'bob', 0.5);
	await world.sell(token, 'ann', 0.5);
	const {of, coverage} = await followed(world);
	const {entry, truth} = of('FROG');
	expect(half?.progress).toBeCloseTo(1 / 4.2, 9);
	expect(entry).toMatchObject({
		...dayOf(truth),
		...holdersOf(truth),
		name: 'Pond Frog',
		bonded: false,
		source: 'pons',
		totalSupply: 1_000_000_000,
		bondingPercentage: near(truth.progress! * 100),
		approximateReserveToken: near(truth.reserves.token),
		liquidity: near(truth.reserves.quote * 2500),
	});
	expect(String(entry['deployer']).toLowerCase()).toBe(token.creator);
	expect(JSON.stringify(entry)).toContain('Pons V2');
	expect(coverage).toMatchObject({state: 'live', unknownEvents: 0, tokens: 1});
});

test('the price after each trade is that of the curve', async () => {
	const world = await worldOn({chain: 'robinhood'});
	const token = await world.launch({tax: 5});
	const prices: number[] = [];
	const note = async () => {
		const [raised, left, phantom] = await Promise.all(
			['raised', 'left', 'phantomQuote'].map(name => askCurve(world, token.place, name)),
		);
		prices.push(Number(phantom! + raised!) / Number(left));
	};
	await note();
	await world.buy(token, 'ann', 1.5);
	await note();
	await world.sell(token, 'ann', 0.3);
	await note();
	await world.senders.send(world.person('operator'), {
		to: token.place,
		abi: own.PonsCurve.abi,
		name: 'buyBack',
		args: [PONS_LOCKER],
		value: 10n ** 17n,
	});
	await world.mine();
	await world.buy(token, 'bob', 0.2);
	await note();
	const events = await eventsOf(world);
	const launch = events.find(event => event.type === 'launch' && event.token === token.address);
	expect(launch).toMatchObject({priceUSD: near(prices[0]! * 3000), curveSale: near((1e9 * 5) / 7), reserveQuote: 0});
	const trades = tradesOf(events, token.address);
	expect(trades.map(({spotQuote}) => spotQuote)).toEqual(prices.slice(1).map(price => expect.closeTo(price, 18)));
	// Fee and tax are a twentieth and a hundredth of what was paid in, which what reached the curve is without.
	for (const {feeUSD, valueUSD} of trades) expect(feeUSD! / valueUSD!).toBeCloseTo(0.06, 5);
	expect(trades.at(-1)!.curveShare).toBeCloseTo(Number(await askCurve(world, token.place, 'raised')) / 4.2e18, 12);
});

test("a first buy in the launch is the creator's, though a contract made it", async () => {
	const world = await worldOn({chain: 'robinhood'});
	const token = await world.launch({firstBuy: 0.5, by: 'maker'});
	const trades = tradesOf(await eventsOf(world), token.address);
	expect(trades).toMatchObject([{side: 'buy', wallet: world.person('maker'), amountQuote: near(0.5)}]);
	const {entries} = await followed(world);
	expect(entries).toMatchObject([{bondingPercentage: near((0.5 / 4.2) * 100), devHoldings: expect.any(Number)}]);
});

test('the last buy moves a token to the pool with the hook, and it is traded there', async () => {
	const world = await worldOn({chain: 'robinhood'});
	const token = await world.launch({symbol: 'GRAD'});
	await world.buy(token, 'ann', 2);
	await world.graduate(token);
	await world.buy(token, 'bob', 0.4);
	await world.sell(token, 'ann', 0.5);
	const {of, entries} = await followed(world);
	const {entry, truth} = of('GRAD');
	expect(entries).toHaveLength(1);
	expect(entry).toMatchObject({...dayOf(truth), bonded: true, bondingPercentage: 100});
	expect(String(entry['poolAddress']).toLowerCase()).toBe(token.pool);
	expect(String(entry['deployer']).toLowerCase()).toBe(token.creator);
	const events = await eventsOf(world);
	const migrate = events.find(event => event.type === 'migrate');
	expect(migrate).toMatchObject({main: true, pool: {address: token.pool, type: 'uniswap-v4'}});
	expect(migrate!.reserveQuote).toBeCloseTo(4.2, 1);
});

test('launch and graduation a block apart, or in one block', async () => {
	const world = await worldOn({chain: 'robinhood'});
	await world.together(async () => {
		const fast = await world.launch({symbol: 'FAST'});
		await world.graduate(fast);
	});
	const next = await world.launch({symbol: 'NEXT'});
	await world.graduate(next);
	const {of} = await followed(world);
	expect(of('FAST').entry).toMatchObject({bonded: true, trades_24h: 1});
	expect(of('NEXT').entry).toMatchObject({bonded: true, trades_24h: 1});
});

test('a curve that is closed waits for its own pool, whatever else is opened for the token', async () => {
	const world = await worldOn({chain: 'robinhood'});
	const token = await world.launch({symbol: 'SWPT', later: true});
	await world.graduate(token);
	const swept = await followed(world);
	expect(swept.of('SWPT').entry).toMatchObject({bonded: false, bondingPercentage: 100, migrating: true});
	await openPair(world, token.address, world.person('whale'));
	const trapped = await followed(world);
	expect(trapped.of('SWPT').entry).toMatchObject({bonded: false});
	await world.makePool(token);
	const {of} = await followed(world);
	expect(of('SWPT').entry).toMatchObject({bonded: true});
	expect(String(of('SWPT').entry['poolAddress']).toLowerCase()).toBe(token.pool);
});

test('a closed curve that is rescued has no pool, and never bonds', async () => {
	const world = await worldOn({chain: 'robinhood'});
	const token = await world.launch({symbol: 'LOST', later: true});
	await world.graduate(token);
	await world.senders.send(world.person('operator'), {
		to: world.places.pons!,
		abi: own.Pons.abi,
		name: 'rescue',
		args: [token.address],
	});
	await world.mine();
	const {of, coverage} = await followed(world);
	expect(of('LOST').entry).toMatchObject({bonded: false, bondingPercentage: 100});
	expect(coverage).toMatchObject({unknownEvents: 0});
});

test.each([
	['a dollar coin of six decimals', 'dollar', 5000, 1],
	['a coin without a price', 'stock', 40, null],
] as const)('a curve that is quoted in %s', async (_what, quote, quotes, usd) => {
	const world = await worldOn({chain: 'robinhood'});
	const token = await world.launch({symbol: 'QUOT', quote, quotes});
	await world.buy(token, 'ann', quotes);
	await world.buy(token, 'bob', quotes / 2);
	await world.sell(token, 'ann', 0.25);
	const {of} = await followed(world);
	const {entry, truth} = of('QUOT');
	expect(entry).toMatchObject({bonded: false, bondingPercentage: near(truth.progress! * 100), trades_24h: 3});
	if (usd === null) expect(entry['price'] ?? null).toBeNull();
	else expect(entry).toMatchObject({...dayOf(truth), price: expect.any(Number)});
	await world.graduate(token);
	await world.buy(token, 'ann', quotes / 10);
	expect((await followed(world)).of('QUOT').entry).toMatchObject({bonded: true, trades_24h: 5});
});

test.each([
	['a curve', 'pons', 1],
	// The average of a trade has the pool's fee of a percent in it.
	['a pool of V4', 'clanker', 0.99],
] as const)('a token that is quoted in one on %s has its price by two steps', async (_what, venue, part) => {
	const world = await worldOn({chain: 'robinhood'});
	const first = await world.launch({venue, symbol: 'BASE', quote: venue === 'pons' ? 'native' : 'wrapped'});
	await world.buy(first, 'ann', 0.5);
	await world.buy(first, 'ann', 0.0001);
	const second = await world.launch({symbol: 'TWO', quote: first, quotes: 1e6});
	await world.buy(second, 'ann', 1e5);
	const events = await eventsOf(world);
	// The last trade was so small that its average is the price after it.
	const {amountQuote, amountToken} = tradesOf(events, first.address).at(-1)!;
	const [trade] = tradesOf(events, second.address);
	expect(trade!.quoteUSD! / ((amountQuote / amountToken) * 3000)).toBeCloseTo(part, 3);
	expect(trade!.valueUSD! / (trade!.amountQuote * trade!.quoteUSD!)).toBeCloseTo(1, 9);
});

test('a token that is quoted in a tokenised stock has its price by the feed of that stock', async () => {
	const world = await worldOn({chain: 'robinhood'});
	await world.setPrice(180, world.places.stock!.feed);
	const token = await world.launch({symbol: 'STCK', quote: 'stock', quotes: 40});
	await world.buy(token, 'ann', 20);
	const [trade] = tradesOf(await eventsOf(world), token.address);
	expect(trade).toMatchObject({quoteUSD: 180, valueUSD: near(20 * 0.99 * 180)});
});

test('a copy that writes the same events is no launch, and a foreign curve no trade', async () => {
	const world = await worldOn({chain: 'robinhood'});
	const real = await world.launch({symbol: 'REAL'});
	const pez = '0xed355f423a5158347beb562c250f6095efcdb25b';
	const code = await world.rpc<string>('eth_getCode', [world.places.pons, 'latest']);
	await world.rpc('anvil_setCode', [pez, code]);
	const copy = await world.launch({symbol: 'COPY', at: pez});
	await world.buy(copy, 'ann', 1);
	await world.buy(real, 'ann', 1);
	const {entries, coverage} = await followed(world);
	expect(entries.map(entry => entry['symbol'])).toEqual(['REAL']);
	expect(entries).toMatchObject([{trades_24h: 1}]);
	expect(coverage).toMatchObject({unknownEvents: 0, tokens: 1});
});
