import {setTimeout as sleep} from 'node:timers/promises';
import {startService} from '../../source/service/server.ts';
import {type Launched, openWorld, type World, type WorldVenue} from '../helpers/follow-world.ts';
import type {Service} from './target.ts';

const VENUES: Readonly<Record<string, readonly WorldVenue[]>> = {
	base: ['clanker', 'uniswap-v2', 'zora', 'uniswap-v3', 'virtuals', 'uniswap-v4'],
	bnb: ['four-meme', 'flap', 'four-meme'],
};
const PEOPLE = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay', 'gus', 'hal'];
/** Of each chain. */
const LAUNCHES = 60;
const PACE_MS = 150;
/** What the launches take of the chains' time, at most. */
const FILL_MS = 800_000;

/** Starts two chains with launches of every phase, on which trades go on, and a service that follows both. */
export async function startFollowed(): Promise<{readonly service: Service; close(): Promise<void>}> {
	const worlds = await Promise.all(
		(['base', 'bnb'] as const).map(chain => openWorld({chain, startMs: Date.now() - FILL_MS})),
	);
	await Promise.all(worlds.map(fill));
	const {url, streamUrl, apiKeys, close} = await startService({
		history: 'first',
		follow: {
			backfillMs: 3_600_000,
			chains: worlds.map(({places: {id, name}, wsUrl}) => ({chainId: id, name, urls: [wsUrl], confirmations: 0})),
		},
	});
	const ending = new AbortController();
	const living = worlds.map(world => live(world, ending.signal));
	return {
		service: {url, streamUrl, key: apiKeys[0]!, tokens: 2 * LAUNCHES - 1, knows: 'seen'},
		async close() {
			ending.abort();
			await Promise.all(living);
			await close();
			await Promise.all(worlds.map(world => world.close()));
		},
	};
}

/** Launches of all venues: new ones without a trade, some on their way, some that have graduated. */
async function fill(world: World): Promise<void> {
	const venues = VENUES[world.places.name]!;
	for (let i = 0; i < LAUNCHES; i++) {
		const name = letters(i);
		const token = await world.launch({
			venue: venues[i % venues.length]!,
			by: `maker ${i % 7}`,
			name: `Coin ${name}`,
			symbol: `COIN${name}`,
		});
		if (i % 5 > 0)
			await world.together(async () => {
				for (let n = 0; n < i % 5; n++) await world.buy(token, personOf(i + n), quotesOf(token, 0.1 + 0.3 * n));
			});
		if (i % 5 > 2) await world.sell(token, personOf(i), 0.4);
		if (i % 4 === 0 && world.places.name === 'bnb') await world.graduate(token);
	}
}

/** Goes on until it is ended: trades every moment, each token twice in a row, a launch now and then. */
async function live(world: World, signal: AbortSignal): Promise<void> {
	world.goLive();
	for (let turn = 0; !signal.aborted; turn++) {
		const token = world.launched[((turn >> 1) * 7) % world.launched.length]!;
		if (turn % 10 === 9) await world.launch({by: personOf(turn)});
		else await world.buy(token, personOf(turn), quotesOf(token, 0.02));
		await sleep(PACE_MS, undefined, {signal}).catch(() => {});
	}
}

function personOf(turn: number): string {
	return PEOPLE[turn % PEOPLE.length]!;
}

/** Whole quote coins that are worth as much as this many of a chain's own. */
function quotesOf({venue}: Launched, coins: number): number {
	return venue === 'zora' || venue === 'virtuals' ? coins * 1000 : coins;
}

/** 0 is A, 27 is BB. */
function letters(number: number): string {
	return String.fromCharCode(65 + (number % 26)).repeat(1 + Math.floor(number / 26));
}
