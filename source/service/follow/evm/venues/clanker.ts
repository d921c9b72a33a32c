import {defined} from '../../../../defined.ts';
import type {Profile} from '../../../market/events.ts';
import {eventWords, topicAddress} from '../event-data.ts';
import type {Log} from '../log.ts';
import type {TokenMade, Venue} from '../venue.ts';
import {ADMIN_TOPICS} from './admin-topics.ts';

/**
 * Of version 4: TokenCreated(address msgSender, address indexed tokenAddress, address indexed tokenAdmin, string tokenImage, string
 * tokenName, string tokenSymbol, string tokenMetadata, string tokenContext, int24 startingTick, address poolHook, bytes32 poolId,
 * address pairedToken, address locker, address mevModule, uint256 extensionsSupply, address[] extensions)
 */
const TOKEN_CREATED_V4 = '0x9299d1d1a88d8e1abdc591ae7a167a6bc63a8f17d695804e9091ee33aa89fb67';
/**
 * Of version 3.1: TokenCreated(address indexed tokenAddress, address indexed creatorAdmin, address indexed interfaceAdmin, address
 * creatorRewardRecipient, address interfaceRewardRecipient, uint256 positionId, string name, string symbol, int24
 * startingTickIfToken0IsNewToken, string metadata, uint256 amountTokensBought, uint256 vaultDuration, uint8 vaultPercentage,
 * address msgSender)
 */
const TOKEN_CREATED_V3 = '0x6b04d68ca5c822b9c981d731c83ecb1356b96c8596c7659d397d234856a4537b';
/** ExtensionTriggered, ClaimTeamFees, and settings of both versions. */
const OTHERS = [
	'0xe80ed94c33183ba307727bf230f18d40178975f51b301a8415b90f4c9f549b7f',
	'0xe5b9f4d1f6cf7c3238f0c0b48597a9ccd3ff3d2309f3ccd30bd46aad5e06a638',
	'0x20db9067ad1976f7d6ee4ee07eea48c1139e0716fd856ec6edf203236c37db82',
	'0x55a5194bc0174fcaf12b2978bef43911466bf63b34db8d1dd1a0d5dcd5c41bea',
	'0xb393434b606480a39b9a3b6f498a7f5312283d75b93f92d1dffc0dae86425ea2',
	'0x3e7510e93c4fe81ab57ed70b4eaa9a407eeced9cdb0954a360b36947f38ccda0',
	'0xa42b595aa29ec637074f31538fbf673587d74ba490265a33cf04ed41d27a9ddc',
	'0xc4bf3ad397ab835bf8aefef70e7e1c35a0cfad7be9c060049050303ace20605c',
	'0xb4a70636e7a4c9d224bbe13304010ccb0ac964b3cc46c612d9abaeacfa204bd9',
	'0x98816c25fdd38fe4567b76858ce644a62161b5272648b051b397055a72506892',
	'0x483bdedaaf23706a9800ac1af0d852b34927780d79f9d6ba60a80c7cad75ea39',
	'0x7247b22169598e781f93418b160c3d3ba6c8d75f50df50195a836ed35e0829fe',
] as const;

/**
 * Clanker, versions 4 (pools of Uniswap V4) and 3.1 (of V3): no curve, the pool is made in the same transaction and has an event
 * of its own. Other launchpads write the same events, so only the factories below count.
 */
export const CLANKER: Venue = {
	id: 'clanker',
	poolType: 'clanker',
	name: 'Clanker',
	contracts: {
		1: ['0x6c8599779b03b00aaae63c6378830919abb75473'],
		130: ['0xe85a59c628f7d27878aceb4bf3b35733630083a9'],
		56: ['0xea30438e0b5f99096cb05a8da63be55a6a298f6a'],
		4663: ['0xd3f2cc1731b7fd17f28798835c2e02f0a1839a94'],
		8453: ['0xe85a59c628f7d27878aceb4bf3b35733630083a9', '0x2a787b2362021cc3eea3c24c4748a6cd5b687382'],
		42161: ['0xeb9d2a726edffc887a574dc7f46b3a3638e8e44f'],
	},
	events: {[TOKEN_CREATED_V4]: tokenCreatedV4, [TOKEN_CREATED_V3]: tokenCreatedV3},
	skipped: [...OTHERS, ...ADMIN_TOPICS],
	feePpm: null,
};

function tokenCreatedV4(log: Log): TokenMade {
	const words = eventWords(log, 3, 14);
	const image = words.text(1, 1024);
	return {
		kind: 'token',
		token: topicAddress(log, 1),
		creator: topicAddress(log, 2),
		name: words.text(2),
		symbol: words.text(3),
		supply: null,
		decimals: 18,
		curve: null,
		pool: null,
		profile: {...(image === '' ? {} : {logo: image}), ...profileOf(words.text(4, 8192))},
	};
}

function tokenCreatedV3(log: Log): TokenMade {
	const words = eventWords(log, 4, 11);
	return {
		kind: 'token',
		token: topicAddress(log, 1),
		creator: topicAddress(log, 2),
		name: words.text(3),
		symbol: words.text(4),
		supply: null,
		decimals: 18,
		curve: null,
		pool: null,
		profile: profileOf(words.text(6, 8192)),
	};
}

/** The content of the metadata, where the metadata is JSON in the form of Clanker's own site. */
function profileOf(metadata: string): Profile {
	const parsed = readJson(metadata);
	if (!isRecord(parsed)) return {};
	const {description, socialMediaUrls} = parsed;
	const urls = Array.isArray(socialMediaUrls) ? socialMediaUrls.slice(0, 20).filter(isRecord) : [];
	const urlOf = (...platforms: string[]) => {
		const found = urls.find(({platform}) => typeof platform === 'string' && platforms.includes(platform.toLowerCase()));
		return typeof found?.['url'] === 'string' ? found['url'] : undefined;
	};
	return defined({
		description: typeof description === 'string' && description !== '' ? description : undefined,
		twitter: urlOf('x', 'twitter'),
		telegram: urlOf('telegram'),
		website: urlOf('website'),
	});
}

function readJson(text: string): unknown {
	if (!text.startsWith('{')) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
