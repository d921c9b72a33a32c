import {describe, expect, test} from 'vitest';
import {ZORA} from '../../../../../../source/service/follow/evm/venues/zora.ts';
import {builtLog} from '../../../../../helpers/built-log.ts';
import {decoded} from '../../../../../helpers/decoded.ts';

const COIN = '0x1111111111111111111111111111111111111111';
const PERSON = '0x2222222222222222222222222222222222222222';
const OTHER = '0x3333333333333333333333333333333333333333';
const POOL_KEY = '(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) poolKey';
const poolKey = {currency0: OTHER, currency1: COIN, fee: 10_000, tickSpacing: 200, hooks: OTHER};

describe('built logs of Zora', () => {
	test.each(['CoinCreatedV4', 'CreatorCoinCreated'])('%s: who is paid is the person', name => {
		const log = builtLog(
			`event ${name}(address indexed caller, address indexed payoutRecipient, address indexed platformReferrer, address currency, string uri, string name, string symbol, address coin, ${POOL_KEY}, bytes32 poolKeyHash, string version)`,
			{
				caller: OTHER,
				payoutRecipient: PERSON,
				platformReferrer: OTHER,
				currency: OTHER,
				uri: 'ipfs://bafy',
				name: 'A day at the sea',
				symbol: 'SEA',
				coin: COIN,
				poolKey,
				poolKeyHash: `0x${'cd'.repeat(32)}`,
				version: '2.1.0',
			},
		);
		expect(decoded(ZORA, log)).toEqual({
			kind: 'token',
			token: COIN,
			creator: PERSON,
			name: 'A day at the sea',
			symbol: 'SEA',
			supply: null,
			decimals: 18,
			curve: null,
			pool: null,
			profile: {uri: 'ipfs://bafy'},
		});
	});

	test('a trend coin has a ticker and no person', () => {
		const log = builtLog(
			`event TrendCoinCreated(address indexed caller, string symbol, address coin, ${POOL_KEY}, bytes32 poolKeyHash, bytes poolConfig, string version)`,
			{
				caller: OTHER,
				symbol: 'SEA',
				coin: COIN,
				poolKey,
				poolKeyHash: `0x${'cd'.repeat(32)}`,
				poolConfig: '0x0102',
				version: '2.4.0',
			},
		);
		expect(decoded(ZORA, log)).toMatchObject({token: COIN, symbol: 'SEA', name: null, creator: null});
	});
});
