import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterEach, expect, test} from 'vitest';
import {createEvmSource} from '../../../source/service/follow/evm/evm-source.ts';
import type {EventSource} from '../../../source/service/market/event-source.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {LaunchToken} from '../../contracts/artifacts.generated.ts';
import {openWorld, type World, type WorldOptions} from '../../helpers/follow-world.ts';
import {holdTimeouts} from '../../helpers/held-timeouts.ts';
import {PlainSink} from '../../helpers/plain-sink.ts';
import {type Truth, truthOf} from '../../helpers/world/truth.ts';

const DAY_MS = 86_400_000;
const PEOPLE = ['creator', 'ann', 'bob', 'whale', 'operator'];
const LAUNCHPADS: Readonly<Record<string, string>> = {clanker: 'Clanker', zora: 'Zora'};
const open: {stop(): Promise<void>}[] = [];

afterEach(async () => {
	for (const part of open.splice(0).reverse()) await part.stop();
});

async function worldOn(chain: 'base' | 'bnb', options: WorldOptions = {}): Promise<World> {
	const world = await openWorld({chain, ...options});
	open.push({stop: () => world.close()});
	return world;
}

function follow(world: World, sink = new PlainSink(), {maxTokens}: {maxTokens?: number} = {}): EventSource {
	const chainId = `evm:${world.places.number}`;
	const chain = {
		chainId,
		name: world.places.name,
		urls: [world.url],
		confirmations: 0,
		...(maxTokens && {maxTokens}),
	};
	const source = createEvmSource({chain, backfillMs: DAY_MS, log: () => {}, nowMs: () => world.nowMs()});
	open.push(source);
	source.start(sink, sink.resume(chainId));
	return source;
}

/** What a reader that sees the whole chain at once makes of it. */
async function followed(world: World): Promise<PlainSink> {
	const sink = new PlainSink();
	const source = follow(world, sink);
	await caughtUp(sink, world);
	await source.stop();
	return sink;
}

/** Waits until the market has all that the source makes of the newest block of the chain. */
async function caughtUp(sink: PlainSink, world: World): Promise<void> {
	const {number, hash} = await world.head();
	await sink.until(({batches}) => batches.at(-1)?.toBlock === number && batches.at(-1)!.cursor.includes(hash));
	// The source says how far it is when its last call has ended.
	await sink.until(({coverage}) => coverage?.block === number);
}

function ofType<T extends MarketEvent['type']>(sink: PlainSink, type: T, token?: string) {
	const events = sink.events.filter(event => event.type === type) as Extract<MarketEvent, {type: T}>[];
	return token === undefined ? events : events.filter(event => 'token' in event && event.token === token);
}

/** Whole tokens by wallet, as the transfers add up. */
function balances(sink: PlainSink, token: string): ReadonlyMap<string, number> {
	const found = new Map<string, number>();
	const add = (wallet: string | null, amount: number): void => {
		if (wallet !== null) found.set(wallet, (found.get(wallet) ?? 0) + amount);
	};
	for (const {from, to, amountToken} of ofType(sink, 'transfer', token)) {
		add(from, -amountToken);
		add(to, amountToken);
	}
	return new Map([...found].filter(([, amount]) => amount > 1e-6));
}

/** What the token's pool holds, as the events add up. */
function held(sink: PlainSink, token: string): {readonly token: number; readonly quote: number} {
	let now = {token: 0, quote: 0};
	for (const event of sink.events) {
		if (!('token' in event) || event.token !== token) continue;
		if (event.type === 'launch' || event.type === 'reserves')
			now = {token: event.reserveToken!, quote: event.reserveQuote!};
		if (event.type === 'liquidity') now = {token: now.token + event.amountToken, quote: now.quote + event.amountQuote};
		if (event.type !== 'trade') continue;
		const sign = event.side === 'buy' ? 1 : -1;
		now = event.reserves ?? {
			token: now.token - sign * event.amountToken,
			quote: now.quote + sign * event.amountQuote,
		};
	}
	return now;
}

