import {amountsInRange} from '../../source/chains/ticks.ts';
import type {Log} from '../../source/service/follow/evm/log.ts';
import type {Venue} from '../../source/service/follow/evm/venue.ts';
import {FLAP} from '../../source/service/follow/evm/venues/flap.ts';
import {FOUR_MEME} from '../../source/service/follow/evm/venues/four-meme.ts';
import {UNISWAP_V2} from '../../source/service/follow/evm/venues/uniswap-v2.ts';
import {UNISWAP_V3} from '../../source/service/follow/evm/venues/uniswap-v3.ts';
import {UNISWAP_V4} from '../../source/service/follow/evm/venues/uniswap-v4.ts';
import {builtLog} from '../helpers/built-log.ts';
import {decoded} from '../helpers/decoded.ts';

/*
 * The decoders of a followed chain alone, on one core: how many logs a second become events. A log comes as a node's answer has it
 * after parsing, so reading JSON is not in these figures.
 */

const GOAL = 20_000;
const RUN_MS = 1000;

function address(seed: number): string {
	return `0x${seed.toString(16).padStart(40, '7')}`;
}

function amount(seed: number): bigint {
	return BigInt(seed + 1) * 123_456_789_012_345_678n;
}

type Maker = (seed: number) => Log;

const KINDS: readonly [name: string, share: number, venue: Venue, maker: Maker][] = [
	[
		'Swap of V2',
		20,
		UNISWAP_V2,
		seed =>
			builtLog(
				'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
				{
					sender: address(1),
					amount0In: 0n,
					amount1In: amount(seed),
					amount0Out: amount(seed * 7),
					amount1Out: 0n,
					to: address(seed),
				},
			),
	],
	[
		'Sync of V2',
		20,
		UNISWAP_V2,
		seed =>
			builtLog('event Sync(uint112 reserve0, uint112 reserve1)', {
				reserve0: amount(seed * 99),
				reserve1: amount(seed * 5),
			}),
	],
	[
		'Swap of V3',
		15,
		UNISWAP_V3,
		seed =>
			builtLog(
				'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
				{
					sender: address(1),
					recipient: address(seed),
					amount0: -amount(seed),
					amount1: amount(seed * 3),
					sqrtPriceX96: 2n ** 96n + amount(seed),
					liquidity: amount(seed * 1000),
					tick: seed % 800_000,
				},
			),
	],
	[
		'Swap of V4',
		20,
		UNISWAP_V4,
		seed =>
			builtLog(
				'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
				{
					id: `0x${seed.toString(16).padStart(64, 'a')}`,
					sender: address(1),
					amount0: -amount(seed),
					amount1: amount(seed * 3),
					sqrtPriceX96: 2n ** 96n + amount(seed),
					liquidity: amount(seed * 1000),
					tick: -(seed % 800_000),
					fee: 10_000,
				},
			),
	],
	[
		'TokenPurchase of four.meme',
		12,
		FOUR_MEME,
		seed =>
			builtLog(
				'event TokenPurchase(address token, address account, uint256 price, uint256 amount, uint256 cost, uint256 fee, uint256 offers, uint256 funds)',
				{
					token: address(seed % 500),
					account: address(seed),
					price: 5_000_000_000n,
					amount: amount(seed * 1000),
					cost: amount(seed),
					fee: amount(seed) / 100n,
					offers: amount(seed * 1_000_000),
					funds: amount(seed * 9),
				},
			),
	],
	[
		'TokenSold of Flap',
		12,
		FLAP,
		seed =>
			builtLog(
				'event TokenSold(uint256 ts, address token, address seller, uint256 amount, uint256 eth, uint256 fee, uint256 postPrice)',
				{
					ts: 1_790_000_000n,
					token: address(seed % 500),
					seller: address(seed),
					amount: amount(seed * 1000),
					eth: amount(seed),
					fee: 5n,
					postPrice: 30_000_000_000n,
				},
			),
	],
	[
		'TokenCreate of four.meme',
		1,
		FOUR_MEME,
		seed =>
			builtLog(
				'event TokenCreate(address creator, address token, uint256 requestId, string name, string symbol, uint256 totalSupply, uint256 launchTime, uint256 launchFee)',
				{
					creator: address(seed),
					token: address(seed + 1),
					requestId: BigInt(seed),
					name: `Launch number ${seed} 青蛙`,
					symbol: `L${seed}`,
					totalSupply: 10n ** 27n,
					launchTime: 1_790_000_000n,
					launchFee: 0n,
				},
			),
	],
];

/** Events a second, of as many rounds as fit in the time. */
function rate(logs: readonly (readonly [Venue, Log])[]): number {
	let count = 0;
	const startedAt = performance.now();
	let passedMs = 0;
	while (passedMs < RUN_MS) {
		for (const [venue, log] of logs) if (decoded(venue, log) !== undefined) count++;
		passedMs = performance.now() - startedAt;
	}
	return (count / passedMs) * 1000;
}

function row(what: string, perSecond: number, goal = ''): void {
	console.log(`${what.padEnd(64)} ${`${Math.round(perSecond / 1000)},000 /s`.padStart(16)}  ${goal}`);
}

const all: (readonly [Venue, Log])[] = [];
for (const [name, share, venue, maker] of KINDS) {
	const logs = Array.from({length: share * 100}, (_, seed) => [venue, maker(seed)] as const);
	row(name, rate(logs));
	all.push(...logs);
}
// As they come in a block: one of each kind after the other, not a kind at a time.
const mixed = all.map((log, at) => ({log, at: (at * 7919) % all.length})).sort((a, b) => a.at - b.at);
const perSecond = rate(mixed.map(({log}) => log));
row('a mix of all', perSecond, `goal ${GOAL.toLocaleString('en')}`);

let ranges = 0;
const startedAt = performance.now();
while (performance.now() - startedAt < RUN_MS) {
	for (let at = 0; at < 1000; at++) {
		ranges +=
			amountsInRange({lower: -at * 200 - 200, upper: at * 200, liquidity: 10n ** 24n}, 2n ** 96n).amount0 > 0n ? 1 : 0;
	}
}
row('amounts of a range of liquidity', (ranges / (performance.now() - startedAt)) * 1000);
if (perSecond < GOAL) process.exitCode = 1;
