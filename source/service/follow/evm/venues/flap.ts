import {NATIVE} from '../../../../chains/evm-chains.ts';
import {DecodeFailed, eventWords} from '../event-data.ts';
import type {Log} from '../log.ts';
import type {Address, CurveProgress, CurveTerms, CurveTrade, Graduated, TokenMade, Venue} from '../venue.ts';
import {ADMIN_TOPICS} from './admin-topics.ts';
import {UNISWAP_V4} from './uniswap-v4.ts';

/** TokenCreated(uint256 ts, address creator, uint256 nonce, address token, string name, string symbol, string meta) */
const TOKEN_CREATED = '0x504e7f360b2e5fe33cbaaae4c593bc55305328341bf79009e43e0e3b7f699603';
/** TokenDexSupplyThreshSet(address token, uint256 dexSupplyThresh) */
const DEX_SUPPLY_THRESH_SET = '0x6f10bbe11587431707df676556a0551025a4f66551acdddc5793389e20f0d46e';
/** TokenQuoteSet(address token, address quoteToken) */
const QUOTE_SET = '0x3ceb902d3c555c21c3415b6aa839104b18e4825b2f8324011ff979089a507a8c';
/** TokenBought(uint256 ts, address token, address buyer, uint256 amount, uint256 eth, uint256 fee, uint256 postPrice) */
const TOKEN_BOUGHT = '0xa800a2038683844fac66747f771bfdfae862eb28b16bcfa387afa9fbacce8ff7';
/** TokenSold, with the same parameters. */
const TOKEN_SOLD = '0x03a4693e592f5e75dc7c136acb39b146d2b4966c0e509c34f362dee02b3b861a';
/** FlapTokenProgressChanged(address token, uint256 newProgress): 1e18 is all. */
const PROGRESS_CHANGED = '0x4c35e20d1e9bce377c7d9ec1572d934e46d62961f4da8af5beb8002d5906742d';
/** LaunchedToDEX(address token, address pool, uint256 amount, uint256 eth) */
const LAUNCHED_TO_DEX = '0x6e4f47630b8745b8cacbd44f42a8a33e7eea7cc08ef22fc7630f4f385784ff7d';
/**
 * FlapTokenStaged, TokenCurveSet, TokenCurveSetV2, TokenMigratorSet, TokenVersionSet, FlapTokenTaxSet, FlapTokenAsymmetricTaxSet,
 * TokenExtensionEnabled, TokenDexPreferenceSet, FlapTokenCirculatingSupplyChanged (progress says the same), FlapTokenCLPoolCreated
 * (the pool's own event is read).
 */
const OTHERS = [
	'0x2bf0a17cc6127084d945eb95a40df6c839234845722b025fdeef767b9464c02d',
	'0xda7793e72bf76b338906a98bfb58526d202873ecaf7a5894663053ee69069ce1',
	'0x71a10912a55f73d3cced0d1515c2b33c396c80342522bad0e295ccbede556f37',
	'0xcf2372b9357f0d392563d2cedb11e2b3bf0c14d2b8b75eb8bad073bbea9b0ff9',
	'0x37502bf23c59a12e1036e7580a8dc056803623dbcd0885abb882adfa069ac89e',
	'0x1546924f4680b1b2e093fd251c437c8781d81a21ed8ad1895e1f2c9b78db0cd0',
	'0x46cc246a238d1ca0951a15200994903e2d56cbb0389e63f09d66412a787aa3c0',
	'0x325114fb533bfc4cffa883f4b9d31f82bf4d977d38112f80e382bbc7f5b39714',
	'0x6b3125ac92c93333dab20ade84015b8cde845176b110057b49a81768c0cda374',
	'0x115c78ad17c4763fb97bca94f3e59dc8cb2e59c9d3862f24a694ec401200f562',
	'0xb1acc4d02e54a5f769cd0b689d82b8b5d5be55f2557a17d9d202e227cff2d335',
] as const;
/**
 * TaxV2OnBondingCurvePaid and TaxOnBondingCurvePaid (address token, uint256 amount), VanityTokenCreated(address token, address creator,
 * address beneficiary) beside TokenCreated, MsgSent(address, address, string), TokenRedeemed. The last two have no name that is
 * known: they came 51 times and twice in 1,409 logs, which fits no launch, trade or graduation.
 */
