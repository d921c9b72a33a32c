/** An address in lower case. */
type Address = `0x${string}`;

/** Names that `--follow` takes. */
export type EvmChainName = 'base' | 'bnb' | 'arbitrum' | 'polygon' | 'ethereum' | 'robinhood';

/** Where the price of a quote coin in US dollars comes from. */
export type PriceSource =
	/** Counted as one dollar. */
	| {readonly kind: 'dollar'}
	/** A feed of Chainlink: `latestRoundData()` and `getRoundData(uint80)` of its proxy. */
	| {
			readonly kind: 'chainlink';
			readonly feed: Address;
			/** Decimals of its answers. */
			readonly decimals: number;
			/** Longest time between two rounds, in seconds, as its operator states it. */
			readonly heartbeatS: number;
	  }
	/** A pool of Uniswap V3 with another quote coin, whose price is known: each swap says what it costs. */
	| {readonly kind: 'pool'; readonly pool: Address; readonly in: Address};

/** A coin that pools price tokens in. */
export interface QuoteFacts {
	/** In lower case. */
	readonly address: Address;
	readonly symbol: string;
	readonly name: string;
	readonly decimals: number;
	/** Null: no price is known here; what it prices has a price in it, and none in dollars. */
	readonly price: PriceSource | null;
}

/** What has to be known of an EVM chain to follow it. */
export interface EvmChain {
	readonly number: number;
	/** `evm:8453`. */
	readonly id: string;
	readonly name: EvmChainName;
	/** Usual time between two blocks. */
	readonly blockMs: number;
	/** Blocks behind the head that are shown by default. */
	readonly confirmations: number;
	/** The native coin and the token that wraps it; both have the price of `wrapped`. */
	readonly native: {readonly symbol: string; readonly name: string; readonly wrapped: Address};
	/** `wrapped` first, then coins that pools are quoted in. */
	readonly quotes: readonly QuoteFacts[];
	readonly multicall3: Address;
}

/** The zero address: pools of a manager use it for the native coin, launchpads too. */
export const NATIVE: Address = '0x0000000000000000000000000000000000000000';

/** The same contract at the same address on every chain that has it. */
const MULTICALL3: Address = '0xca11bde05977b3631167028862be2a173976ca11';

/**
 * Heartbeat of feeds whose figure could not be checked: they were faster once (a minute and less), and a price that moves makes a
 * round at once. Too short would hide prices that are right.
 */
const UNSURE_S = 3600;

const DOLLAR: PriceSource = {kind: 'dollar'};

function feed(address: Address, heartbeatS: number): PriceSource {
	return {kind: 'chainlink', feed: address, decimals: 8, heartbeatS};
}

function quote(
	address: Address,
	symbol: string,
	name: string,
	decimals: number,
	price: PriceSource | null,
): QuoteFacts {
	return {address, symbol, name, decimals, price};
}

const usdc = (address: Address, decimals = 6) => quote(address, 'USDC', 'USD Coin', decimals, DOLLAR);
const usdt = (address: Address, decimals = 6) => quote(address, 'USDT', 'Tether USD', decimals, DOLLAR);
const weth = (address: Address, price: PriceSource) => quote(address, 'WETH', 'Wrapped Ether', 18, price);

const stock = (address: Address, symbol: string, name: string, priceFeed: Address) =>
	quote(address, symbol, name, 18, feed(priceFeed, 86_400));

