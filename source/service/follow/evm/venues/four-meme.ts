import {NATIVE} from '../../../../chains/evm-chains.ts';
import {AbiWords, eventWords} from '../event-data.ts';
import type {Log} from '../log.ts';
import type {Address, CurveTrade, Graduated, LaunchFacts, RawPrice, TokenMade, Venue} from '../venue.ts';
import {ADMIN_TOPICS} from './admin-topics.ts';

/** TokenCreate(address creator, address token, uint256 requestId, string name, string symbol, uint256 totalSupply, uint256 launchTime, uint256 launchFee) */
const TOKEN_CREATE = '0x396d5e902b675b032348d3d2e9517ee8f0c4a926603fbc075d3d282ff00cad20';
/** TokenPurchase(address token, address account, uint256 price, uint256 amount, uint256 cost, uint256 fee, uint256 offers, uint256 funds) */
const TOKEN_PURCHASE = '0x7db52723a3b2cdd6164364b3b766e65e540d7be48ffa89582956d8eaebe62942';
/** TokenSale, with the same parameters. */
const TOKEN_SALE = '0x0a5575b3648bae2210cee56bf33254cc1ddfbc7bf637c0af2ac18b14fb1bae19';
/** LiquidityAdded(address base, uint256 offers, address quote, uint256 funds) */
const LIQUIDITY_ADDED = '0xc18aa71171b358b706fe3dd345299685ba21a5316c66ffa9e319268b033c44b0';
/** TradeStop(address token): the curve is sold, the pool comes later. */
const TRADE_STOP = '0x8f9ab4bd7eff0d085f91575d50cd83f97aa5258e24ded7630d4fd6739e857132';
/** TokenPurchase2(uint256 origin) and TokenSale2(uint256 origin): which program the trade beside them came from. */
const TRADE_ORIGINS = [
	'0x48063b1239b68b5d50123408787a6df1f644d9160f0e5f702fefddb9a855954d',
	'0x741ffc4605df23259462547defeab4f6e755bdc5fbb6d0820727d6d3400c7e0d',
] as const;

const MANAGER: Address = '0x5c952063c7fc8610ffdb798152d69f0b9550762b';
/** TokenManagerHelper3, for `getTokenInfo(address)`. */
const HELPER: Address = '0xf251f83e40a78868fcfa3fa4599dad6494e46034';
const GET_TOKEN_INFO = '1f69565f';
const WHOLE = 10n ** 18n;

/** Facts of the curve that its event does not say: how much it sells, for how much, in which coin. */
const launchFacts: LaunchFacts = {
	calls: ({token}) => [{to: HELPER, data: `0x${GET_TOKEN_INFO}${token.slice(2).padStart(64, '0')}`}],
	read([result]) {
		// version, manager, quote, price, fee rate, least fee, launch time, offers, maxOffers, funds, maxFunds, liquidityAdded
		const words = new AbiWords(result ?? '0x', 12);
		const quote = words.address(2);
		return {sale: words.uint(8), quote: quote === NATIVE ? 'native' : quote};
	},
};

/** four.meme on BNB Smart Chain, the second version of its manager (since September 2024). Nothing in its events is indexed. */
export const FOUR_MEME: Venue = {
	id: 'fourmeme',
	poolType: 'fourmeme',
	name: 'Four.meme',
	contracts: {56: [MANAGER]},
	events: {
		[TOKEN_CREATE]: tokenCreate,
		[TOKEN_PURCHASE]: log => trade(log, 'buy'),
		[TOKEN_SALE]: log => trade(log, 'sell'),
		[LIQUIDITY_ADDED]: liquidityAdded,
	},
	skipped: [TRADE_STOP, ...TRADE_ORIGINS, ...ADMIN_TOPICS],
	feePpm: null,
	launchFacts,
};

function tokenCreate(log: Log): TokenMade {
	const words = eventWords(log, 1, 10);
	return {
		kind: 'token',
		token: words.address(1),
		creator: words.address(0),
		name: words.text(3),
		symbol: words.text(4),
		supply: words.uint(5),
		decimals: 18,
		curve: {address: log.address, quote: null, sale: null},
		pool: null,
		profile: {},
	};
}

/** `offers` is what is left to sell, `funds` what the curve has raised. */
function trade(log: Log, side: 'buy' | 'sell'): CurveTrade {
	const words = eventWords(log, 1, 8);
	const [price, amount, cost] = [words.uint(2), words.uint(3), words.uint(4)];
	return {
		kind: 'curve-trade',
		token: words.address(0),
		wallet: words.address(1),
		side,
		amountToken: amount,
		amountQuote: cost,
		fee: words.uint(5),
		left: words.uint(6),
		raised: words.uint(7),
		spot: spotOf(price, amount, cost, side),
	};
}

/**
 * The vendor documents `price` as the price "at the time" of the trade. After a buy the price of a rising curve is above the average
 * of the trade, after a sale below: then `price` is the curve's after the trade. Otherwise the event has no state.
 */
function spotOf(price: bigint, amount: bigint, cost: bigint, side: 'buy' | 'sell'): RawPrice | null {
	// The cost of the amount at a price that is one less, or one more: prices are rounded.
	const isBeyond = side === 'buy' ? (price - 1n) * amount > cost * WHOLE : (price + 1n) * amount < cost * WHOLE;
	return isBeyond && price > 0n ? {quote: price, token: WHOLE} : null;
}

function liquidityAdded(log: Log): Graduated {
	const words = eventWords(log, 1, 4);
	return {
		kind: 'graduated',
		token: words.address(0),
		pool: null,
		amountToken: words.uint(1),
		amountQuote: words.uint(3),
	};
}
