import {evmChainNumber} from '../../chains/chains.ts';
import {checksummed} from '../market/address.ts';
import type {EventSource} from '../market/event-source.ts';
import type {LaunchEvent} from '../market/events.ts';
import type {Market} from '../market/market.ts';
import type {FollowedChain, FollowOptions} from './follow-options.ts';
import {createFollowedMarket, type FollowedMarket} from './followed-market.ts';
import type {MetadataFetch} from './metadata-fetch.ts';

/**
 * Opens the market of the chains that are followed; nothing is asked of a node before its `start`.
 * @param dataDir undefined: nothing survives this run
 * @param log called with a line for each thing that went wrong without stopping the market
 * @throws JournalInUse when another process follows chains into the same data directory, JournalFailed
 */
export async function openFollowedMarket(
	options: FollowOptions,
	{dataDir, log}: {readonly dataDir: string | undefined; readonly log: (line: string) => void},
): Promise<FollowedMarket> {
	const opened = await openChains(options, log);
	const sources = opened.map(({open}) => open);
	const factories = opened.flatMap(chain => chain.factories);
	const quotes = opened.flatMap(chain => chain.quotes);
	const metadata = await openMetadata(options);
	return createFollowedMarket({options, sources, factories, quotes, dataDir, log, metadata});
}

/**
 * Loads the readers of the chains that are followed, in the order of the options.
 * @param log called with a line for each thing that went wrong without stopping a source
 */
export function openChains(options: FollowOptions, log: (line: string) => void): Promise<OpenedChain[]> {
	const backfillMs = options.backfillMs ?? 0;
	return Promise.all(options.chains.map(chain => openChain(chain, {backfillMs, log})));
}

/** Opens the reader of tokens' documents; undefined where reading them is not allowed. */
export async function openMetadata({allowFetch, ipfsGateway}: FollowOptions): Promise<MetadataFetch | undefined> {
	if (allowFetch !== true) return undefined;
	const {createMetadataFetch} = await import('./metadata-fetch.ts');
	return createMetadataFetch({ipfsGateway});
}

export type OpenFollowedMarket = typeof openFollowedMarket;

interface SourceOptions {
	readonly backfillMs: number;
	readonly log: (line: string) => void;
}

export interface OpenedChain {
	/** Makes a source of its events. Asks no node before it starts. */
	readonly open: () => EventSource;
	readonly factories: NonNullable<Market['factories']>;
	readonly quotes: readonly LaunchEvent[];
}

/** Loads the reader of one kind of chain. */
async function openChain(chain: FollowedChain, options: SourceOptions): Promise<OpenedChain> {
	const {chainId} = chain;
	if (chainId.startsWith('solana:')) {
		const [{createSolanaSource}, {SOLANA_VENUES}, {METEORA_DBC}] = await Promise.all([
			import('./solana/solana-source.ts'),
			import('./solana/venues/venues.ts'),
			import('./solana/venues/meteora-dbc.ts'),
		]);
		const venues = chain.meteoraDbc ? [...SOLANA_VENUES, METEORA_DBC] : SOLANA_VENUES;
		const factories = venues.map(({id, name, program}) => ({
			chainId,
			address: program,
			name: id,
			ui_name: name,
			logo: null,
		}));
		return {open: () => createSolanaSource(chain, {log: options.log}), factories, quotes: []};
	}
	const [{createEvmSource}, {venueContracts}, {findEvmChain}, {quoteLaunches}] = await Promise.all([
		import('./evm/evm-source.ts'),
		import('./evm/venues.ts'),
		import('../../chains/evm-chains.ts'),
		import('./evm/quote-launches.ts'),
	]);
	const facts = findEvmChain(chainId);
	const contracts = venueContracts(evmChainNumber(chainId) ?? 0);
	const factories = [...contracts].map(([address, {poolType, name}]) => ({
		chainId,
		address: checksummed(address),
		name: poolType,
		ui_name: name,
		logo: null,
	}));
	const quotes = facts ? quoteLaunches(facts) : [];
	return {open: () => createEvmSource({chain, ...options}), factories, quotes};
}