/** Compares what was read with what was counted from balances. */
function expectTruth(sink: PlainSink, {token, trades, balances: held, supply}: Truth): void {
	const launch = ofType(sink, 'launch', token.address)[0]!;
	expect(launch).toMatchObject({
		symbol: token.symbol,
		name: token.name,
		decimals: token.decimals,
		deployer: token.creator,
	});
	expect(launch.supply).toBeCloseTo(supply, 6);
	const events = ofType(sink, 'trade', token.address);
	expect(events.map(({tx, wallet, side, block, timeMs}) => ({tx, wallet, side, block, timeMs}))).toEqual(
		trades.map(({tx, wallet, side, block, timeMs}) => ({tx, wallet, side, block, timeMs})),
	);
	for (const [index, trade] of trades.entries()) {
		expect(events[index]!.amountToken / trade.amountToken).toBeCloseTo(1, 9);
		expect(events[index]!.amountQuote / trade.amountQuote).toBeCloseTo(1, 9);
		if (trade.valueUSD === null) expect(events[index]!.valueUSD).toBeNull();
		else expect(events[index]!.valueUSD! / trade.valueUSD).toBeCloseTo(1, 9);
		if (trade.spotQuote === null) expect(events[index]!.spotQuote).toBeUndefined();
		else if (trade.spotQuote !== undefined) expect(events[index]!.spotQuote! / trade.spotQuote).toBeCloseTo(1, 9);
	}
	expect(launch.holdersReported).toBe(true);
	const counted = balances(sink, token.address);
	expect([...counted.keys()].sort()).toEqual([...held.keys()].sort());
	for (const [wallet, amount] of held) expect(counted.get(wallet)! / amount).toBeCloseTo(1, 9);
}

test('a chain is seen since its first blocks, not since the end of what was read first', async () => {
	const world = await worldOn('base');
	const token = await world.launch();
	for (let trade = 0; trade < 5; trade++) await world.buy(token, 'ann', 0.01);
	const sink = await followed(world);
	const launch = ofType(sink, 'launch')[0]!;
	expect(Date.parse(sink.coverage!.since!)).toBeLessThanOrEqual(launch.timeMs);
	expect(sink.facts.find(({key}) => key === 'since')!.block).toBe(sink.batches[0]!.fromBlock);
});

test('a token of a curve has its launch, trades, holders and graduation as they were', async () => {
	const world = await worldOn('bnb');
	const token = await world.launch({name: 'Moon Cat', symbol: 'MCAT'});
	await world.buy(token, 'ann', 1);
	await world.setPrice(905);
	await world.buy(token, 'bob', 2);
	await world.sell(token, 'ann', 0.5);
	await world.transfer(token, 'bob', 'ann', 0.25);
	await world.graduate(token);
	await world.buy(token, 'ann', 0.5);
	await world.sell(token, 'bob', 1);
	const sink = await followed(world);
	const [truth] = await truthOf(world, PEOPLE);
	expectTruth(sink, truth!);
	const launch = ofType(sink, 'launch')[0]!;
	expect(launch).toMatchObject({curveSale: 800_000_000, reserveToken: 800_000_000, holdersReported: true});
	const migrate = ofType(sink, 'migrate')[0]!;
	expect(migrate).toMatchObject({main: true, pool: {address: token.place, type: 'uniswap-v2'}});
	expect(ofType(sink, 'trade').at(-1)!.reserves!.token / truth!.reserves.token).toBeCloseTo(1, 9);
	expect(ofType(sink, 'trade').at(-1)!.reserves!.quote / truth!.reserves.quote).toBeCloseTo(1, 9);
});

for (const venue of ['uniswap-v2', 'uniswap-v3', 'uniswap-v4', 'clanker', 'zora'] as const) {
	test(`a launch in a pool (${venue}) has its trades and what the pool holds`, async () => {
		const world = await worldOn('base');
		const token = await world.launch({venue, symbol: 'POOL', quotes: 3});
		await world.buy(token, 'ann', 1);
		await world.buy(token, 'bob', 0.5);
		await world.sell(token, 'ann', 1);
		const sink = await followed(world);
		const [truth] = await truthOf(world, PEOPLE);
		expectTruth(sink, truth!);
		const exchange = {name: LAUNCHPADS[venue] ?? expect.any(String)};
		const type = venue === 'clanker' || venue === 'zora' ? 'uniswap-v4' : venue;
		expect(ofType(sink, 'launch')[0]).toMatchObject({pool: {address: token.pool, type, exchange}, curveSale: null});
		const reserves = held(sink, token.address);
		expect(reserves.token / truth!.reserves.token).toBeCloseTo(1, 6);
		expect(reserves.quote / truth!.reserves.quote).toBeCloseTo(1, 6);
	});
}

test('a token of Flap has its launch, trades and graduation', async () => {
	const world = await worldOn('bnb');
	const token = await world.launch({venue: 'flap', symbol: 'FLAP'});
	await world.buy(token, 'ann', 1);
	await world.sell(token, 'ann', 0.5);
	await world.graduate(token);
	await world.buy(token, 'bob', 0.5);
	const sink = await followed(world);
	const [truth] = await truthOf(world, PEOPLE);
	expectTruth(sink, truth!);
	expect(ofType(sink, 'migrate')).toMatchObject([{main: true, pool: {address: token.pool}}]);
});

