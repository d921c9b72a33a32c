import {encodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters} from 'viem/utils';
import {describe, expect, test} from 'vitest';
import type {TokenMade} from '../../../../../../source/service/follow/evm/venue.ts';
import {PONS_V2} from '../../../../../../source/service/follow/evm/venues/pons.ts';
import {builtLog} from '../../../../../helpers/built-log.ts';
import {decoded} from '../../../../../helpers/decoded.ts';

const FACTORY = '0x7ed598bcef8bd9edd8c97a195c6d13f40801ec7e';
const TOKEN = '0x1111111111111111111111111111111111111111';
const CURVE = '0xef1e0f0110998bd3a293db10b98d4ec57db1c73f';
const PERSON = '0x2a4d34cd09a36f59ae3bedc0880cd5da929321d7';
const ROUTER = '0x65050a9b7e5075a2ba5ced7b1b64ee66262c40dc';
const NATIVE = '0x0000000000000000000000000000000000000000';
const NVDA = '0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec';
const BUY =
	'event CurveBuy(address indexed buyer, address indexed recipient, uint256 quoteIn, uint256 tokensOut, uint256 fee, uint256 tax)';
const SELL =
	'event CurveSell(address indexed seller, address indexed recipient, uint256 tokensIn, uint256 quoteOut, uint256 fee, uint256 tax)';

function launched(pairToken: string) {
	return builtLog(
		'event TokenLaunched(address indexed token, address indexed curve, address indexed deployer, address pairToken, uint256 launchConfigId, uint256 graduationThreshold)',
		{
			token: TOKEN,
			curve: CURVE,
			deployer: PERSON,
			pairToken,
			launchConfigId: 0n,
			graduationThreshold: 42n * 10n ** 17n,
		},
		{address: FACTORY},
	);
}

/* Real figures of block 56,210,239 of Robinhood Chain, put into the event's bytes by viem. */
test('a real buy: what went into the curve is without the fee', () => {
	const log = builtLog(
		BUY,
		{
			buyer: PERSON,
			recipient: PERSON,
			quoteIn: 726398102277541632n,
			tokensOut: 17102047298487729643729400n,
			fee: 7263981022775416n,
			tax: 0n,
		},
		{address: CURVE},
	);
	expect(decoded(PONS_V2, log)).toEqual({
		kind: 'swap',
		pool: CURVE,
		amount0: -17102047298487729643729400n,
		amount1: 719134121254766216n,
		feePpm: 10_101,
		sqrtPriceX96: null,
		wallet: PERSON,
	});
});

describe('built logs of Pons V2', () => {
	test('a launch has its creator, the curve that is its pool, and what it takes to graduate', () => {
		expect(decoded(PONS_V2, launched(NATIVE))).toEqual({
			kind: 'token',
			token: TOKEN,
			creator: PERSON,
			name: null,
			symbol: null,
			supply: null,
			decimals: 18,
			curve: {address: CURVE, quote: 'native', sale: null, raise: 42n * 10n ** 17n},
			pool: {venue: 'pons-v2', pool: CURVE, quote: NATIVE, tokenIs: 0},
			profile: {},
		});
		expect(decoded(PONS_V2, launched(NVDA))).toMatchObject({curve: {quote: NVDA}, pool: {quote: NVDA}});
	});

	test('the trader of a buy is who gets the tokens, of a sale who gives them', () => {
		const parties = {buyer: ROUTER, recipient: PERSON, quoteIn: 100n, tokensOut: 7n, fee: 1n, tax: 3n};
		expect(decoded(PONS_V2, builtLog(BUY, parties))).toMatchObject({wallet: PERSON, amount0: -7n, amount1: 96n});
		const sale = {seller: PERSON, recipient: ROUTER, tokensIn: 7n, quoteOut: 96n, fee: 1n, tax: 3n};
		expect(decoded(PONS_V2, builtLog(SELL, sale))).toMatchObject({wallet: PERSON, amount0: 7n, amount1: -100n});
	});

	test('a snipe tax is part of the fee, and may be nearly all', () => {
		const parties = {buyer: PERSON, recipient: PERSON, quoteIn: 100n, tokensOut: 7n, fee: 99n, tax: 0n};
		expect(decoded(PONS_V2, builtLog(BUY, parties))).toMatchObject({amount1: 1n, feePpm: 99_000_000});
		expect(decoded(PONS_V2, builtLog(BUY, {...parties, fee: 100n}))).toMatchObject({amount1: 0n, feePpm: null});
	});

	test('tokens that fees bought on the curve leave it without a trade', () => {
		const log = builtLog('event BuybackLocked(uint256 quoteSpent, uint256 tokensLocked)', {
			quoteSpent: 5n,
			tokensLocked: 9n,
		});
		expect(decoded(PONS_V2, log)).toMatchObject({kind: 'liquidity', amounts: {amount0: -9n, amount1: 5n}});
	});

	test('a graduation names the hook of its pool', () => {
		const log = builtLog(
			'event PoolGraduated(address indexed token, uint256 positionId, uint256 tokenAmount, uint256 pairTokenAmount)',
			{token: TOKEN, positionId: 1n, tokenAmount: 2n, pairTokenAmount: 3n},
		);
		expect(decoded(PONS_V2, log)).toMatchObject({
			kind: 'graduated',
			pool: null,
			hooks: '0xe5e702641ea86f4ae6cc3cdaed2b886f976be044',
			amountToken: 2n,
			amountQuote: 3n,
		});
	});

	test('the virtual coins are asked of the curve', () => {
		const {calls, read} = PONS_V2.launchFacts!;
		const abi = parseAbi(['function phantomQuote() view returns (uint256)']);
		const made = decoded(PONS_V2, launched(NATIVE)) as TokenMade;
		expect(calls(made, 4663)).toEqual([{to: CURVE, data: encodeFunctionData({abi})}]);
		expect(read([encodeAbiParameters(parseAbiParameters('uint256'), [168n * 10n ** 16n])])).toEqual({
			virtual: 168n * 10n ** 16n,
		});
	});
});
