import {afterEach, expect, test} from 'vitest';
import {createEvmNode} from '../../../source/rpc/evm/node-client.ts';
import {ContractSafety} from '../../../source/service/follow/evm/contract-safety.ts';
import {createEvmSource} from '../../../source/service/follow/evm/evm-source.ts';
import type {Trial} from '../../../source/service/follow/evm/trade-trial.ts';
import type {Address} from '../../../source/service/follow/evm/venue.ts';
import type {MarketEvent, Security} from '../../../source/service/market/events.ts';
import {TrapToken} from '../../contracts/artifacts.generated.ts';
import {openWorld, type World} from '../../helpers/follow-world.ts';
import {type HostileNode, type Lie, startHostileNode} from '../../helpers/hostile-node.ts';
import {PlainSink} from '../../helpers/plain-sink.ts';
import {PlayedChain} from '../../helpers/played-chain.ts';
import type {Trap} from '../../helpers/world/launches.ts';

const open: {close(): Promise<void>}[] = [];

afterEach(async () => {
	for (const part of open.splice(0).reverse()) await part.close();
});

async function worldOn(chain: 'base' | 'bnb'): Promise<World> {
	const world = await openWorld({chain});
	open.push(world);
	return world;
}

/** What a reader that sees the whole chain at once makes of it. */
async function followed(world: World): Promise<readonly MarketEvent[]> {
	const {id: chainId, name} = world.places;
	const sink = new PlainSink();
	const source = createEvmSource({
		chain: {chainId, name, urls: [world.url], confirmations: 0},
		backfillMs: 86_400_000,
		log: () => {},
		nowMs: () => world.nowMs(),
	});
	source.start(sink, new Map());
	const {number} = await world.head();
	await sink.until(({batches}) => batches.at(-1)?.toBlock === number);
	await source.stop();
	return sink.events;
}

/** What the market knows of a token's safety after all events; that of the launch alone first. */
function safetyOf(events: readonly MarketEvent[], token: string): readonly (Security | null | undefined)[] {
	return events
		.filter(event => event.type === 'launch' || event.type === 'profile')
		.filter(event => event.token === token)
		.map(({profile}) => profile.security);
}

async function launchTrap(world: World, trap: Trap): Promise<Security | null | undefined> {
	const token = await world.launch({venue: 'uniswap-v2', trap});
	const [launch] = safetyOf(await followed(world), token.address);
	return launch;
}

test('an honest token is bought and sold when its pool opens; its owner mints', async () => {
	const world = await worldOn('base');
	const token = await world.launch({venue: 'uniswap-v2'});
	expect(safetyOf(await followed(world), token.address)).toEqual([
		{renounced: false, isMintable: true, isHoneypot: false, buyTax: '0', sellTax: '0'},
	]);
});

test('a token that cannot be sold is a honeypot', async () => {
	const security = await launchTrap(await worldOn('base'), 'cannot be sold');
	expect(security).toEqual({renounced: false, isMintable: true, isHoneypot: true, buyTax: '0'});
});

test('a token that is sold for next to nothing is a honeypot', async () => {
	const security = await launchTrap(await worldOn('base'), 'sold for nothing');
	expect(security).toMatchObject({isHoneypot: true, buyTax: '0', sellTax: '95'});
});

test('a token that is not sold in the block it was bought in is no honeypot', async () => {
	const security = await launchTrap(await worldOn('base'), 'not sold in the same block');
	expect(security).toMatchObject({isHoneypot: false, buyTax: '0', sellTax: '0'});
});

test('code at the address of an owner makes no honeypot', async () => {
	const security = await launchTrap(await worldOn('base'), 'sold while its owner is no contract');
	expect(security).toMatchObject({isHoneypot: false, sellTax: '0', isMintable: true});
});

test('a token that takes every call is not mintable for that', async () => {
	const security = await launchTrap(await worldOn('base'), 'takes every call');
	expect(security).toEqual({renounced: false, isHoneypot: false, buyTax: '0', sellTax: '0'});
});

test('a token that is minted by the amount alone is mintable, until its owner gives it up', async () => {
	const world = await worldOn('base');
	const token = await world.launch({venue: 'uniswap-v2', trap: 'mints by amount'});
	await world.senders.send(token.creator, {
		to: token.address,
		abi: TrapToken.abi,
		name: 'renounceOwnership',
		args: [],
	});
	await world.mine();
	const tried = {isHoneypot: false, buyTax: '0', sellTax: '0'};
	expect(safetyOf(await followed(world), token.address)).toEqual([
		{renounced: false, isMintable: true, ...tried},
		{renounced: true, ...tried},
	]);
});

test('the tax of a token with a taxed pair is measured', async () => {
	const world = await worldOn('base');
	const token = await world.launch({venue: 'uniswap-v2'});
	await world.tax(token, 50_000, 125_000);
	const {number: block} = await world.head();
	const node = createEvmNode({urls: [world.url], chain: world.places.number});
	open.push(node);
	const pair = token.place as Address;
	const trial: Trial = {token: token.address, block, pair, owner: null};
	const safety = new ContractSafety(node, world.places.wrapped);
	const found = await safety.ask([trial, {...trial, block: block - 1, pair: null, owner: token.creator}], {
		waits: true,
	});
	expect(found.get(pair)).toEqual({isHoneypot: false, buyTax: '5', sellTax: '12.5'});
	expect(found.get(token.address)).toEqual({isMintable: true});
});

