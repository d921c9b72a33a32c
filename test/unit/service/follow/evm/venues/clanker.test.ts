import {describe, expect, test} from 'vitest';
import {CLANKER} from '../../../../../../source/service/follow/evm/venues/clanker.ts';
import {builtLog} from '../../../../../helpers/built-log.ts';
import {decoded} from '../../../../../helpers/decoded.ts';

const TOKEN = '0x1111111111111111111111111111111111111b07';
const PERSON = '0x2222222222222222222222222222222222222222';
const OTHER = '0x3333333333333333333333333333333333333333';
const MADE = {kind: 'token', token: TOKEN, creator: PERSON, supply: null, decimals: 18, curve: null, pool: null};
const METADATA = JSON.stringify({
	description: 'a frog',
	socialMediaUrls: [
		{platform: 'X', url: 'https://x.com/frog'},
		{platform: 'website', url: 'https://frog.example'},
		'nothing',
	],
});

function createdV4(tokenMetadata: string, tokenImage = 'https://frog.example/frog.png') {
	return builtLog(
		'event TokenCreated(address msgSender, address indexed tokenAddress, address indexed tokenAdmin, string tokenImage, string tokenName, string tokenSymbol, string tokenMetadata, string tokenContext, int24 startingTick, address poolHook, bytes32 poolId, address pairedToken, address locker, address mevModule, uint256 extensionsSupply, address[] extensions)',
		{
			msgSender: OTHER,
			tokenAddress: TOKEN,
			tokenAdmin: PERSON,
			tokenImage,
			tokenName: 'Frog',
			tokenSymbol: 'FROG',
			tokenMetadata,
			tokenContext: '{}',
			startingTick: -230_400,
			poolHook: OTHER,
			poolId: `0x${'ab'.repeat(32)}`,
			pairedToken: OTHER,
			locker: OTHER,
			mevModule: OTHER,
			extensionsSupply: 0n,
			extensions: [OTHER],
		},
	);
}

describe('built logs of Clanker', () => {
	test('version 4 has the person, the texts and what the metadata says', () => {
		expect(decoded(CLANKER, createdV4(METADATA))).toEqual({
			...MADE,
			name: 'Frog',
			symbol: 'FROG',
			profile: {
				logo: 'https://frog.example/frog.png',
				description: 'a frog',
				twitter: 'https://x.com/frog',
				website: 'https://frog.example',
			},
		});
	});

	test.each([
		'',
		'not json',
		'{"description":',
		'[1]',
		'{"description":7,"socialMediaUrls":{"x":1}}',
		'{"__proto__":{"a":1}}',
	])('metadata %j gives no profile and no error', metadata => {
		expect(decoded(CLANKER, createdV4(metadata, ''))).toMatchObject({token: TOKEN, profile: {}});
	});

	test('version 3.1', () => {
		const log = builtLog(
			'event TokenCreated(address indexed tokenAddress, address indexed creatorAdmin, address indexed interfaceAdmin, address creatorRewardRecipient, address interfaceRewardRecipient, uint256 positionId, string name, string symbol, int24 startingTickIfToken0IsNewToken, string metadata, uint256 amountTokensBought, uint256 vaultDuration, uint8 vaultPercentage, address msgSender)',
			{
				tokenAddress: TOKEN,
				creatorAdmin: PERSON,
				interfaceAdmin: OTHER,
				creatorRewardRecipient: OTHER,
				interfaceRewardRecipient: OTHER,
				positionId: 1_000_000n,
				name: 'Frog',
				symbol: 'FROG',
				startingTickIfToken0IsNewToken: -230_400,
				metadata: METADATA,
				amountTokensBought: 0n,
				vaultDuration: 0n,
				vaultPercentage: 0,
				msgSender: OTHER,
			},
		);
		expect(decoded(CLANKER, log)).toMatchObject({
			...MADE,
			name: 'Frog',
			symbol: 'FROG',
			profile: {description: 'a frog'},
		});
	});
});
