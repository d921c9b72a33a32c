import {expect, test} from 'vitest';
import {createNormaliser} from '../../../source/client/wire/normalise.ts';
import {dayOf, followed, holdersOf, near, worldOn} from '../../helpers/followed-figures.ts';

/* Figures of a market that follows a chain, against what the world knows of it from balances and states. */

test('launches on four.meme: trades, holders, progress and graduation are those of the chain', async () => {
	const world = await worldOn({chain: 'bnb', price: 850});
	const first = await world.launch({name: 'Climber', symbol: 'CLMB'});
	await world.buy(first, 'creator', 0.5);
	await world.buy(first, 'ann', 2);
	await world.setPrice(860);
	await world.together(async () => {
		await world.buy(first, 'bob', 1);
		await world.buy(first, 'cid', 0.5);
	});
	await world.sell(first, 'ann', 0.4);
	await world.transfer(first, 'bob', 'cid', 0.5);
	const second = await world.launch({name: 'Rocket', symbol: 'RCKT', by: 'bob'});
	await world.buy(second, 'ann', 3);
	await world.graduate(second);
	await world.buy(second, 'cid', 1.5, {through: true});
	await world.sell(second, 'ann', 0.7);
	const {of, coverage} = await followed(world);

	const climber = of('CLMB');
	expect(climber.entry).toMatchObject({
		...dayOf(climber.truth),
		...holdersOf(climber.truth),
		name: 'Climber',
		bonded: false,
		bondingPercentage: near(climber.truth.progress! * 100),
		source: 'fourmeme',
		totalSupply: 1_000_000_000,
	});
	const rocket = of('RCKT');
	expect(rocket.entry).toMatchObject({
		...dayOf(rocket.truth),
		...holdersOf(rocket.truth),
		bonded: true,
		bondingPercentage: 100,
		approximateReserveToken: near(rocket.truth.reserves.token),
	});
	expect(String(rocket.entry['poolAddress']).toLowerCase()).toBe(second.pool);
	expect(String(rocket.entry['deployer']).toLowerCase()).toBe(world.person('bob'));
	expect(coverage).toMatchObject({state: 'live', gapCount: 0, reorgs: 0, unknownEvents: 0, tokens: 2});
});

test('a curve of Flap is as far as its own event says, and its last buy moves it', async () => {
	const world = await worldOn({chain: 'bnb'});
	const climbing = await world.launch({venue: 'flap', symbol: 'ONE'});
	await world.buy(climbing, 'ann', 4);
	await world.sell(climbing, 'ann', 0.5);
	const whole = await world.launch({venue: 'flap', symbol: 'TWO'});
	await world.graduate(whole);
	await world.buy(whole, 'bob', 0.2);
	const {of} = await followed(world);
	const one = of('ONE');
	expect(one.entry).toMatchObject({
		...dayOf(one.truth),
		...holdersOf(one.truth),
		bonded: false,
		bondingPercentage: near(one.truth.progress! * 100),
	});
	const two = of('TWO');
	expect(two.entry).toMatchObject({...dayOf(two.truth), ...holdersOf(two.truth), bonded: true});
	expect(two.entry['approximateReserveToken']).toEqual(near(two.truth.reserves.token));
});

test('pools of Uniswap that persons make: trades and holders are those of the chain', async () => {
	const world = await worldOn({chain: 'base'});
	const venues = ['uniswap-v2', 'uniswap-v3', 'uniswap-v4'] as const;
	for (const [i, venue] of venues.entries()) {
		const quote = venue === 'uniswap-v4' ? 'native' : venue === 'uniswap-v3' ? 'dollar' : 'wrapped';
		const token = await world.launch({venue, symbol: `V${i + 2}`, quote, quotes: quote === 'dollar' ? 6000 : 2});
		await world.buy(token, 'ann', quote === 'dollar' ? 300 : 0.1);
		await world.buy(token, 'bob', quote === 'dollar' ? 150 : 0.05);
		await world.sell(token, 'ann', 0.5);
	}
	const {of} = await followed(world);
	for (const [i] of venues.entries()) {
		const {entry, truth} = of(`V${i + 2}`);
		expect(entry).toMatchObject({...dayOf(truth), bonded: true});
		expect(entry['approximateReserveToken']).toEqual(near(truth.reserves.token));
		expect(entry['liquidity']).toBeGreaterThan(0);
	}
});

