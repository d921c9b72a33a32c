import {expect, onTestFinished} from 'vitest';
import {openWorld, type World, type WorldOptions} from './follow-world.ts';
import {openFollower} from './follower.ts';
import {type Truth, truthOf} from './world/truth.ts';

const PEOPLE = ['creator', 'ann', 'bob', 'cid', 'whale'];

/** A world that is closed when its test ends. */
export async function worldOn(options: WorldOptions): Promise<World> {
	const world = await openWorld(options);
	onTestFinished(() => world.close());
	return world;
}

/** The rows of a market that has read the whole chain, by symbol, and the truth about each. */
export async function followed(world: World) {
	const {number} = await world.mine(1);
	const {id, name} = world.places;
	const follower = openFollower({chainId: id, name, urls: [world.wsUrl], nowMs: world.nowMs()});
	onTestFinished(() => follower.close());
	await expect.poll(() => follower.coverage.block).toBe(number);
	const entries = [...follower.entries().values()];
	const truths = await truthOf(world, PEOPLE);
	return {
		coverage: follower.coverage,
		entries,
		truths,
		of: (symbol: string) => ({
			entry: entries.find(entry => entry['symbol'] === symbol)!,
			truth: truths.find(({token}) => token.symbol === symbol)!,
		}),
	};
}

/** Figures have four decimals, or six digits. */
export const near = (wanted: number) => ({
	asymmetricMatch: (actual: unknown) => Math.abs(Number(actual) - wanted) <= Math.max(1e-4, Math.abs(wanted) * 1e-6),
	toString: () => `about ${wanted}`,
});

/** What trades say of a day, counted anew. */
export function dayOf({trades}: Truth) {
	const sum = (of: Truth['trades']) => of.reduce((total, {valueUSD}) => total + (valueUSD ?? Number.NaN), 0);
	const buys = trades.filter(({side}) => side === 'buy');
	const sells = trades.filter(({side}) => side === 'sell');
	const wallets = (of: Truth['trades']) => new Set(of.map(({wallet}) => wallet)).size;
	return {
		trades_24h: trades.length,
		buys_24h: buys.length,
		sells_24h: sells.length,
		buyers_24h: wallets(buys),
		sellers_24h: wallets(sells),
		traders_24h: wallets(trades),
		volume_24h: near(sum(trades)),
		volume_buy_24h: near(sum(buys)),
		volume_sell_24h: near(sum(sells)),
	};
}

/** Who holds how much: count and shares of the supply, in percent. */
export function holdersOf({balances, supply, token}: Truth) {
	const amounts = [...balances.values()].toSorted((a, b) => b - a);
	const share = (amount: number) => near((amount / supply) * 100);
	return {
		holdersCount: balances.size,
		top10Holdings: share(amounts.slice(0, 10).reduce((sum, amount) => sum + amount, 0)),
		devHoldings: share(balances.get(token.creator) ?? 0),
	};
}
