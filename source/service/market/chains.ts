import {CHAINS as ALL_CHAINS, findChain as findKnownChain} from '../../chains/chains.ts';
import type {PoolFacts, QuoteCoin} from './events.ts';

/** A chain of the simulated market. */
export interface Chain {
	readonly id: string;
	readonly name: string;
	readonly blockMs: number;
	readonly native: QuoteCoin;
	/** US dollars for one native coin in the simulated market. */
	readonly nativeUSD: number;
	readonly stable: QuoteCoin | null;
}

/** A coin as pools have it, without where its price comes from. */
export const quoteCoin = ({address, symbol, name, decimals}: QuoteCoin): QuoteCoin => ({
	address,
	symbol,
	name,
	decimals,
});

export const CHAINS: readonly Chain[] = ALL_CHAINS.flatMap(chain => {
	const {id, blockMs, quotes = [], practiceUSD: nativeUSD} = chain;
	const [native, ...others] = quotes;
	if (blockMs === undefined || native === undefined || nativeUSD === undefined) return [];
	const stable = others.find(({price}) => price?.kind === 'dollar');
	return {
		id,
		name: chainName(id),
		blockMs,
		native: quoteCoin(native),
		nativeUSD,
		stable: stable === undefined ? null : quoteCoin(stable),
	};
});

const BY_ID: ReadonlyMap<string, Chain> = new Map(CHAINS.map(chain => [chain.id, chain]));

/** The chain of an id; undefined for one that is not simulated. */
export function findChain(id: string): Chain | undefined {
	return BY_ID.get(id);
}

/** Name of a chain in the answers of the API; the id itself for an unknown chain. */
export function chainName(id: string): string {
	const chain = findKnownChain(id);
	return chain?.apiName ?? chain?.name ?? id;
}

/** Decimals of a chain's own coin. */
export function nativeDecimals(id: string): number {
	return findKnownChain(id)?.coin.decimals ?? 18;
}

/**
 * A place where tokens are launched: the first pool and, for a bonding curve, the pool that a token moves to when the
 * curve is sold.
 */
export interface Launchpad {
	readonly chainId: string;
	/** Share of all launches. */
	readonly weight: number;
	readonly type: string;
	readonly exchange: PoolFacts['exchange'];
	readonly factory: string;
	readonly decimals: number;
	readonly supply: number;
	/** Virtual reserves of a constant-product curve and the tokens it sells; null: launched straight into a pool. */
	readonly curve: {readonly virtualToken: number; readonly virtualQuote: number; readonly sale: number} | null;
	readonly next: {readonly type: string; readonly exchange: PoolFacts['exchange']; readonly factory: string} | null;
	/** Part of a trade's value taken as fee, before and after graduation. */
	readonly fee: number;
	readonly nextFee: number;
	/** Ending that the launchpad gives its addresses. */
	readonly vanity: string;
}

const logo = (name: string): string => `https://assets.pulsetop.invalid/exchange/${name}.png`;
const exchange = (name: string): {name: string; logo: string} => ({
	name,
	logo: logo(name.toLowerCase().replace(/\W+/g, '-')),
});

const PUMP_CURVE = {virtualToken: 1_073_000_000, virtualQuote: 30, sale: 793_100_000} as const;

