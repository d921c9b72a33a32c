/** Contracts by chain number. */
type Contracts = Readonly<Record<number, readonly `0x${string}`[]>>;

/*
 * Factories of pools, in lower case, as their projects publish them: who follows a chain reads their events, who trades asks
 * them for the pools of a token.
 */

/** Pairs of the constant product: `getPair(address,address)`. */
export const V2_FACTORIES = {
	'Uniswap V2': {
		1: ['0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f'],
		56: ['0x8909dc15e40173ff4699343b6eb8132c65e18ec6'],
		137: ['0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c'],
		4663: ['0x8bceaa40b9acdfaedf85adf4ff01f5ad6517937f'],
		8453: ['0x8909dc15e40173ff4699343b6eb8132c65e18ec6'],
		42161: ['0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9'],
	},
	'PancakeSwap V2': {56: ['0xca143ce32fe78f1f7019d7d551a6402fc5350c73']},
	'QuickSwap V2': {137: ['0x5757371414417b8c6caad45baef941abc7d3ab32']},
	/** Where Flap moves tokens that do not go to PancakeSwap. */
	'Flap V2': {56: ['0x4db4fcfebbf3f0cbd20efff444b133b96abda2d6']},
} satisfies Readonly<Record<string, Contracts>>;

/** Pools with ranges: `getPool(address,address,uint24)`. */
export const V3_FACTORIES = {
	'Uniswap V3': {
		1: ['0x1f98431c8ad98523631ae4a59f267346ea31f984'],
		56: ['0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7'],
		137: ['0x1f98431c8ad98523631ae4a59f267346ea31f984'],
		4663: ['0x1f7d7550b1b028f7571e69a784071f0205fd2efa'],
		8453: ['0x33128a8fc17869897dce68ed026d694621f6fdfd'],
		42161: ['0x1f98431c8ad98523631ae4a59f267346ea31f984'],
	},
	'PancakeSwap V3': {
		1: ['0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'],
		56: ['0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'],
		8453: ['0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'],
		42161: ['0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'],
	},
} satisfies Readonly<Record<string, Contracts>>;

/** Solidly pools, volatile and stable: `getPool(address,address,bool)`. */
export const AERODROME_FACTORIES = {8453: ['0x420dd381b31aef6683db6b902084cb0ffece40da']} satisfies Contracts;