test('launches of Clanker and Zora are bonded at birth, and a coin without a price leaves dollars unknown', async () => {
	const world = await worldOn({chain: 'base'});
	const clanked = await world.launch({venue: 'clanker', symbol: 'CLNK'});
	await world.buy(clanked, 'ann', 1);
	await world.sell(clanked, 'ann', 0.25);
	const coin = await world.launch({venue: 'zora', symbol: 'ZCO'});
	await world.buy(coin, 'ann', 700);
	const {of} = await followed(world);
	const one = of('CLNK');
	expect(one.entry).toMatchObject({...dayOf(one.truth), ...holdersOf(one.truth), bonded: true});
	const two = of('ZCO');
	expect(two.entry).toMatchObject({
		...holdersOf(two.truth),
		bonded: true,
		trades_24h: 1,
		buyers_24h: 1,
	});
	for (const name of ['price', 'volume_24h', 'volume_buy_24h', 'fees_paid_24h'])
		expect(two.entry, name).not.toHaveProperty(name);
});

test('a token of Virtuals is as far as its pair is sold, and its agent token is another launch', async () => {
	const world = await worldOn({chain: 'base'});
	const token = await world.launch({venue: 'virtuals', name: 'Agent', symbol: 'AGNT'});
	await world.buy(token, 'ann', 2000);
	await world.buy(token, 'bob', 500);
	await world.sell(token, 'bob', 0.5);
	const {of} = await followed(world);
	const {entry, truth} = of('AGNT');
	expect(entry).toMatchObject({
		...holdersOf(truth),
		trades_24h: 3,
		bonded: false,
		bondingPercentage: near(truth.progress! * 100),
	});
	expect(entry).not.toHaveProperty('volume_24h');
});

test('a tax is seen as much as trades show of it', async () => {
	const world = await worldOn({chain: 'base'});
	const token = await world.launch({symbol: 'TAX'});
	await world.tax(token, 50_000, 100_000);
	await world.buy(token, 'ann', 0.1);
	await world.sell(token, 'ann', 0.5);
	const {of} = await followed(world);
	const {entry, truth} = of('TAX');
	expect(entry).toMatchObject(dayOf(truth));
	const security = entry['security'] as Record<string, unknown>;
	expect(Number(security['buyTax'])).toBeCloseTo(5, 6);
	expect(Number(security['sellTax'])).toBeCloseTo(10, 6);
});

test('texts and figures of hostile tokens are clean, cut or unknown, and lose nothing of others', async () => {
	const world = await worldOn({chain: 'base'});
	const text = (value: string) => {
		const bytes = Buffer.from(value, 'utf8');
		const length = bytes.length.toString(16).padStart(64, '0');
		const padded = bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0');
		return `0x${'20'.padStart(64, '0')}${length}${padded}` as const;
	};
	const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}` as const;
	const strange = {
		name: text('Evil\x1B[31m\u202Ename\n'),
		symbol: text('EVIL'),
		decimals: word(36n),
		supply: 10n ** 48n,
	};
	await world.launch({symbol: 'EVIL', decimals: 36, strange});
	// The length of its name is more than it has, its symbol is 32 bytes and no string.
	const broken = {
		name: `0x${'20'.padStart(64, '0')}${'f'.repeat(64)}` as const,
		symbol: `0x${Buffer.from('OLD').toString('hex').padEnd(64, '0')}` as const,
		decimals: word(18n),
		supply: 2n ** 256n - 1n,
	};
	await world.launch({symbol: 'OLD', strange: broken});
	const good = await world.launch({symbol: 'GOOD'});
	await world.buy(good, 'ann', 0.1);
	const {entries, of, coverage} = await followed(world);
	expect(coverage).toMatchObject({state: 'live', why: null});
	// The service passes texts on, the client cleans them.
	const evil = entries.find(entry => entry['symbol'] === 'EVIL')!;
	expect(evil).toMatchObject({name: 'Evil\x1B[31m\u202Ename\n', decimals: 36, totalSupply: 1e12});
	const read = createNormaliser().entry(evil);
	expect(read?.name).toContain('Evil');
	expect([...(read?.name ?? '')].every(each => each > ' ' && each !== '\u202E')).toBe(true);
	const old = entries.find(entry => entry['symbol'] === 'OLD')!;
	expect(old['totalSupply']).not.toBe(0);
	expect(of('GOOD').entry).toMatchObject(dayOf(of('GOOD').truth));
});
