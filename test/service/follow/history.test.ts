import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startFaultProxy} from '../../chaos/fault-proxy.ts';
import {LaunchToken} from '../../contracts/artifacts.generated.ts';
import {type Launched, openWorld, type World, type WorldVenue} from '../../helpers/follow-world.ts';
import {openFollower} from '../../helpers/follower.ts';
import {type FollowerProcess, startFollower} from '../../helpers/follower-process.ts';
import {startLyingProxy} from '../../helpers/lying-proxy.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {fc} from '../../helpers/properties.ts';
import {differences, unclearWindows} from '../../helpers/same-market.ts';
import type {WorldChain} from '../../helpers/world/places.ts';
import {TransactionReverted} from '../../helpers/world/senders.ts';
import {truthOf} from '../../helpers/world/truth.ts';

const PEOPLE = ['ann', 'bob', 'cid', 'dan', 'eve'];
const VENUES: Readonly<Record<string, readonly WorldVenue[]>> = {
	base: ['uniswap-v2', 'uniswap-v3', 'uniswap-v4', 'clanker', 'zora', 'virtuals'],
	bnb: ['four-meme', 'flap', 'four-meme', 'pancake-v2', 'uniswap-v3'],
	robinhood: ['pons', 'pons', 'clanker', 'uniswap-v3'],
};

/** Something that happens on the chain, to the follower, or on the way between them. Numbers choose among what is there. */
const STEP = fc.record({
	kind: fc.oneof(
		{weight: 4, arbitrary: fc.constant('launch' as const)},
		{weight: 12, arbitrary: fc.constant('buy' as const)},
		{weight: 7, arbitrary: fc.constant('sell' as const)},
		{weight: 2, arbitrary: fc.constant('transfer' as const)},
		{weight: 1, arbitrary: fc.constant('graduate' as const)},
		{weight: 1, arbitrary: fc.constant('price' as const)},
		{weight: 1, arbitrary: fc.constant('tax' as const)},
		{weight: 2, arbitrary: fc.constant('mine' as const)},
		{weight: 3, arbitrary: fc.constant('reorg' as const)},
		{weight: 2, arbitrary: fc.constant('lie' as const)},
		{weight: 2, arbitrary: fc.constant('bad line' as const)},
		{weight: 2, arbitrary: fc.constant('wait' as const)},
		{weight: 1, arbitrary: fc.constant('restart' as const)},
		{weight: 2, arbitrary: fc.constant('kill' as const)},
	),
	a: fc.nat(1000),
	b: fc.nat(1000),
	c: fc.nat(1000),
});
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

/** What a transaction does. @returns false when nothing is there to do it with */
async function act(world: World, {kind, a, b, c}: Step): Promise<void> {
	const {launched} = world;
	const token = launched[a % Math.max(1, launched.length)];
	const person = PEOPLE[b % PEOPLE.length]!;
	if (kind === 'launch') {
		const venues = VENUES[world.places.name]!;
		await world.launch({venue: venues[a % venues.length]!, by: person});
	} else if (kind === 'price') {
		await world.setPrice(500 + c);
	} else if (kind === 'mine') {
		await world.mine(1 + (a % 3), 1 + (c % 50));
	} else if (kind === 'reorg') {
		await world.reorg(1 + (a % 6));
	} else if (token && !isOver(token)) {
		await trade(world, token, person, {kind, a, b, c});
	}
}

/** A token of Virtuals is not traded any more once it has graduated. */
function isOver(token: Launched): boolean {
	return token.venue === 'virtuals' && !token.curve;
}

async function trade(world: World, token: Launched, person: string, {kind, b, c}: Step): Promise<void> {
	const held = await world.senders.read<bigint>({
		to: token.address,
		abi: LaunchToken.abi,
		name: 'balanceOf',
		args: [world.person(person)],
	});
	if (kind === 'buy') {
		const most =
			token.quote.decimals === 6 ? 1000 : token.quote.symbol === 'ZORA' || token.venue === 'virtuals' ? 3000 : 2;
		await world.buy(token, person, (most * (1 + c)) / 1001, {through: c % 4 === 0});
	} else if (kind === 'sell' && held > 10n ** 6n) {
		await world.sell(token, person, c % 3 === 0 ? 1 : (1 + c) / 1002);
	} else if (kind === 'transfer' && held > 0n) {
		await world.transfer(token, person, PEOPLE[(b + 1) % PEOPLE.length]!, (1 + c) / 1001);
	} else if (kind === 'graduate' && token.curve) {
		await world.graduate(token);
	} else if (kind === 'tax' && token.venue.endsWith('-v2') && token.creator === world.person(person)) {
		await world.tax(token, c * 100, c * 50);
	}
}

