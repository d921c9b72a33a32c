import {createRequire} from 'node:module';
import type {Abi, Address, Hex} from 'viem';
import {encodeAbiParameters} from 'viem/utils';
import * as own from '../../contracts/artifacts.generated.ts';

export type WorldChain = 'base' | 'bnb' | 'robinhood';

/** Where the contracts of a chain are; addresses as their operators publish them. */
export interface Places {
	readonly number: number;
	readonly id: string;
	readonly name: WorldChain;
	/** Seconds between two blocks of the world. */
	readonly blockS: number;
	readonly coin: string;
	readonly wrapped: Address;
	readonly feed: Address;
	/** Counts as one dollar. */
	readonly dollar: {readonly address: Address; readonly symbol: string; readonly decimals: number};
	readonly v2Factory: Address;
	readonly v3Factory: Address;
	readonly v4Manager: Address;
	readonly clanker: Address;
	readonly zora?: Address;
	/** Quotes Zora's coins; it has no price in US dollars. */
	readonly zoraCoin?: Address;
	readonly virtuals?: Address;
	/** Quotes the tokens of Virtuals; it has no price in US dollars. */
	readonly virtualCoin?: Address;
	readonly pancakeFactory?: Address;
	readonly flap?: Address;
	readonly fourMeme?: Address;
	readonly fourMemeHelper?: Address;
	readonly airlock?: Address;
	readonly pons?: Address;
	/** Quotes tokens; it has a price in US dollars once its feed has one. */
	readonly stock?: {
		readonly address: Address;
		readonly symbol: string;
		readonly decimals: number;
		readonly feed: Address;
	};
}

