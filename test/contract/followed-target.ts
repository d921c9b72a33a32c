import {setTimeout as sleep} from 'node:timers/promises';
import {startService} from '../../source/service/server.ts';
import type {RunningService} from '../../source/service/service-options.ts';
import {openWorld, type World, type WorldVenue} from '../helpers/follow-world.ts';

/** A service over two chains that live, and what has to be ended with it. */
export interface FollowedService {
	readonly service: RunningService;
	close(): Promise<void>;
}

const VENUES: Readonly<Record<'base' | 'bnb', readonly WorldVenue[]>> = {
	base: ['clanker', 'uniswap-v2', 'uniswap-v3', 'clanker', 'uniswap-v4'],
	bnb: ['four-meme', 'flap', 'four-meme', 'four-meme', 'flap'],
};
const PEOPLE = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay', 'gus', 'hal'];
const LAUNCHES = 20;
const PACE_MS = 300;
/** What the launches take of the chains' time, at most. */
const FILL_MS = 400_000;

/** Starts two chains with launches of every phase, on which trades go on, and a service that follows both. */
export async function startFollowed(): Promise<FollowedService> {
	const worlds = await Promise.all(
		(['base', 'bnb'] as const).map(chain => openWorld({chain, startMs: Date.now() - FILL_MS})),
	);
	for (const world of worlds) await fill(world);
	const service = await startService({
		history: 'first',
		follow: {
			backfillMs: 3_600_000,
			chains: worlds.map(({places: {id, name}, wsUrl}) => ({chainId: id, name, urls: [wsUrl], confirmations: 0})),
		},
	});
	const ending = new AbortController();
	const living = worlds.map(world => live(world, ending.signal));
	return {
		service,
		async close() {
			ending.abort();
			await Promise.all(living);
			await service.close();
			await Promise.all(worlds.map(world => world.close()));
		},
	};
}

/** Launches of all venues: new ones, some on their way, some that have graduated. */
async function fill(world: World): Promise<void> {
	const venues = VENUES[world.places.name];
	for (let i = 0; i < LAUNCHES; i++) {
		const token = await world.launch({
			venue: venues[i % venues.length]!,
			by: `maker ${i % 7}`,
			name: `Coin ${i}`,
			symbol: `COIN${i}`,
		});
		for (let n = 0; n < 1 + (i % 5); n++) await world.buy(token, PEOPLE[(i + n) % PEOPLE.length]!, 0.1 + 0.3 * n);
		if (i % 3 === 0) await world.sell(token, PEOPLE[i % PEOPLE.length]!, 0.4);
		if (i % 4 === 0 && token.curve) await world.graduate(token);
	}
}

/** Goes on until it is ended: a trade every moment, a launch now and then. */
async function live(world: World, signal: AbortSignal): Promise<void> {
	world.goLive();
	for (let turn = 0; !signal.aborted; turn++) {
		const token = world.launched[(turn * 7) % world.launched.length]!;
		const person = PEOPLE[turn % PEOPLE.length]!;
		if (turn % 10 === 9) await world.launch({by: person});
		else await world.buy(token, person, 0.02);
		await sleep(PACE_MS, undefined, {signal}).catch(() => {});
	}
}