test('a chain that grows while it is followed gives the events of one that is read later', async () => {
	const world = await worldOn('base', {live: true});
	const sink = new PlainSink();
	follow(world, sink);
	for (let i = 0; i < 3; i++) {
		const token = await world.launch({venue: i === 1 ? 'uniswap-v3' : 'uniswap-v2'});
		await world.buy(token, 'ann', 1);
		await caughtUp(sink, world);
		await world.buy(token, 'bob', 0.25);
		await world.sell(token, 'ann', 0.5);
	}
	await caughtUp(sink, world);
	expect(sink.events).toEqual((await followed(world)).events);
	expect(ofType(sink, 'trade')).toHaveLength(9);
});

test('a reorganisation leaves the events of the chain that stands', async () => {
	const world = await worldOn('bnb', {live: true});
	const sink = new PlainSink();
	follow(world, sink);
	const kept = await world.launch();
	await world.buy(kept, 'ann', 1);
	const gone = await world.launch();
	await world.buy(gone, 'ann', 1);
	await world.buy(kept, 'bob', 1);
	await caughtUp(sink, world);
	expect(ofType(sink, 'launch')).toHaveLength(2);
	await world.reorg(3);
	await world.buy(kept, 'bob', 0.5);
	await caughtUp(sink, world);
	expect(sink.takenBack).toBeGreaterThan(0);
	expect(ofType(sink, 'launch').map(({token}) => token)).toEqual([kept.address]);
	expect(sink.events).toEqual((await followed(world)).events);
});

test('a restart goes on where the last run stopped', async () => {
	const world = await worldOn('bnb', {live: true});
	const sink = new PlainSink();
	const first = follow(world, sink);
	const token = await world.launch();
	await world.buy(token, 'ann', 1);
	await caughtUp(sink, world);
	await first.stop();
	const seen = sink.coverage!;
	const again = follow(world, sink);
	expect(sink.coverage).toMatchObject({block: seen.block, blockTime: seen.blockTime, since: seen.since, tokens: 1});
	await again.stop();
	await world.buy(token, 'bob', 1);
	await world.graduate(token);
	await world.sell(token, 'ann');
	follow(world, sink);
	await caughtUp(sink, world);
	expect(sink.events).toEqual((await followed(world)).events);
	expect(ofType(sink, 'migrate')).toHaveLength(1);
});

test('taxes of a token are the highest that a trade was charged', async () => {
	const world = await worldOn('base');
	const token = await world.launch({venue: 'uniswap-v2'});
	await world.buy(token, 'ann', 1);
	await world.tax(token, 50_000, 100_000);
	await world.buy(token, 'bob', 1);
	await world.sell(token, 'ann', 0.5);
	const sink = await followed(world);
	const [truth] = await truthOf(world, PEOPLE);
	expectTruth(sink, truth!);
	const flags = ofType(sink, 'profile').map(({profile}) => profile.security);
	const tried = {renounced: false, isMintable: true, isHoneypot: false};
	// The trial at the opening of the pool saw none.
	expect(ofType(sink, 'launch')[0]!.profile.security).toEqual({...tried, buyTax: '0', sellTax: '0'});
	expect(flags).toEqual([
		{...tried, buyTax: '5', sellTax: '0'},
		{...tried, buyTax: '5', sellTax: '10'},
	]);
});

test('a token that five wallets have sold is no honeypot; before that it is unknown', async () => {
	const world = await worldOn('base');
	const token = await world.launch({venue: 'uniswap-v3'});
	const wallets = ['ann', 'bob', 'cid', 'dan', 'eve'];
	for (const wallet of wallets) await world.buy(token, wallet, 0.1);
	for (const wallet of wallets.slice(1)) await world.sell(token, wallet);
	const before = await followed(world);
	for (const {profile} of [...ofType(before, 'launch'), ...ofType(before, 'profile')])
		expect(profile.security).not.toHaveProperty('isHoneypot');
	await world.sell(token, 'ann');
	const after = await followed(world);
	expect(ofType(after, 'profile').at(-1)!.profile.security).toMatchObject({isHoneypot: false});
});

test('bytes that are no texts, 36 decimals and the largest supply do not disturb the others', async () => {
	const world = await worldOn('base');
	const strange = await world.launch({
		venue: 'uniswap-v2',
		decimals: 36,
		strange: {
			name: `0x${'ff'.repeat(96)}`,
			symbol: `0x${Buffer.from('OLD').toString('hex').padEnd(64, '0')}`,
			decimals: `0x${(36).toString(16).padStart(64, '0')}`,
			supply: 2n ** 256n - 1n,
		},
	});
	const plain = await world.launch({venue: 'uniswap-v2', symbol: 'PLAIN'});
	await world.buy(plain, 'ann', 1);
	await world.buy(strange, 'ann', 1);
	const sink = await followed(world);
	expect(ofType(sink, 'launch', strange.address)).toMatchObject([
		{name: null, symbol: 'OLD', decimals: 36, supply: Number(2n ** 256n - 1n) / 1e36},
	]);
	expect(ofType(sink, 'trade', plain.address)).toHaveLength(1);
	expect(ofType(sink, 'trade', strange.address)).toHaveLength(1);
	expect(ofType(sink, 'trade', strange.address)[0]!.amountToken).toBeGreaterThan(0);
});