/** Runs a history, with a follower that watches it through bad times, and gives the market in the end beside that of a fresh one. */
async function run(chain: WorldChain, steps: readonly Step[], seed: number) {
	const dataDir = mkdtempSync(join(tmpdir(), 'pulsetop-follow-'));
	const world = await openWorld({chain, startMs: 1_790_000_000_000});
	const chance = numbers(seed);
	const node = await startLyingProxy(world, chance);
	const line = await startFaultProxy({target: node.url, seed});
	const {id, name} = world.places;
	const options = {chainId: id, name, urls: [line.streamUrl, line.url], dataDir};
	let follower: FollowerProcess | undefined;
	// A reorg may take time back with its blocks; clocks go on.
	let nowMs = world.nowMs();
	try {
		follower = startFollower({...options, nowMs});
		for (const step of steps) {
			if (step.kind === 'lie') {
				node.set(
					[{}, {emptyLogs: 0.5}, {refuse: 0.3}, {cut: 0.3}, {emptyLogs: 0.3, cut: 0.2, refuse: 0.2}][step.a % 5]!,
				);
			} else if (step.kind === 'bad line') {
				line.set(
					(
						[
							[],
							[{kind: 'cut', withinMs: 30}],
							[{kind: 'unavailable', part: 0.3}],
							[{kind: 'truncate', part: 0.2}],
							[{kind: 'jitter', ms: 40}],
						] as const
					)[step.a % 5]!,
				);
			} else if (step.kind === 'wait') {
				node.set({});
				line.set([]);
				// What was read before a restart is not reported anew: a block more is.
				const {number} = await world.mine(1);
				await follower.seen(number);
			} else if (step.kind === 'restart' || step.kind === 'kill') {
				await follower[step.kind === 'kill' ? 'kill' : 'close']();
				follower = startFollower({...options, nowMs});
			} else {
				await act(world, step).catch(error => {
					// After a reorg a curve may be sold out and its pool not made yet: then nobody can trade.
					if (!(error instanceof TransactionReverted)) throw error;
				});
				nowMs = Math.max(nowMs, world.nowMs());
				follower.at(nowMs);
			}
		}
		node.set({});
		line.set([]);
		const head = await world.mine(2);
		nowMs = Math.max(nowMs, world.nowMs());
		follower.at(nowMs);
		await follower.seen(head.number);
		const lived = await follower.entries();
		const unclear = unclearWindows(await truthOf(world, PEOPLE), nowMs);
		return {
			lived,
			fresh: await freshMarket(world, nowMs),
			unclear,
			launched: world.launched.map(({address}) => `${id}|${address}`),
		};
	} finally {
		await follower?.kill();
		await line.close();
		await node.close();
		await world.close();
		rmSync(dataDir, {recursive: true, force: true});
	}
}

/** What a follower makes of the chain as it stands, seen at once and without faults. */
async function freshMarket(world: World, nowMs: number) {
	const {id, name} = world.places;
	const follower = openFollower({chainId: id, name, urls: [world.wsUrl], nowMs});
	try {
		const {number} = await world.head();
		await expect.poll(() => follower.coverage.block).toBe(number);
		return follower.entries();
	} finally {
		await follower.close();
	}
}

function numbers(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

test.each(['base', 'bnb', 'robinhood'] as const)(
	'a history of %s with reorgs, faults, restarts and kills ends with the market of a fresh reader',
	{timeout: 8 * PATIENCE_MS},
	async chain => {
		const steps = fc.array(STEP, {minLength: 20, maxLength: 60});
		const property = fc.asyncProperty(steps, fc.nat(), async (each, seed) => {
			const {lived, fresh, unclear, launched} = await run(chain, each, seed);
			expect(differences(lived, fresh, unclear)).toEqual([]);
			expect([...fresh.keys()]).toEqual(expect.arrayContaining(launched));
		});
		await fc.assert(property, {numRuns: Number(process.env['PULSETOP_HISTORIES'] ?? 3), endOnFailure: true});
	},
);
