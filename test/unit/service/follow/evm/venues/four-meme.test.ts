import {encodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters} from 'viem/utils';
import {describe, expect, test} from 'vitest';
import type {TokenMade} from '../../../../../../source/service/follow/evm/venue.ts';
import {FOUR_MEME} from '../../../../../../source/service/follow/evm/venues/four-meme.ts';
import {builtLog} from '../../../../../helpers/built-log.ts';
import {decoded} from '../../../../../helpers/decoded.ts';

const MANAGER = '0x5c952063c7fc8610ffdb798152d69f0b9550762b';
const TOKEN = '0x1111111111111111111111111111111111114444';
const PERSON = '0x2222222222222222222222222222222222222222';
const CREATE =
	'event TokenCreate(address creator, address token, uint256 requestId, string name, string symbol, uint256 totalSupply, uint256 launchTime, uint256 launchFee)';
const TRADED =
	'(address token, address account, uint256 price, uint256 amount, uint256 cost, uint256 fee, uint256 offers, uint256 funds)';

function created(name: string) {
	return builtLog(
		CREATE,
		{
			creator: PERSON,
			token: TOKEN,
			requestId: 9n,
			name,
			symbol: 'FROG',
			totalSupply: 10n ** 27n,
			launchTime: 1_790_000_000n,
			launchFee: 0n,
		},
		{address: MANAGER},
	);
}

describe('built logs of four.meme', () => {
	test('a token is made, and the manager is its curve', () => {
		expect(decoded(FOUR_MEME, created('Frog 青蛙'))).toEqual({
			kind: 'token',
			token: TOKEN,
			creator: PERSON,
			name: 'Frog 青蛙',
			symbol: 'FROG',
			supply: 10n ** 27n,
			decimals: 18,
			curve: {address: MANAGER, quote: null, sale: null},
			pool: null,
			profile: {},
		});
	});

	test('a name keeps 256 bytes at most, without half a character', () => {
		const event = decoded(FOUR_MEME, created('蛙'.repeat(10_000)));
		expect(event).toMatchObject({name: '蛙'.repeat(85)});
	});

	test('a text that ends behind the last byte is refused', () => {
		const log = created('Frog');
		const nameLength = '4'.padStart(64, '0');
		const longer = log.data.replace(nameLength, 'ffff'.padStart(64, '0')) as `0x${string}`;
		expect(() => decoded(FOUR_MEME, {...log, data: longer})).toThrow(
			expect.objectContaining({why: 'the text of word 3 ends behind the last byte'}),
		);
	});

	test.each([
		['TokenPurchase', 'buy'],
		['TokenSale', 'sell'],
	])('%s is a %s by the account it names', (name, side) => {
		const log = builtLog(`event ${name}${TRADED}`, {
			token: TOKEN,
			account: PERSON,
			price: 140_000_000_000_000_000n,
			amount: 500n,
			cost: 70n,
			fee: 2n,
			offers: 799_999_500n,
			funds: 70n,
		});
		expect(decoded(FOUR_MEME, log)).toEqual({
			kind: 'curve-trade',
			token: TOKEN,
			wallet: PERSON,
			side,
			amountToken: 500n,
			amountQuote: 70n,
			fee: 2n,
			left: 799_999_500n,
			raised: 70n,
			spot: null,
		});
	});

	test.each([
		['TokenPurchase', 7_100_000_000n, true],
		['TokenPurchase', 7_000_000_001n, false],
		['TokenPurchase', 7_000_000_000n, false],
		['TokenPurchase', 6_900_000_000n, false],
		['TokenSale', 6_900_000_000n, true],
		['TokenSale', 6_999_999_999n, false],
		['TokenSale', 7_000_000_000n, false],
		['TokenSale', 7_100_000_000n, false],
		['TokenSale', 0n, false],
	])('%s says the curve’s price where it lies beyond the trade’s average: %d', (name, price, isState) => {
		const [amount, cost] = [10n ** 24n, 7n * 10n ** 15n];
		const trade = {token: TOKEN, account: PERSON, price, amount, cost, fee: 0n, offers: 5n, funds: 6n};
		const spot = isState ? {quote: price, token: 10n ** 18n} : null;
		expect(decoded(FOUR_MEME, builtLog(`event ${name}${TRADED}`, trade))).toMatchObject({spot});
	});

	test('LiquidityAdded is the graduation, to a pool of the same transaction', () => {
		const log = builtLog('event LiquidityAdded(address base, uint256 offers, address quote, uint256 funds)', {
			base: TOKEN,
			offers: 2n,
			quote: PERSON,
			funds: 3n,
		});
		expect(decoded(FOUR_MEME, log)).toEqual({
			kind: 'graduated',
			token: TOKEN,
			pool: null,
			amountToken: 2n,
			amountQuote: 3n,
		});
	});

	test('a call says what the curve sells, for how much, in which coin', () => {
		const abi = parseAbi(['function getTokenInfo(address token) view']);
		const [call] = FOUR_MEME.launchFacts!.calls(decoded(FOUR_MEME, created('Frog')) as TokenMade, 56);
		expect(call!.data).toBe(encodeFunctionData({abi, args: [TOKEN]}));
		const types = parseAbiParameters(
			'uint256 version, address manager, address quote, uint256 lastPrice, uint256 feeRate, uint256 minFee, uint256 launchTime, uint256 offers, uint256 maxOffers, uint256 funds, uint256 maxFunds, bool liquidityAdded',
		);
		const answer = (quote: `0x${string}`) =>
			encodeAbiParameters(types, [
				2n,
				MANAGER,
				quote,
				1n,
				100n,
				0n,
				0n,
				5n,
				8n * 10n ** 26n,
				1n,
				18n * 10n ** 18n,
				false,
			]);
		const facts = {sale: 8n * 10n ** 26n};
		const {read} = FOUR_MEME.launchFacts!;
		expect(read([answer('0x0000000000000000000000000000000000000000')])).toEqual({...facts, quote: 'native'});
		expect(read([answer(PERSON)])).toEqual({...facts, quote: PERSON});
		expect(() => read(['0x'])).toThrow(expect.objectContaining({code: 'decode-failed'}));
	});
});
