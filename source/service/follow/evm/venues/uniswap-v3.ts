import {exchangeContracts} from '../../../../chains/pool-factories.ts';
import {eventWords, topicAddress, topicUint} from '../event-data.ts';
import type {Log} from '../log.ts';
import type {Address, Hex, PoolLiquidity, PoolMade, PoolSwap, Venue} from '../venue.ts';

/** PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool) */
const POOL_CREATED = '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118';
/** Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick) */
export const V3_SWAP = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67';
/** The same with uint128 protocolFeesToken0, uint128 protocolFeesToken1 at its end. */
const PANCAKE_SWAP = '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83';
/** Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1) */
const MINT = '0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde';
/** Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1) */
const COLLECT = '0x70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0';
/** CollectProtocol(address indexed sender, address indexed recipient, uint128 amount0, uint128 amount1) */
const COLLECT_PROTOCOL = '0x596b573906218d3411850b26a6b437d6c4522fdb43d2d2386263f86d50b8b151';
/** FeeAmountEnabled(uint24 indexed fee, int24 indexed tickSpacing) */
const FEE_AMOUNT_ENABLED = '0xc66a3fdf07232cdd185febcc6579d408c241b47ae2f9907d84be655141eeaecc';
/** OwnerChanged(address indexed oldOwner, address indexed newOwner) */
const OWNER_CHANGED = '0xb532073b38c83145e3e5135377a08bf9aab55bc0fd7c1179cd4fb995d2a5159c';

interface V3Fork {
	readonly id: string;
	readonly name: string;
	readonly contracts: Readonly<Record<number, readonly Address[]>>;
	readonly swapTopic: Hex;
}

/**
 * Coins leave a pool when they are collected, not when a position is burnt: only `Collect` keeps the sums equal to what the
 * pool holds, the fees of its owners included.
 */
export function uniswapV3Fork({id, name, contracts, swapTopic}: V3Fork): Venue {
	return {
		id,
		poolType: 'uniswap-v3',
		name,
		contracts,
		events: {[POOL_CREATED]: poolCreated},
		poolEvents: {[swapTopic]: swap, [MINT]: mint, [COLLECT]: collect, [COLLECT_PROTOCOL]: collectProtocol},
		skipped: [FEE_AMOUNT_ENABLED, OWNER_CHANGED],
		feePpm: null,
	};
}

export const UNISWAP_V3 = uniswapV3Fork({
	id: 'uniswap-v3',
	name: 'Uniswap V3',
	contracts: exchangeContracts('v3', 'Uniswap V3'),
	swapTopic: V3_SWAP,
});

export const PANCAKESWAP_V3 = uniswapV3Fork({
	id: 'pancakeswap-v3',
	name: 'PancakeSwap V3',
	contracts: exchangeContracts('v3', 'PancakeSwap V3'),
	swapTopic: PANCAKE_SWAP,
});

function poolCreated(log: Log): PoolMade {
	const words = eventWords(log, 4, 2);
	return {
		kind: 'pool',
		pool: words.address(1),
		token0: topicAddress(log, 1),
		token1: topicAddress(log, 2),
		feePpm: Number(topicUint(log, 3, 24)),
		hooks: null,
		sqrtPriceX96: null,
	};
}

/** The amounts are from the pool's side: negative was paid out. */
export function swap(log: Log): PoolSwap {
	const words = eventWords(log, 3, 5);
	return {
		kind: 'swap',
		pool: log.address,
		amount0: words.int(0),
		amount1: words.int(1),
		feePpm: null,
		sqrtPriceX96: words.uint(2, 160),
		liquidity: words.uint(3, 128),
	};
}

function mint(log: Log): PoolLiquidity {
	const words = eventWords(log, 4, 4);
	return moved(log, words.uint(2), words.uint(3));
}

function collect(log: Log): PoolLiquidity {
	const words = eventWords(log, 4, 3);
	return moved(log, -words.uint(1, 128), -words.uint(2, 128));
}

function collectProtocol(log: Log): PoolLiquidity {
	const words = eventWords(log, 3, 2);
	return moved(log, -words.uint(0, 128), -words.uint(1, 128));
}

function moved(log: Log, amount0: bigint, amount1: bigint): PoolLiquidity {
	return {kind: 'liquidity', pool: log.address, provider: null, amounts: {amount0, amount1}, ticks: null};
}