test('a pair without coins, and a token whose pool is of another kind, are not tried', async () => {
	const world = await worldOn('base');
	const token = await world.launch({venue: 'uniswap-v3'});
	const events = await followed(world);
	expect(safetyOf(events, token.address)).toEqual([{renounced: false, isMintable: true}]);
	const node = createEvmNode({urls: [world.url], chain: world.places.number});
	open.push(node);
	const {number: block} = await world.head();
	const trial: Trial = {token: token.address, block, pair: token.place as Address, owner: null};
	const found = await new ContractSafety(node, world.places.wrapped).ask([trial], {waits: true});
	expect(found.get(trial.pair!)).toEqual({});
});

test('a token of a curve is tried when it moves to its pair', async () => {
	const world = await worldOn('bnb');
	const token = await world.launch();
	await world.graduate(token);
	const [launch, moved] = safetyOf(await followed(world), token.address);
	// The launchpad owns it, and mints by its own rules.
	expect(launch).toEqual({renounced: false});
	expect(moved).toEqual({renounced: false, isHoneypot: false, buyTax: '0', sellTax: '0'});
});

const TRIAL: Trial = {token: `0x${'11'.repeat(20)}`, pair: `0x${'22'.repeat(20)}`, owner: null, block: 3};
const WRAPPED: Address = `0x${'33'.repeat(20)}`;

async function safetyAt(lie: Lie, deadlineMs?: number): Promise<{hostile: HostileNode; safety: ContractSafety}> {
	const hostile = await startHostileNode(new PlayedChain());
	hostile.lie(({method}) => (method === 'eth_call' ? lie : undefined));
	const node = createEvmNode({urls: [hostile.url], chain: hostile.chain.chainId, ...(deadlineMs && {deadlineMs})});
	open.push(hostile, node);
	return {hostile, safety: new ContractSafety(node, WRAPPED)};
}

function trialsAsked({asked}: HostileNode): number {
	return asked.filter(({method}) => method === 'eth_call').length;
}

const UNABLE: Readonly<Record<string, Lie>> = {
	'refuses the parameter': {refusal: {code: -32602, message: 'too many arguments, want at most 2'}},
	'names the parameter': {refusal: {code: -32000, message: 'state override is not supported'}},
	'skips the parameter': {result: '0x'},
};
for (const [what, lie] of Object.entries(UNABLE)) {
	test(`a node that ${what} is not asked again, and nothing is known`, async () => {
		const {hostile, safety} = await safetyAt(lie);
		expect(await safety.ask([TRIAL], {waits: true})).toEqual(new Map());
		expect(await safety.ask([TRIAL], {waits: true})).toEqual(new Map());
		expect(trialsAsked(hostile)).toBe(1);
	});
}

test('a node that answers all but trials does not hold following up', async () => {
	const {hostile, safety} = await safetyAt('silence', 1500);
	expect(await safety.ask([TRIAL], {waits: true})).toEqual(new Map());
	const asked = trialsAsked(hostile);
	expect(await safety.ask([TRIAL], {waits: true})).toEqual(new Map());
	expect(trialsAsked(hostile)).toBe(asked);
});

test('a node without the state of a block is asked about the next token', async () => {
	const {hostile, safety} = await safetyAt({refusal: {code: -32000, message: 'missing trie node abcd (path )'}});
	expect(await safety.ask([TRIAL], {waits: true})).toEqual(new Map());
	expect(await safety.ask([TRIAL], {waits: true})).toEqual(new Map());
	expect(trialsAsked(hostile)).toBe(2);
});

test('a node that has not got a young block yet is waited for, for an old one it is not', async () => {
	const {safety} = await safetyAt({refusal: {code: -32000, message: 'header not found'}});
	await expect(safety.ask([TRIAL], {waits: true})).rejects.toThrow('header not found');
	expect(await safety.ask([TRIAL], {waits: false})).toEqual(new Map());
});

test('a token costs one call, and one more when it seems to be a trap and its owner may be the reason', async () => {
	const words = (...values: number[]) => values.map(value => value.toString(16).padStart(64, '0')).join('');
	const owner: Address = `0x${'44'.repeat(20)}`;
	const trap: Lie = {result: `0x${words(1000, 1000, 0, 0, 1)}`};
	const cases: [Lie, Trial, number][] = [
		[{result: `0x${words(1000, 1000, 500, 500, 1)}`}, {...TRIAL, owner}, 1],
		[trap, TRIAL, 1],
		[trap, {...TRIAL, owner}, 2],
		[trap, {...TRIAL, pair: null}, 0],
	];
	for (const [lie, trial, calls] of cases) {
		const {hostile, safety} = await safetyAt(lie);
		await safety.ask([trial], {waits: true});
		expect(trialsAsked(hostile)).toBe(calls);
	}
});

test('an answer that is none is no knowledge', async () => {
	for (const result of ['0x01', `0x${'ff'.repeat(160)}`, null, `0x${'00'.repeat(320)}`]) {
		const {safety} = await safetyAt({result});
		expect(await safety.ask([TRIAL], {waits: true})).toEqual(new Map());
	}
});
