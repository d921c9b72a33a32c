import {exchangeContracts} from '../../../../chains/pool-factories.ts';
import {eventWords, topicAddress, topicBytes32} from '../event-data.ts';
import type {Log} from '../log.ts';
import type {PoolLiquidity, PoolMade, PoolSwap, Venue} from '../venue.ts';
import {ADMIN_TOPICS} from './admin-topics.ts';

/** Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick) */
const INITIALIZE = '0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438';
/** Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee) */
const SWAP = '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f';
/** ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt) */
const MODIFY_LIQUIDITY = '0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec';
/** Other events of the manager: Donate, its ERC-6909 claims (Transfer, Approval, OperatorSet), protocol fees. */
const OTHERS = [
	'0x29ef05caaff9404b7cb6d1c0e9bbae9eaa7ab2541feba1a9c4248594c08156cb',
	'0x1b3d7edb2e9c0b0e7c525b20aaaef0f5940d2ed71663c7d39266ecafac728859',
	'0xb3fd5071835887567a0671151121894ddccc2842f1d10bedad13e0d17cace9a7',
	'0xceb576d9f15e4e200fdb5096d64d5dfd667e16def20c1eefd14256d8e3faa267',
	'0xe9c42593e71f84403b84352cd168d693e2c9fcd1fdbcc3feb21d92b43e6696f9',
	'0xb4bd8ef53df690b9943d3318996006dbb82a25f54719d8c8035b516a2a5b8acc',
] as const;

/** Instead of a fee: the pool's hook sets it for each swap. */
const DYNAMIC_FEE = 0x80_0000n;

/** All pools of a chain live in one manager. A hook may take or give amounts beside what the manager reports. */
export const UNISWAP_V4: Venue = {
	id: 'uniswap-v4',
	poolType: 'uniswap-v4',
	name: 'Uniswap V4',
	contracts: exchangeContracts('v4', 'Uniswap V4'),
	events: {[INITIALIZE]: initialize},
	managedEvents: {[SWAP]: swap, [MODIFY_LIQUIDITY]: modifyLiquidity},
	skipped: [...OTHERS, ...ADMIN_TOPICS],
	feePpm: null,
};

function initialize(log: Log): PoolMade {
	const words = eventWords(log, 4, 5);
	const fee = words.uint(0, 24);
	const hooks = words.address(2);
	return {
		kind: 'pool',
		pool: topicBytes32(log, 1),
		token0: topicAddress(log, 2),
		token1: topicAddress(log, 3),
		feePpm: fee === DYNAMIC_FEE ? null : Number(fee),
		hooks: /[1-9a-f]/.test(hooks.slice(2)) ? hooks : null,
		sqrtPriceX96: words.uint(3, 160),
	};
}

/** The manager counts from the caller's side, negative being what the caller pays; we count from the pool's. */
function swap(log: Log): PoolSwap {
	const words = eventWords(log, 3, 6);
	return {
		kind: 'swap',
		pool: topicBytes32(log, 1),
		amount0: -words.int(0, 128),
		amount1: -words.int(1, 128),
		feePpm: Number(words.uint(5, 24)),
		sqrtPriceX96: words.uint(2, 160),
		liquidity: words.uint(3, 128),
	};
}

/** The sender is a position manager as a rule, so the provider is unknown. Nothing changes when fees alone are collected. */
function modifyLiquidity(log: Log): PoolLiquidity | undefined {
	const words = eventWords(log, 3, 4);
	const ticks = {
		lower: Number(words.int(0, 24)),
		upper: Number(words.int(1, 24)),
		liquidity: words.int(2),
	};
	if (ticks.liquidity === 0n) return undefined;
	return {kind: 'liquidity', pool: topicBytes32(log, 1), provider: null, amounts: null, ticks};
}
