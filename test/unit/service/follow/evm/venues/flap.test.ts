import {describe, expect, test} from 'vitest';
import {FLAP} from '../../../../../../source/service/follow/evm/venues/flap.ts';
import {builtLog} from '../../../../../helpers/built-log.ts';
import {decoded} from '../../../../../helpers/decoded.ts';

const PORTAL = '0xe2ce6ab80874fa9fa2aae65d277dd6b8e65c9de0';
const TOKEN = '0x1111111111111111111111111111111111118888';
const PERSON = '0x2222222222222222222222222222222222222222';
const POOL = '0x3333333333333333333333333333333333333333';
const NATIVE = '0x0000000000000000000000000000000000000000';

function created(meta: string) {
	return builtLog(
		'event TokenCreated(uint256 ts, address creator, uint256 nonce, address token, string name, string symbol, string meta)',
		{ts: 1n, creator: PERSON, nonce: 4n, token: TOKEN, name: 'Moth', symbol: 'MOTH', meta},
		{address: PORTAL},
	);
}

describe('built logs of Flap', () => {
	test('a token is made with the terms that count when no event has others', () => {
		const content = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy';
		expect(decoded(FLAP, created(content))).toEqual({
			kind: 'token',
			token: TOKEN,
			creator: PERSON,
			name: 'Moth',
			symbol: 'MOTH',
			supply: null,
			decimals: 18,
			curve: {address: PORTAL, quote: 'native', sale: 667_000_000n * 10n ** 18n},
			pool: null,
			profile: {uri: `ipfs://${content}`},
		});
		expect(decoded(FLAP, created('javascript:alert(1)'))).toMatchObject({profile: {}});
	});

	test('the terms come in events of their own', () => {
		const threshold = builtLog('event TokenDexSupplyThreshSet(address token, uint256 dexSupplyThresh)', {
			token: TOKEN,
			dexSupplyThresh: 8n * 10n ** 26n,
		});
		expect(decoded(FLAP, threshold)).toEqual({
			kind: 'curve-terms',
			token: TOKEN,
			sale: 8n * 10n ** 26n,
			quote: null,
		});
		const quote = (quoteToken: string) =>
			builtLog('event TokenQuoteSet(address token, address quoteToken)', {token: TOKEN, quoteToken});
		expect(decoded(FLAP, quote(POOL))).toMatchObject({sale: null, quote: POOL});
		expect(decoded(FLAP, quote(NATIVE))).toMatchObject({sale: null, quote: 'native'});
	});

	test.each([
		['TokenBought', 'buy'],
		['TokenSold', 'sell'],
	])('%s is a %s', (name, side) => {
		const log = builtLog(
			`event ${name}(uint256 ts, address token, address buyer, uint256 amount, uint256 eth, uint256 fee, uint256 postPrice)`,
			{ts: 1n, token: TOKEN, buyer: PERSON, amount: 50n, eth: 7n, fee: 1n, postPrice: 9n},
		);
		expect(decoded(FLAP, log)).toEqual({
			kind: 'curve-trade',
			token: TOKEN,
			wallet: PERSON,
			side,
			amountToken: 50n,
			amountQuote: 7n,
			fee: 1n,
			left: null,
			raised: null,
		});
	});

	test('progress is a share of the whole', () => {
		const progress = (newProgress: bigint) =>
			builtLog('event FlapTokenProgressChanged(address token, uint256 newProgress)', {token: TOKEN, newProgress});
		expect(decoded(FLAP, progress(10n ** 18n))).toMatchObject({token: TOKEN, progress: 1});
		expect(decoded(FLAP, progress(25n * 10n ** 16n))).toMatchObject({progress: 0.25});
		expect(() => decoded(FLAP, progress(10n ** 18n + 1n))).toThrow(expect.objectContaining({code: 'decode-failed'}));
	});

	test('a launch to a pool names the pool, one to a manager of all pools does not', () => {
		const launched = (pool: string) =>
			builtLog('event LaunchedToDEX(address token, address pool, uint256 amount, uint256 eth)', {
				token: TOKEN,
				pool,
				amount: 2n,
				eth: 3n,
			});
		expect(decoded(FLAP, launched(POOL))).toEqual({
			kind: 'graduated',
			token: TOKEN,
			pool: POOL,
			amountToken: 2n,
			amountQuote: 3n,
		});
		expect(decoded(FLAP, launched('0x28e2Ea090877bF75740558f6BFB36A5ffeE9e9dF'))).toMatchObject({pool: null});
	});
});