const BESIDE_TRADES = [
	'0xb4aa5d6b2390b2b8892ff84cb0ef9a64e969e1af22d049fa61cc2cf66c6ab7bd',
	'0x62c3d276a0a60596ef9bc2d78900e00d8df2eb8101c1b1923e41425251e1d54f',
	'0x16f7f7185702757d3ae091c2aaad3cee3a5e0bb82ac2a51fbc9af44651b5080c',
	'0xcbe9eed421022992b64d9f98d820bda2c4449d44a2687eed8fd7d0dd9a996ebd',
	'0x59d2f2515f6c6cfbc3f325a0b7e59a38abae586df118352f66f72eda45c4f129',
	'0x6d7a33547efbe801870d2426853a4aa2ae198acb815783fb3fc3d853a944202b',
	'0xafcebb99a3d0047f96f0d1cc8872781aaeef86f4f5e7e1c6a33e5907d6a3ed82',
] as const;

/** Sold by a curve whose terms name no threshold, as the vendor documents it. */
const DEFAULT_SALE = 667_000_000n * 10n ** 18n;
const WHOLE = 10n ** 18n;
/** Not pools, but the contracts that hold all of them: Uniswap's managers, and the vault of PancakeSwap Infinity. */
const MANAGERS: ReadonlySet<Address> = new Set([
	...Object.values(UNISWAP_V4.contracts).flat(),
	'0x238a358808379702088667322f80ac48bad5e6c4',
]);
/** A content id of IPFS, which the event has in place of an address. */
const CONTENT_ID = /^(Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{50,70})$/;

/** Flap on BNB Smart Chain and Robinhood Chain: curves in one contract, with terms in events beside the launch. Nothing is indexed. */
export const FLAP: Venue = {
	id: 'flap',
	poolType: 'flap',
	name: 'Flap',
	contracts: {
		56: ['0xe2ce6ab80874fa9fa2aae65d277dd6b8e65c9de0'],
		4663: ['0x26605f322f7ff986f381bb9a6e3f5dab0beaeb09'],
	},
	events: {
		[TOKEN_CREATED]: tokenCreated,
		[DEX_SUPPLY_THRESH_SET]: thresholdSet,
		[QUOTE_SET]: quoteSet,
		[TOKEN_BOUGHT]: log => trade(log, 'buy'),
		[TOKEN_SOLD]: log => trade(log, 'sell'),
		[PROGRESS_CHANGED]: progressChanged,
		[LAUNCHED_TO_DEX]: launchedToDex,
	},
	skipped: [...OTHERS, ...BESIDE_TRADES, ...ADMIN_TOPICS],
	feePpm: null,
};

function tokenCreated(log: Log): TokenMade {
	const words = eventWords(log, 1, 7);
	const meta = words.text(6, 1024);
	return {
		kind: 'token',
		token: words.address(3),
		creator: words.address(1),
		name: words.text(4),
		symbol: words.text(5),
		supply: null,
		decimals: 18,
		curve: {address: log.address, quote: 'native', sale: DEFAULT_SALE},
		pool: null,
		profile: CONTENT_ID.test(meta) ? {uri: `ipfs://${meta}`} : {},
	};
}

function thresholdSet(log: Log): CurveTerms {
	const words = eventWords(log, 1, 2);
	return {kind: 'curve-terms', token: words.address(0), sale: words.uint(1), quote: null};
}

function quoteSet(log: Log): CurveTerms {
	const words = eventWords(log, 1, 2);
	const quote = words.address(1);
	return {kind: 'curve-terms', token: words.address(0), sale: null, quote: quote === NATIVE ? 'native' : quote};
}

/** `eth` is taken as what the curve gets or gives: its vendor does not say whether the fee is in it. */
function trade(log: Log, side: 'buy' | 'sell'): CurveTrade {
	const words = eventWords(log, 1, 7);
	return {
		kind: 'curve-trade',
		token: words.address(1),
		wallet: words.address(2),
		side,
		amountToken: words.uint(3),
		amountQuote: words.uint(4),
		fee: words.uint(5),
		left: null,
		raised: null,
		spot: {quote: words.uint(6), token: WHOLE},
	};
}

function progressChanged(log: Log): CurveProgress {
	const words = eventWords(log, 1, 2);
	const progress = words.uint(1);
	if (progress > WHOLE) throw new DecodeFailed('word 1 is more than the whole curve');
	return {kind: 'curve-progress', token: words.address(0), progress: Number(progress) / 1e18};
}

function launchedToDex(log: Log): Graduated {
	const words = eventWords(log, 1, 4);
	const pool = words.address(1);
	return {
		kind: 'graduated',
		token: words.address(0),
		pool: MANAGERS.has(pool) || pool === NATIVE ? null : pool,
		amountToken: words.uint(2),
		amountQuote: words.uint(3),
	};
}
