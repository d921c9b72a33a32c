import {FOLLOWED_CHAIN_NAMES, FOLLOWED_CHAINS} from '../../chains/followed-chains.ts';
import type {Config} from '../../config/config.ts';
import {durationMs} from '../../duration.ts';
import {PulsetopError} from '../../errors.ts';
import type {FollowOptions} from '../../service/follow/follow-options.ts';

/** The chains that a configuration follows with its own nodes; undefined for none. */
export function followOf({follow}: Config): FollowOptions | undefined {
	const chains = FOLLOWED_CHAIN_NAMES.flatMap(name => {
		const nodes = follow[name];
		if (nodes === undefined) return [];
		const {urls, confirmations, tokens, solUSD, meteoraDbc} = nodes;
		return {
			chainId: FOLLOWED_CHAINS[name],
			name,
			urls,
			...(confirmations !== undefined && {confirmations}),
			...(tokens !== undefined && {maxTokens: tokens}),
			...(solUSD !== undefined && {nativeUSD: solUSD}),
			...(meteoraDbc !== undefined && {meteoraDbc}),
		};
	});
	if (chains.length === 0) return undefined;
	const backfillMs = follow.backfill === undefined ? undefined : durationMs(follow.backfill);
	const {allowFetch, ipfsGateway} = follow;
	return {
		chains,
		...(backfillMs !== undefined && {backfillMs}),
		...(allowFetch && {allowFetch}),
		...(allowFetch && ipfsGateway !== undefined && {ipfsGateway}),
	};
}

/** The same configuration without chains to follow: for what needs a service with money, webhooks or predictions. */
export function withoutFollowing(config: Config): Config {
	const none = Object.fromEntries(FOLLOWED_CHAIN_NAMES.map(name => [name, undefined]));
	return Object.freeze({...config, follow: Object.freeze({...config.follow, ...none})});
}

/**
 * The configuration for what only a service has, such as predictions: of the hosted one, beside chains that are followed.
 * @throws MoneyMissing where chains are followed and no service is configured
 */
export function serviceConfig(config: Config): Config {
	if (followOf(config) === undefined) return config;
	if (config.service.baseUrl === undefined) throw new MoneyMissing();
	return withoutFollowing(config);
}

/** Money was asked for in a market that is read from nodes, without a service that moves money. */
export class MoneyMissing extends PulsetopError {
	readonly code = 'money-missing';

	constructor(why = 'chains are followed, so the market is real, and no money service is configured') {
		super('No money moves here', {
			why,
			next: 'fix-input',
			advice:
				'Name a hosted service with --base-url. To practise, follow no chain: PULSETOP_FOLLOW=none leaves those of the configuration out.',
		});
	}
}
