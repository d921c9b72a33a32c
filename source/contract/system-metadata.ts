import * as z from 'zod';
import {once} from './schema.ts';

const chain = once(() =>
	z.object({
		/** `evm:8453`, `solana:solana`. */
		id: z.string(),
		name: z.string(),
		blockExplorers: z
			.object({default: z.object({name: z.string(), url: z.string(), apiUrl: z.string().optional()})})
			.optional(),
	}),
);

const factory = once(() =>
	z.object({
		chainId: z.string(),
		address: z.string(),
		name: z.string().nullish(),
		ui_name: z.string().nullish(),
		logo: z.string().nullish(),
	}),
);

/** Answer of GET /api/1/system-metadata (contract gaps 7). Pool types differ in letter case: compare without it. */
export const systemMetadataSchema = once(() =>
	z.object({data: z.object({poolTypes: z.array(z.string()), chains: z.array(chain()), factories: z.array(factory())})}),
);

export type SystemMetadata = z.output<ReturnType<typeof systemMetadataSchema>>['data'];

/** Addresses by factory name in lower case, as the option `factoryNames` of parseFilters expects them. */
export function factoryNames(factories: SystemMetadata['factories']): ReadonlyMap<string, readonly string[]> {
	const names = new Map<string, string[]>();
	for (const {address, name, ui_name: shownName} of factories) {
		for (const key of new Set([name, shownName].flatMap(n => (n ? [n.toLowerCase()] : [])))) {
			names.set(key, [...(names.get(key) ?? []), address]);
		}
	}
	return names;
}

/** Pool type values that were seen (contract gaps 7); unknown ones must pass through. */
export const POOL_TYPES = {
	launchpad: [
		'pumpfun',
		'moonshot-sol',
		'moonshot-evm',
		'raydium-launchlab',
		'boop',
		'meteora-dbc',
		'heaven',
		'fourmeme',
		'flap',
		'clanker',
		'zora',
		'virtuals',
		'noxafun',
		'dyorswap',
		'liquidlaunch',
		'mana',
		'gte-bonding-v1',
		'basememe',
		'wenrich',
		'printr',
		'realfun',
		'rialto',
		'arena-trade',
		'arena-trade-v4',
		'lunchfun',
		'lunchfun-v4',
		'poolsfun',
		'pewfun',
		'pmavfun',
		'uniswap-launchpad',
		'launchproof',
		'pons',
		'doppler',
		'o1',
		'poolstrade',
		'letscash',
	],
	pool: [
		'pumpswap',
		'raydium',
		'raydium-clmm',
		'raydium-cpmm',
		'meteora',
		'meteora-dyn',
		'meteora-dyn2',
		'orca',
		'uniswap-v2',
		'uniswap-v3',
		'uniswap-v4',
		'sushiswap',
		'curve',
		'balancer',
		'camelot-v2',
		'solidly-v3',
		'aerodrome',
		'Algebra',
		'lbv2.1',
		'iziswap',
		'cetus',
		'turbos',
		'suiswap',
		'kriyaswap',
		'Aftermath',
		'Atmos',
		'ayin',
		'evo',
		'univ3-stella',
		'elexium',
		'dexlyn',
		'gte-spot-clob',
	],
	perp: ['dexA-perp', 'dexB-perp', 'gte-perp-clob'],
} as const;
