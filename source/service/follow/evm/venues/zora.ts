import {eventWords, topicAddress} from '../event-data.ts';
import type {Log} from '../log.ts';
import type {TokenMade, Venue} from '../venue.ts';
import {ADMIN_TOPICS} from './admin-topics.ts';

/**
 * CoinCreatedV4(address indexed caller, address indexed payoutRecipient, address indexed platformReferrer, address currency, string
 * uri, string name, string symbol, address coin, (address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks)
 * poolKey, bytes32 poolKeyHash, string version)
 */
const COIN_CREATED_V4 = '0x2de436107c2096e039c98bbcc3c5a2560583738ce15c234557eecb4d3221aa81';
/** CreatorCoinCreated, with the same parameters. */
const CREATOR_COIN_CREATED = '0x74b670d628e152daa36ca95dda7cb0002d6ea7a37b55afe4593db7abd1515781';
/** TrendCoinCreated(address indexed caller, string symbol, address coin, poolKey, bytes32 poolKeyHash, bytes poolConfig, string version) */
const TREND_COIN_CREATED = '0xfb9e81c36dd4134d4eb5055e20d3238cb29a63daef0dd0f8b0f131da85891959';
/** CoinCreated of coins with pools of Uniswap V3, which the factory no longer makes. */
const COIN_CREATED = '0x3d1462491f7fa8396808c230d95c3fa60fd09ef59506d0b9bd1cf072d2a03f56';
/** TrendCoinPoolConfigUpdated(bytes) */
const TREND_COIN_POOL_CONFIG_UPDATED = '0x75e74a6c01b9eadae79d8f3582ad82a88b3de88997599b6c48cabb171be21800';

/**
 * Zora's coins on Base: no curve, a pool of Uniswap V4 in the same transaction, with an event of its own. Coins of contents are
 * priced in the coin of their creator, those in ZORA.
 */
export const ZORA: Venue = {
	id: 'zora',
	poolType: 'zora',
	name: 'Zora',
	contracts: {8453: ['0x777777751622c0d3258f214f9df38e35bf45baf3']},
	events: {
		[COIN_CREATED_V4]: coinCreated,
		[CREATOR_COIN_CREATED]: coinCreated,
		[TREND_COIN_CREATED]: trendCoinCreated,
	},
	skipped: [COIN_CREATED, TREND_COIN_POOL_CONFIG_UPDATED, ...ADMIN_TOPICS],
	feePpm: null,
};

/** The caller may be an app's account: the person is who is paid. */
function coinCreated(log: Log): TokenMade {
	const words = eventWords(log, 4, 12);
	const uri = words.text(1, 1024);
	return made({
		token: words.address(4),
		creator: topicAddress(log, 2),
		name: words.text(2),
		symbol: words.text(3),
		profile: uri === '' ? {} : {uri},
	});
}

function trendCoinCreated(log: Log): TokenMade {
	const words = eventWords(log, 2, 10);
	return made({token: words.address(1), creator: null, name: null, symbol: words.text(0), profile: {}});
}

function made(facts: Pick<TokenMade, 'token' | 'creator' | 'name' | 'symbol' | 'profile'>): TokenMade {
	return {kind: 'token', supply: null, decimals: 18, curve: null, pool: null, ...facts};
}
