import {describe, expect, test} from 'vitest';
import type {Hex} from '../../../../../../source/service/follow/evm/venue.ts';
import {VenueReader} from '../../../../../../source/service/follow/evm/venue-reader.ts';
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
			spot: {quote: 9n, token: 10n ** 18n},
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

/* What the portal writes beside its trades, from logs of BNB and Robinhood: an ordinary day must raise no alarm. */
test.each([56, 4663])('what comes with ordinary trades on chain %d counts as no unknown event', chain => {
	const topics: readonly Hex[] = [
		'0xb4aa5d6b2390b2b8892ff84cb0ef9a64e969e1af22d049fa61cc2cf66c6ab7bd',
		'0x62c3d276a0a60596ef9bc2d78900e00d8df2eb8101c1b1923e41425251e1d54f',
		'0x16f7f7185702757d3ae091c2aaad3cee3a5e0bb82ac2a51fbc9af44651b5080c',
		'0x6d7a33547efbe801870d2426853a4aa2ae198acb815783fb3fc3d853a944202b',
		'0xafcebb99a3d0047f96f0d1cc8872781aaeef86f4f5e7e1c6a33e5907d6a3ed82',
		'0xcbe9eed421022992b64d9f98d820bda2c4449d44a2687eed8fd7d0dd9a996ebd',
		'0x59d2f2515f6c6cfbc3f325a0b7e59a38abae586df118352f66f72eda45c4f129',
	];
	const address = FLAP.contracts[chain]![0]!;
	const log = created('');
	const reader = new VenueReader([FLAP], chain);
	reader.noteUnknown(topics.map(topic => ({...log, address, topics: [topic]})));
	expect(reader.unread).toBe(0);
	reader.noteUnknown([{...log, address, topics: [`0x${'ee'.repeat(32)}`]}]);
	expect(reader.unread).toBe(1);
});