test('beyond the most tokens the longest idle one is dropped, by every reader of the chain', async () => {
	const world = await worldOn('bnb', {live: true});
	const first = await world.launch();
	const second = await world.launch();
	await world.mine(1, 3600);
	await world.buy(first, 'ann', 1);
	const sink = new PlainSink();
	const source = follow(world, sink, {maxTokens: 2});
	await caughtUp(sink, world);
	await source.stop();
	const third = await world.launch();
	follow(world, sink, {maxTokens: 2});
	await caughtUp(sink, world);
	expect(sink.forgotten).toHaveLength(1);
	expect(ofType(sink, 'launch').map(({token}) => token)).toContain(third.address);
	const later = new PlainSink();
	follow(world, later, {maxTokens: 2});
	await caughtUp(later, world);
	expect(later.events).toEqual(sink.events);
	expect(sink.forgotten).toEqual(later.forgotten);
	expect([first.address, second.address]).toContain(sink.forgotten[0]);
	expect(sink.coverage).toMatchObject({tokens: 2, maxTokens: 2});
});

test('events that no table has are counted', async () => {
	const world = await worldOn('base');
	const zora = world.places.zora!;
	await world.launch({venue: 'zora'});
	// A launchpad of a later version: PUSH1 7, PUSH1 0, PUSH1 0, LOG1.
	await world.rpc('anvil_setCode', [zora, '0x600760006000a100']);
	const call = {to: zora, abi: LaunchToken.abi, name: 'approve', args: [zora, 1n], value: 0n};
	await world.senders.send(world.person('ann'), call);
	await world.mine();
	const sink = await followed(world);
	expect(sink.coverage).toMatchObject({unknownEvents: 1, unknownBlocks: 1});
	expect(ofType(sink, 'launch')).toHaveLength(1);
});

test('a token that its owner gives up is renounced from then on', async () => {
	const world = await worldOn('base');
	const token = await world.launch({venue: 'uniswap-v2'});
	const call = {to: token.address, abi: LaunchToken.abi, name: 'renounceOwnership', args: [], value: 0n};
	await world.senders.send(token.creator, call);
	await world.mine();
	const sink = await followed(world);
	const tried = {isHoneypot: false, buyTax: '0', sellTax: '0'};
	expect(ofType(sink, 'launch')[0]!.profile.security).toEqual({renounced: false, isMintable: true, ...tried});
	expect(ofType(sink, 'profile').map(({profile}) => profile.security)).toEqual([{renounced: true, ...tried}]);
});

test('what does not say its decimals is no token, and is not followed', async () => {
	const world = await worldOn('base');
	const strange = {name: '0x', symbol: '0x', decimals: '0x', supply: 10n ** 27n} as const;
	const none = await world.launch({venue: 'uniswap-v2', strange});
	const token = await world.launch({venue: 'uniswap-v2'});
	await world.buy(none, 'ann', 1);
	const sink = await followed(world);
	expect(ofType(sink, 'launch').map(launch => launch.token)).toEqual([token.address]);
	expect(sink.forgotten).toEqual([none.address]);
	expect(sink.facts.some(({key}) => key.includes(none.address))).toBe(false);
});

test('a source stops at once though its node answers no more', async () => {
	const world = await worldOn('base');
	const silent = createServer(() => {}).listen(0, '127.0.0.1');
	await once(silent, 'listening');
	open.push({stop: async () => void silent.close().closeAllConnections()});
	const {port} = silent.address() as AddressInfo;
	const chain = {chainId: 'evm:8453', name: 'base', urls: [`http://127.0.0.1:${port}`]};
	// No deadline ends its calls.
	holdTimeouts();
	const source = createEvmSource({chain, log: () => {}, nowMs: () => world.nowMs()});
	source.start(new PlainSink(), new Map());
	await once(silent, 'request');
	await source.stop();
});

test('a source that ends by itself says why', async () => {
	const world = await worldOn('base');
	const sink = new PlainSink();
	sink.append = () => Promise.reject(new RangeError('a mistake'));
	const source = follow(world, sink);
	expect(await source.ended).toEqual(new RangeError('a mistake'));
	expect(sink.coverage).toMatchObject({state: 'stalled', why: 'the program made a mistake'});
});
