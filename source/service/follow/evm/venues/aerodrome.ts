import {exchangeContracts} from '../../../../chains/pool-factories.ts';
import {DecodeFailed, eventWords, topicAddress, topicUint} from '../event-data.ts';
import type {Log} from '../log.ts';
import type {PoolLiquidity, PoolMade, PoolReserves, Venue} from '../venue.ts';
import {pairBurn, pairLiquidity, pairMint, pairSwap} from './pair-events.ts';
import {uniswapV3Fork, V3_SWAP} from './uniswap-v3.ts';

/** PoolCreated(address indexed token0, address indexed token1, bool indexed stable, address pool, uint256) */
const POOL_CREATED = '0x2128d88d14c80cb081c1252a5acff7a264671bf199ce226b53788fb26065005e';
/** Swap(address indexed sender, address indexed to, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out) */
const SWAP = '0xb3e2773606abfd36b5bd91394b3a54d1398336c65005baf7bf7a05efeffaf75b';
/** Sync(uint256 reserve0, uint256 reserve1) */
const SYNC = '0xcf2aa50876cdfbb541206f89af0ee78d44a2abf8d328e37fa4917f982149848a';
/** Mint(address indexed sender, uint256 amount0, uint256 amount1) */
const MINT = '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f';
/** Burn(address indexed sender, address indexed to, uint256 amount0, uint256 amount1) */
const BURN = '0x5d624aa9c148153ab3446c1b154f660ee7701e549fe9b62dab7171b1c80e6fa2';
/** SetCustomFee(address indexed pool, uint256 fee), SetFeeManager, SetPauser, SetVoter (address), SetPauseState(bool) */
const SETTINGS = [
	'0xae468ce586f9a87660fdffc1448cee942042c16ae2f02046b134b5224f31936b',
	'0x5d0517e3a4eabea892d9750138cd21d4a6cf3b935b43d0598df7055f463819b2',
	'0xe02efb9e8f0fc21546730ab32d594f62d586e1bbb15bb5045edd0b1878a77b35',
	'0xc6ff127433b785c51da9ae4088ee184c909b1a55b9afd82ae6c64224d3bc15d2',
	'0x0d76538efc408318a051137c2720a9e82902acdbd46b802d488b74ca3a09a116',
] as const;

/**
 * Solidly pools on Base, volatile and stable. Their fees leave the pool at once and may be set for each pool, so the fee is
 * unknown; Sync has what is left in the pool.
 */
export const AERODROME: Venue = {
	id: 'aerodrome',
	poolType: 'aerodrome',
	name: 'Aerodrome',
	contracts: exchangeContracts('solidly', 'Aerodrome'),
	events: {[POOL_CREATED]: poolCreated},
	poolEvents: {[SWAP]: pairSwap, [SYNC]: sync, [MINT]: pairMint, [BURN]: pairBurn},
	skipped: SETTINGS,
	feePpm: null,
};

/** PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool) */
const SLIPSTREAM_POOL_CREATED = '0xab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2';
/** CollectFees(address indexed recipient, uint128 amount0, uint128 amount1): the gauge takes fees out of the pool. */
const COLLECT_FEES = '0x205860e66845f2bbc0966bfab80db9bf93fca93862ea2b9fcf6945748352b4a3';
/** TickSpacingEnabled, modules and managers of fees. */
const SLIPSTREAM_SETTINGS = [
	'0xebafae466a4a780a1d87f5fab2f52fad33be9151a7f69d099e8934c8de85b747',
	'0xdf24ed64a7bcd761cf1132e79f94ea269a1d570e7a6ca0ab99a8f5ccd6f5022f',
	'0x6520f404f3831947cee8673060459cdfb181b7332aa7580bcce9bf90ef1f0e20',
	'0xcbca61144322b913ada4febfb591864cad7617559d7ee0d3e29b48eb93fcc78e',
	'0x7ae0007229b3333719d97e8ef5829c888f560776012974f87409c158e5b7eb91',
	'0x3d7ebe96182c99643ca0c997a416a2a3409baab225f85f50c29fcf0591c820c1',
] as const;

const slipstreamBase = uniswapV3Fork({
	id: 'aerodrome-slipstream',
	name: 'Aerodrome Slipstream',
	contracts: {
		8453: [
			'0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a',
			'0xade65c38cd4849adba595a4323a8c7ddfe89716a',
			'0x9592cd9b267748cbfbde90ac9f7df3c437a6d51b',
			'0xf8f2eb4940cfe7d13603dddd87f123820fc061ef',
		],
	},
	swapTopic: V3_SWAP,
});

/** Pools of Aerodrome with ranges: those of Uniswap V3, with a fee that a module sets. */
export const SLIPSTREAM: Venue = {
	...slipstreamBase,
	events: {[SLIPSTREAM_POOL_CREATED]: slipstreamPoolCreated},
	poolEvents: {...slipstreamBase.poolEvents, [COLLECT_FEES]: collectFees},
	skipped: [...slipstreamBase.skipped, ...SLIPSTREAM_SETTINGS],
};

function poolCreated(log: Log): PoolMade {
	const words = eventWords(log, 4, 2);
	const stable = topicUint(log, 3);
	if (stable > 1n) throw new DecodeFailed('topic 3 is neither true nor false');
	return {...poolMade(log, words.address(0)), isStable: stable === 1n};
}

function slipstreamPoolCreated(log: Log): PoolMade {
	return poolMade(log, eventWords(log, 4, 1).address(0));
}

function poolMade(log: Log, pool: PoolMade['pool']): PoolMade {
	return {
		kind: 'pool',
		pool,
		token0: topicAddress(log, 1),
		token1: topicAddress(log, 2),
		feePpm: null,
		hooks: null,
		sqrtPriceX96: null,
	};
}

function sync(log: Log): PoolReserves {
	const words = eventWords(log, 1, 2);
	return {kind: 'reserves', pool: log.address, reserve0: words.uint(0), reserve1: words.uint(1)};
}

function collectFees(log: Log): PoolLiquidity {
	const words = eventWords(log, 2, 2);
	return pairLiquidity(log, -words.uint(0, 128), -words.uint(1, 128));
}