export const LAUNCHPADS: readonly Launchpad[] = [
	{
		chainId: 'solana:solana',
		weight: 46,
		type: 'pumpfun',
		exchange: exchange('Pump.fun'),
		factory: '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P',
		decimals: 6,
		supply: 1e9,
		curve: PUMP_CURVE,
		next: {type: 'pumpswap', exchange: exchange('PumpSwap'), factory: 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA'},
		fee: 0.0125,
		nextFee: 0.003,
		vanity: 'pump',
	},
	{
		chainId: 'solana:solana',
		weight: 10,
		type: 'raydium-launchlab',
		exchange: exchange('Raydium LaunchLab'),
		factory: 'LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj',
		decimals: 6,
		supply: 1e9,
		curve: PUMP_CURVE,
		next: {
			type: 'raydium-cpmm',
			exchange: exchange('Raydium'),
			factory: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
		},
		fee: 0.01,
		nextFee: 0.0025,
		vanity: 'bonk',
	},
	{
		chainId: 'solana:solana',
		weight: 6,
		type: 'meteora-dbc',
		exchange: exchange('Meteora DBC'),
		factory: 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN',
		decimals: 9,
		supply: 1e9,
		curve: PUMP_CURVE,
		next: {type: 'meteora-dyn2', exchange: exchange('Meteora'), factory: 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG'},
		fee: 0.01,
		nextFee: 0.0025,
		vanity: '',
	},
	{
		chainId: 'solana:solana',
		weight: 3,
		type: 'boop',
		exchange: exchange('Boop'),
		factory: 'boop8hVGQGqehUK2iVEMEnMrL5RbjywRzHKBmBE7ry4',
		decimals: 9,
		supply: 1e9,
		curve: PUMP_CURVE,
		next: {
			type: 'raydium-cpmm',
			exchange: exchange('Raydium'),
			factory: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
		},
		fee: 0.01,
		nextFee: 0.0025,
		vanity: 'boop',
	},
	{
		chainId: 'evm:56',
		weight: 14,
		type: 'fourmeme',
		exchange: exchange('Four.meme'),
		factory: '0x5c952063c7fc8610FFDB798152D69F0B9550762b',
		decimals: 18,
		supply: 1e9,
		curve: {virtualToken: 1_066_666_667, virtualQuote: 6.4, sale: 800_000_000},
		next: {
			type: 'uniswap-v2',
			exchange: exchange('PancakeSwap V2'),
			factory: '0xcA143Ce32Fe78f1f7019d7d551a6402fC5350c73',
		},
		fee: 0.01,
		nextFee: 0.0025,
		vanity: '4444',
	},
	{
		chainId: 'evm:56',
		weight: 3,
		type: 'flap',
		exchange: exchange('Flap'),
		factory: '0xe2cE6ab80874Fa9Fa2aAE65D277Dd6B8e65C9De0',
		decimals: 18,
		supply: 1e9,
		curve: {virtualToken: 1_066_666_667, virtualQuote: 5, sale: 800_000_000},
		next: {
			type: 'uniswap-v3',
			exchange: exchange('PancakeSwap V3'),
			factory: '0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865',
		},
		fee: 0.01,
		nextFee: 0.0025,
		vanity: '8888',
	},
	{
		chainId: 'evm:8453',
		weight: 5,
		type: 'basememe',
		exchange: exchange('Base.meme'),
		factory: '0x9a1d0059f5534e7a6C6C4DAe390EBd3a731bD7dd',
		decimals: 18,
		supply: 1e9,
		curve: {virtualToken: 1_073_000_000, virtualQuote: 1.6, sale: 793_100_000},
		next: {type: 'uniswap-v3', exchange: exchange('Uniswap V3'), factory: '0x33128a8fC17869897dcE68Ed026d694621f6FDfD'},
		fee: 0.01,
		nextFee: 0.01,
		vanity: '',
	},
	{
		chainId: 'evm:8453',
		weight: 6,
		type: 'uniswap-v4',
		exchange: exchange('Uniswap V4'),
		factory: '0x498581fF718922c3f8e6A244956aF099B2652b2b',
		decimals: 18,
		supply: 1e11,
		curve: null,
		next: null,
		fee: 0.01,
		nextFee: 0.01,
		vanity: 'b07',
	},
	{
		chainId: 'evm:42161',
		weight: 2,
		type: 'uniswap-v3',
		exchange: exchange('Uniswap V3'),
		factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
		decimals: 18,
		supply: 1e9,
		curve: null,
		next: null,
		fee: 0.01,
		nextFee: 0.01,
		vanity: '',
	},
	{
		chainId: 'evm:42161',
		weight: 1,
		type: 'camelot-v2',
		exchange: exchange('Camelot'),
		factory: '0x6EcCab422D763aC031210895C81787E87B43A652',
		decimals: 18,
		supply: 1e9,
		curve: null,
		next: null,
		fee: 0.003,
		nextFee: 0.003,
		vanity: '',
	},
	{
		chainId: 'evm:137',
		weight: 2,
		type: 'uniswap-v2',
		exchange: exchange('QuickSwap'),
		factory: '0x5757371414417b8C6CAad45bAeF941aBc7d3Ab32',
		decimals: 18,
		supply: 1e9,
		curve: null,
		next: null,
		fee: 0.003,
		nextFee: 0.003,
		vanity: '',
	},
	{
		chainId: 'evm:1',
		weight: 2,
		type: 'uniswap-v2',
		exchange: exchange('Uniswap V2'),
		factory: '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f',
		decimals: 18,
		supply: 1e9,
		curve: null,
		next: null,
		fee: 0.003,
		nextFee: 0.003,
		vanity: '',
	},
];