export const PLACES: Readonly<Record<WorldChain, Places>> = {
	base: {
		number: 8453,
		id: 'evm:8453',
		name: 'base',
		blockS: 2,
		coin: 'ETH',
		wrapped: '0x4200000000000000000000000000000000000006',
		feed: '0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70',
		dollar: {address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', symbol: 'USDC', decimals: 6},
		v2Factory: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
		v3Factory: '0x33128a8fc17869897dce68ed026d694621f6fdfd',
		v4Manager: '0x498581ff718922c3f8e6a244956af099b2652b2b',
		clanker: '0xe85a59c628f7d27878aceb4bf3b35733630083a9',
		zora: '0x777777751622c0d3258f214f9df38e35bf45baf3',
		zoraCoin: '0x1111111111166b7fe7bd91427724b487980afc69',
		virtuals: '0xf66dea7b3e897cd44a5a231c61b6b4423d613259',
		virtualCoin: '0x0b3e328455c4059eeb9e3f84b5543f74e24e7e1b',
		airlock: '0x660eaaedebc968f8f3694354fa8ec0b4c5ba8d12',
	},
	bnb: {
		number: 56,
		id: 'evm:56',
		name: 'bnb',
		blockS: 1,
		coin: 'BNB',
		wrapped: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
		feed: '0x0567f2323251f0aab15c8dfb1967e4e8a7d42aee',
		dollar: {address: '0x55d398326f99059ff775485246999027b3197955', symbol: 'USDT', decimals: 18},
		v2Factory: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
		v3Factory: '0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7',
		v4Manager: '0x28e2ea090877bf75740558f6bfb36a5ffee9e9df',
		clanker: '0xea30438e0b5f99096cb05a8da63be55a6a298f6a',
		flap: '0xe2ce6ab80874fa9fa2aae65d277dd6b8e65c9de0',
		pancakeFactory: '0xca143ce32fe78f1f7019d7d551a6402fc5350c73',
		fourMeme: '0x5c952063c7fc8610ffdb798152d69f0b9550762b',
		fourMemeHelper: '0xf251f83e40a78868fcfa3fa4599dad6494e46034',
	},
	robinhood: {
		number: 4663,
		id: 'evm:4663',
		name: 'robinhood',
		blockS: 1,
		coin: 'ETH',
		wrapped: '0x0bd7d308f8e1639fab988df18a8011f41eacad73',
		feed: '0x78f3556b67e17df817d51ef5a990cdaf09e8d3a9',
		dollar: {address: '0x5fc5360d0400a0fd4f2af552add042d716f1d168', symbol: 'USDG', decimals: 6},
		v2Factory: '0x8bceaa40b9acdfaedf85adf4ff01f5ad6517937f',
		v3Factory: '0x1f7d7550b1b028f7571e69a784071f0205fd2efa',
		v4Manager: '0x8366a39cc670b4001a1121b8f6a443a643e40951',
		clanker: '0xd3f2cc1731b7fd17f28798835c2e02f0a1839a94',
		airlock: '0xeb7c034704ef8dcd2d32324c1545f62fb4ad0862',
		pons: '0x7ed598bcef8bd9edd8c97a195c6d13f40801ec7e',
		stock: {
			address: '0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec',
			symbol: 'NVDA',
			decimals: 18,
			feed: '0x379ec4f7c378f34a1b47e4f3cbebcbac3e8e9f15',
		},
	},
};

export const MULTICALL: Address = '0xca11bde05977b3631167028862be2a173976ca11';
/** Contracts of the world's own; nothing follows them. */
export const TRADER: Address = '0x7ade7ade7ade7ade7ade7ade7ade7ade7ade7ade';
export const TRADER_V4: Address = '0x7ade47ade47ade47ade47ade47ade47ade47ade4';
/** Its last bits say that it is called before and after swaps. */
export const HOOK: Address = '0x400c400c400c400c400c400c400c400c400c00c0';
/** Pons' own hook and locker. */
export const PONS_HOOK: Address = '0xe5e702641ea86f4ae6cc3cdaed2b886f976be044';
export const PONS_LOCKER: Address = '0x267444d099b10fb5ed7c3cc7b7c767adca574952';
export const FEES: Address = '0xfee0fee0fee0fee0fee0fee0fee0fee0fee0fee0';

/** What is put at an address: code that is run there as its constructor. */
export interface Placed {
	readonly address: Address;
	readonly init: Hex;
}

/** Every contract of a chain. */
export function contractsOf(places: Places): Placed[] {
	const {wrapped, dollar, feed, v2Factory, v3Factory, v4Manager, clanker} = places;
	const {zora, zoraCoin, virtuals, virtualCoin, pancakeFactory, fourMeme, fourMemeHelper, flap, airlock, pons, stock} =
		places;
	const placed = [
		{address: wrapped, init: uniswap('v2-periphery/build/WETH9.json')},
		{address: MULTICALL, init: own.Multicall.init},
		{address: feed, init: withArgs(own.PriceFeed, [8, `${places.coin} / USD`])},
		{address: dollar.address, init: withArgs(own.QuoteCoin, [dollar.symbol, dollar.symbol, dollar.decimals])},
		{address: v2Factory, init: v2FactoryInit()},
		{address: v3Factory, init: uniswap('v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json')},
		{address: v4Manager, init: v4ManagerInit()},
		{address: clanker, init: withArgs(own.Clanker, [v4Manager])},
		{address: HOOK, init: own.QuietHook.init},
		{address: TRADER, init: withArgs(own.Trader, [wrapped, FEES])},
		{address: TRADER_V4, init: withArgs(own.TraderV4, [wrapped, v4Manager])},
	];
	if (zora && zoraCoin) {
		placed.push({address: zora, init: withArgs(own.Zora, [v4Manager])});
		placed.push({address: zoraCoin, init: withArgs(own.QuoteCoin, ['Zora', 'ZORA', 18])});
	}
	if (virtuals && virtualCoin) {
		placed.push({address: virtuals, init: withArgs(own.Virtuals, [virtualCoin, v2Factory, FEES])});
		placed.push({address: virtualCoin, init: withArgs(own.QuoteCoin, ['Virtual Protocol', 'VIRTUAL', 18])});
	}
	if (pancakeFactory) placed.push({address: pancakeFactory, init: v2FactoryInit()});
	if (pancakeFactory && flap) placed.push({address: flap, init: withArgs(own.Flap, [wrapped, pancakeFactory, FEES])});
	if (pancakeFactory && fourMeme && fourMemeHelper) {
		placed.push({address: fourMeme, init: withArgs(own.FourMeme, [wrapped, pancakeFactory, FEES])});
		placed.push({address: fourMemeHelper, init: withArgs(own.FourMemeHelper, [fourMeme])});
	}
	if (airlock) placed.push({address: airlock, init: withArgs(own.Airlock, [v4Manager])});
	if (pons) {
		placed.push({address: pons, init: withArgs(own.Pons, [v4Manager, FEES, PONS_LOCKER])});
		placed.push({address: PONS_HOOK, init: own.QuietHook.init});
	}
	if (stock) {
		const {address, symbol, decimals, feed: priceFeed} = stock;
		placed.push({address, init: withArgs(own.QuoteCoin, [symbol, symbol, decimals])});
		placed.push({address: priceFeed, init: withArgs(own.PriceFeed, [8, `RH${symbol} / USD`])});
	}
	return placed;
}

/** Init code with the constructor's arguments behind it. */
function withArgs(contract: {readonly abi: Abi; readonly init: Hex}, values: readonly unknown[]): Hex {
	const maker = contract.abi.find(item => item.type === 'constructor');
	if (!maker) throw new Error('the contract has no constructor');
	return `${contract.init}${encodeAbiParameters(maker.inputs, values).slice(2)}`;
}

/** Uniswap's own code; it comes with packages for development and is no part of the program. */
function uniswap(file: string): Hex {
	const {bytecode} = createRequire(import.meta.url)(`@uniswap/${file}`) as {
		bytecode: string | {readonly object: string};
	};
	const code = typeof bytecode === 'string' ? bytecode : bytecode.object;
	return code.startsWith('0x') ? (code as Hex) : `0x${code}`;
}

function v2FactoryInit(): Hex {
	const setter = encodeAbiParameters([{type: 'address'}], [FEES]);
	return `${uniswap('v2-core/build/UniswapV2Factory.json')}${setter.slice(2)}`;
}

function v4ManagerInit(): Hex {
	const owner = encodeAbiParameters([{type: 'address'}], [FEES]);
	return `${uniswap('v4-core/out/PoolManager.sol/PoolManager.json')}${owner.slice(2)}`;
}
