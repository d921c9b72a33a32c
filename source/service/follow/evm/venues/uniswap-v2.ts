import {exchangeContracts} from '../../../../chains/pool-factories.ts';
import {eventWords, topicAddress} from '../event-data.ts';
import type {Log} from '../log.ts';
import type {Address, PoolMade, PoolReserves, Venue} from '../venue.ts';
import {pairBurn, pairMint, pairSwap} from './pair-events.ts';

/** PairCreated(address indexed token0, address indexed token1, address pair, uint256) */
const PAIR_CREATED = '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9';
/** Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to) */
const SWAP = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822';
/** Sync(uint112 reserve0, uint112 reserve1) */
const SYNC = '0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1';
/** Mint(address indexed sender, uint256 amount0, uint256 amount1) */
const MINT = '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f';
/** Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to) */
const BURN = '0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496';

interface V2Fork {
	readonly id: string;
	readonly poolType: string;
	readonly name: string;
	readonly contracts: Readonly<Record<number, readonly Address[]>>;
	/** Of every pair; null when unknown. */
	readonly feePpm: number | null;
}

function uniswapV2Fork({id, poolType, name, contracts, feePpm}: V2Fork): Venue {
	return {
		id,
		poolType,
		name,
		contracts,
		events: {[PAIR_CREATED]: log => pairCreated(log, feePpm)},
		poolEvents: {[SWAP]: pairSwap, [SYNC]: sync, [MINT]: pairMint, [BURN]: pairBurn},
		skipped: [],
		feePpm,
	};
}

/** Pairs of the constant product, with reserves in an event of their own. */
export const UNISWAP_V2 = uniswapV2Fork({
	id: 'uniswap-v2',
	poolType: 'uniswap-v2',
	name: 'Uniswap V2',
	contracts: exchangeContracts('v2', 'Uniswap V2'),
	feePpm: 3000,
});

export const PANCAKESWAP_V2 = uniswapV2Fork({
	id: 'pancakeswap-v2',
	poolType: 'uniswap-v2',
	name: 'PancakeSwap V2',
	contracts: exchangeContracts('v2', 'PancakeSwap V2'),
	feePpm: 2500,
});

export const QUICKSWAP_V2 = uniswapV2Fork({
	id: 'quickswap-v2',
	poolType: 'uniswap-v2',
	name: 'QuickSwap V2',
	contracts: exchangeContracts('v2', 'QuickSwap V2'),
	feePpm: 3000,
});

/** Where Flap moves tokens that do not go to PancakeSwap. Its fee stands in no event. */
export const FLAP_V2 = uniswapV2Fork({
	id: 'flap-v2',
	poolType: 'uniswap-v2',
	name: 'Flap V2',
	contracts: exchangeContracts('v2', 'Flap V2'),
	feePpm: null,
});

function pairCreated(log: Log, feePpm: number | null): PoolMade {
	const words = eventWords(log, 3, 2);
	return {
		kind: 'pool',
		pool: words.address(0),
		token0: topicAddress(log, 1),
		token1: topicAddress(log, 2),
		feePpm,
		hooks: null,
		sqrtPriceX96: null,
	};
}

function sync(log: Log): PoolReserves {
	const words = eventWords(log, 1, 2);
	return {kind: 'reserves', pool: log.address, reserve0: words.uint(0, 112), reserve1: words.uint(1, 112)};
}