/** Every chain that can be followed. */
export const EVM_CHAINS: readonly EvmChain[] = [
	{
		number: 8453,
		id: 'evm:8453',
		name: 'base',
		blockMs: 2000,
		confirmations: 1,
		native: {symbol: 'ETH', name: 'Ether', wrapped: '0x4200000000000000000000000000000000000006'},
		quotes: [
			weth('0x4200000000000000000000000000000000000006', feed('0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70', 1200)),
			usdc('0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'),
			usdt('0xfde4c96c8593536e31f229ea8f37b2ada2699bb2'),
			quote('0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca', 'USDbC', 'USD Base Coin', 6, DOLLAR),
			quote('0x0b3e328455c4059eeb9e3f84b5543f74e24e7e1b', 'VIRTUAL', 'Virtual Protocol', 18, {
				kind: 'pool',
				pool: '0x9c087eb773291e50cf6c6a90ef0f4500e349b903',
				in: '0x4200000000000000000000000000000000000006',
			}),
			quote('0x1111111111166b7fe7bd91427724b487980afc69', 'ZORA', 'Zora', 18, {
				kind: 'pool',
				pool: '0xedc625b74537ee3a10874f53d170e9c17a906b9c',
				in: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
			}),
		],
		multicall3: MULTICALL3,
	},
	{
		number: 56,
		id: 'evm:56',
		name: 'bnb',
		blockMs: 450,
		confirmations: 2,
		native: {symbol: 'BNB', name: 'BNB', wrapped: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c'},
		quotes: [
			quote(
				'0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
				'WBNB',
				'Wrapped BNB',
				18,
				feed('0x0567f2323251f0aab15c8dfb1967e4e8a7d42aee', UNSURE_S),
			),
			usdt('0x55d398326f99059ff775485246999027b3197955', 18),
			usdc('0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', 18),
			quote('0x8d0d000ee44948fc98c9b98a4fa4921476f08b0d', 'USD1', 'World Liberty Financial USD', 18, DOLLAR),
			quote('0xe9e7cea3dedca5984780bafc599bd69add087d56', 'BUSD', 'Binance USD', 18, DOLLAR),
			quote('0x0e09fabb73bd3ade0a17ecc321fd13a19e81ce82', 'CAKE', 'PancakeSwap Token', 18, null),
		],
		multicall3: MULTICALL3,
	},
	{
		number: 42161,
		id: 'evm:42161',
		name: 'arbitrum',
		blockMs: 250,
		confirmations: 0,
		native: {symbol: 'ETH', name: 'Ether', wrapped: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1'},
		quotes: [
			weth('0x82af49447d8a07e3bd95bd0d56f35241523fbab1', feed('0x639fe6ab55c921f74e7fac1ee960c0b6293ba612', 86_400)),
			usdc('0xaf88d065e77c8cc2239327c5edb3a432268e5831'),
			quote('0xff970a61a04b1ca14834a43f5de4533ebddb5cc8', 'USDC.e', 'Bridged USDC', 6, DOLLAR),
			usdt('0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9'),
		],
		multicall3: MULTICALL3,
	},
	{
		number: 137,
		id: 'evm:137',
		name: 'polygon',
		blockMs: 2000,
		confirmations: 2,
		native: {symbol: 'POL', name: 'POL', wrapped: '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270'},
		quotes: [
			quote(
				'0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270',
				'WPOL',
				'Wrapped POL',
				18,
				feed('0xab594600376ec9fd91f8e885dadf0ce036862de0', UNSURE_S),
			),
			usdc('0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'),
			quote('0x2791bca1f2de4661ed88a30c99a7a9449aa84174', 'USDC.e', 'Bridged USDC', 6, DOLLAR),
			usdt('0xc2132d05d31c914a87c6611c10748aeb04b58e8f'),
			weth('0x7ceb23fd6bc0add59e62ac25578270cff1b9f619', feed('0xf9680d99d6c9589e2a93a78a04a279e509205945', UNSURE_S)),
		],
		multicall3: MULTICALL3,
	},
	{
		number: 1,
		id: 'evm:1',
		name: 'ethereum',
		blockMs: 12_000,
		confirmations: 1,
		native: {symbol: 'ETH', name: 'Ether', wrapped: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'},
		quotes: [
			weth('0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', feed('0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419', 3600)),
			usdc('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'),
			usdt('0xdac17f958d2ee523a2206206994597c13d831ec7'),
			quote('0x6b175474e89094c44da98b954eedeac495271d0f', 'DAI', 'Dai Stablecoin', 18, DOLLAR),
		],
		multicall3: MULTICALL3,
	},
	{
		number: 4663,
		id: 'evm:4663',
		name: 'robinhood',
		blockMs: 100,
		confirmations: 0,
		native: {symbol: 'ETH', name: 'Ether', wrapped: '0x0bd7d308f8e1639fab988df18a8011f41eacad73'},
		quotes: [
			weth('0x0bd7d308f8e1639fab988df18a8011f41eacad73', feed('0x78f3556b67e17df817d51ef5a990cdaf09e8d3a9', 86_400)),
			quote('0x5fc5360d0400a0fd4f2af552add042d716f1d168', 'USDG', 'Global Dollar', 6, DOLLAR),
			// Tokenised stocks that launches are quoted in. Their feeds rest at weekends: prices are unknown then.
			stock(
				'0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec',
				'NVDA',
				'NVIDIA',
				'0x379ec4f7c378f34a1b47e4f3cbebcbac3e8e9f15',
			),
			stock('0xc0d6457c16cc70d6790dd43521c899c87ce02f35', 'META', 'Meta', '0x7c38c00c30bee9378381e7b6135d7283356d71b1'),
			stock(
				'0x4a0e65a3eccec6dbe60ae065f2e7bb85fae35eea',
				'SPCX',
				'SpaceX',
				'0xb265810950ba6c5c0ff821c9963014a56fd8bffb',
			),
			stock(
				'0x322f0929c4625ed5bad873c95208d54e1c003b2d',
				'TSLA',
				'Tesla',
				'0x4a1166a659a55625345e9515b32adecea5547c38',
			),
		],
		multicall3: MULTICALL3,
	},
];

/** The chain of a number (8453), a chain id (`evm:8453`) or a name (`base`); undefined for one that cannot be followed. */
export function findEvmChain(chain: number | string): EvmChain | undefined {
	return EVM_CHAINS.find(({number, id, name}) => chain === number || chain === id || chain === name);
}
