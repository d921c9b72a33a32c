import {NATIVE} from '../../../../chains/evm-chains.ts';
import {AbiWords, eventWords, topicAddress} from '../event-data.ts';
import type {Log} from '../log.ts';
import type {Address, Graduated, LaunchFacts, PoolLiquidity, PoolSwap, TokenMade, Venue} from '../venue.ts';
import {ADMIN_TOPICS} from './admin-topics.ts';

/**
 * TokenLaunched(address indexed token, address indexed curve, address indexed deployer, address pairToken, uint256 launchConfigId,
 * uint256 graduationThreshold)
 */
const TOKEN_LAUNCHED = '0x8d4aad4953d0ca700d468f3753aa14432d1b35b43ec6409f051fb6aa43a89607';
/** PoolGraduated(address indexed token, uint256 positionId, uint256 tokenAmount, uint256 pairTokenAmount) */
const POOL_GRADUATED = '0x0a44ef75df69c534f43cd6c1aa3ef8983065fe5fe79ef9e79f6494e6f258c259';
/** A curve's CurveBuy(address indexed buyer, address indexed recipient, uint256 quoteIn, uint256 tokensOut, uint256 fee, uint256 tax) */
const CURVE_BUY = '0xec36bf571f136799e8dc0b0b8bea4b04d8bd3d43de838aab0d5fc21d4cbfc455';
/** CurveSell(address indexed seller, address indexed recipient, uint256 tokensIn, uint256 quoteOut, uint256 fee, uint256 tax) */
const CURVE_SELL = '0x8113d738abdcb6b38357e9d53a54a7157861a09031b453651f0fe7fe151f59df';
/** BuybackLocked(uint256 quoteSpent, uint256 tokensLocked): fees of the past go into the curve, for tokens that are locked. */
const BUYBACK_LOCKED = '0x5feba9b0d52c92ada4b9c571c2bee52390c54f2947208ab250221e6ee32f12ff';
/** LaunchSwept(address indexed token, uint256 quoteOut, uint256 tokenOut): the curve is closed, its pool comes with PoolGraduated. */
const LAUNCH_SWEPT = '0xcdb72f157fd3666758a6ce201387ffb52038c7562e4fff352828da1096c4b6b4';
/** LaunchGraduationRescued(address, address, uint256, uint256): a closed curve ends without a pool. */
const LAUNCH_GRADUATION_RESCUED = '0x7017304fdd491394686dce984eac721f0be1a22228346210f16694772bde44ca';
/**
 * GraduationTokensPermanentlyLocked, CreatorFeeRecipientUpdated, CreatorFeeRecipientChangeProposed, CreatorFeeRecipientChangeCancelled,
 * BuybackEnabledUpdated, LaunchForceSwept (LaunchSwept comes with it), PairTokenEconomicsUpdated, PairTokenApprovalUpdated,
 * LaunchConfigAdded, LaunchConfigUpdated: a curve keeps the terms it was launched with. Then settings of the factory.
 */
const OTHERS = [
	'0xa0a18f5bf205becee8b268d7cf69addab8548ae8ef361791464cf0e0e17c1361',
	'0x308c390ed1ab5873392818e036cabdf408bc8ad042fbaead3108954ff75ba980',
	'0x7f119e44c84a715429bee60d30ad2e14afdef6c60bb1a7eaa01290ecf6d1b2e5',
	'0xbe2de91c1cbef653c760573fff8355c0c851d35ed2a898342b4db556301cccf4',
	'0xbd886f85b7731f66269f57707414d435bf8df930d3357a10becc48a69377f6d5',
	'0x52c1a28345695afc7f6b7629133124dec5d61ee745affd65e4fd2a776bc05840',
	'0x67d517ee0e305d608b8410ddef27bbd2ed964d843d9b936e84ea2ad1bd65e5d1',
	'0x060d1992d069dc524985f328329aae36102a017c59733c5c91fc0691ee0703b6',
	'0xedd96c570c6e5ef9add0378e59df53579a283889dc5dab6440ef6eca2ee6c8ce',
	'0x2f8ba78ae68cfd0c82c7756c540eaf4eead3341aef9ccebcb91d546bff10d62b',
	'0xac04674474e93058fae25e6df5dd94f57cdcacfe560a182a2eefc8c6006fbf6f',
	'0xd5ea7aa3e328a0594dcf6914cd9e5369779efaa194ee4dd4c5afcad4f4ebbb0c',
	'0x4f1ea5016c51c2f82324e00e9b8a4a95ee5aeaa10c653dabaec5f1bc9047ba0b',
	'0xc799be5eb19a1a6d6ba7368d21e2bc367c8a335e4a07cd3d954482e6f714d3c5',
	'0x56b32d3633fed72f97c4df44a78b5fa04f1d662d4bddebcd8a9b216d26d093ad',
	'0x3e99ceb3e222d2214d53dacca902810db845f156f78152fdc076be628c4e9a40',
	'0x2b1bf8cf5a401a6dd314ae29520988783e31f0e50ec734aa9ef26b8b7ff24a1f',
	'0x82d0fc041b26338f6e9cc240adde9cbe5b20064b4cb39ab96c953d5643687b1e',
	'0xef2b562a67f01ed4b7c4265ec09b539039c6d5dd7e752191d3940508c3dc0068',
] as const;

/** Hook of the pools that tokens graduate to. Only the factory makes pools with it. */
const HOOK: Address = '0xe5e702641ea86f4ae6cc3cdaed2b886f976be044';
/** `phantomQuote()` of a curve: never changes. */
const PHANTOM_QUOTE = '0xc57eadfc';

/** Virtual coins in the price of a curve. No event has them. */
const launchFacts: LaunchFacts = {
	calls: ({curve}) => [{to: curve!.address, data: PHANTOM_QUOTE}],
	read: ([result = '0x']) => ({virtual: new AbiWords(result, 1).uint(0)}),
};

/**
 * Pons, its second version, on Robinhood Chain. Each token has a curve of its own, a constant product with virtual quote coins, that
 * graduates to a pool of Uniswap V4. Copies write the same events, so only its factory and the curves that it made count: those are
 * asked for by their addresses, since all curves of the chain write 3.5 trades a second.
 */
export const PONS_V2: Venue = {
	id: 'pons-v2',
	poolType: 'pons',
	name: 'Pons V2',
	contracts: {4663: ['0x7ed598bcef8bd9edd8c97a195c6d13f40801ec7e']},
	// Its locker, its executor and its hook.
	keepers: {
		4663: ['0x267444d099b10fb5ed7c3cc7b7c767adca574952', '0xc7819b64a1daecd7ec19856d026cb14efbd89046', HOOK],
	},
	events: {[TOKEN_LAUNCHED]: tokenLaunched, [POOL_GRADUATED]: poolGraduated},
	poolEvents: {[CURVE_BUY]: curveBuy, [CURVE_SELL]: curveSell, [BUYBACK_LOCKED]: buybackLocked},
	skipped: [LAUNCH_SWEPT, LAUNCH_GRADUATION_RESCUED, ...OTHERS, ...ADMIN_TOPICS],
	feePpm: null,
	countsReserves: true,
	launchFacts,
};

function tokenLaunched(log: Log): TokenMade {
	const words = eventWords(log, 4, 3);
	const pairToken = words.address(0);
	const curve = topicAddress(log, 2);
	return {
		kind: 'token',
		token: topicAddress(log, 1),
		creator: topicAddress(log, 3),
		name: null,
		symbol: null,
		supply: null,
		decimals: 18,
		curve: {address: curve, quote: pairToken === NATIVE ? 'native' : pairToken, sale: null, raise: words.uint(2)},
		pool: {venue: 'pons-v2', pool: curve, quote: pairToken, tokenIs: 0},
		profile: {},
	};
}

/** `quoteIn` is the payment with fee and tax, without the change that came back. The buyer may be a router. */
function curveBuy(log: Log): PoolSwap {
	const words = eventWords(log, 3, 4);
	const taken = words.uint(2) + words.uint(3);
	return swap(log, {tokens: -words.uint(1), quotes: words.uint(0) - taken, taken, wallet: topicAddress(log, 2)});
}

/** `quoteOut` is what was paid out, fee and tax already taken off. */
function curveSell(log: Log): PoolSwap {
	const words = eventWords(log, 3, 4);
	const taken = words.uint(2) + words.uint(3);
	return swap(log, {tokens: words.uint(0), quotes: -words.uint(1) - taken, taken, wallet: topicAddress(log, 1)});
}

interface Traded {
	/** From the curve's side. */
	readonly tokens: bigint;
	readonly quotes: bigint;
	/** Fee and tax, in quote coins. */
	readonly taken: bigint;
	readonly wallet: Address;
}

function swap(log: Log, {tokens, quotes, taken, wallet}: Traded): PoolSwap {
	const moved = quotes < 0n ? -quotes : quotes;
	return {
		kind: 'swap',
		pool: log.address,
		amount0: tokens,
		amount1: quotes,
		feePpm: moved === 0n ? null : Number((taken * 1_000_000n) / moved),
		sqrtPriceX96: null,
		wallet,
	};
}

function buybackLocked(log: Log): PoolLiquidity {
	const words = eventWords(log, 1, 2);
	const amounts = {amount0: -words.uint(1), amount1: words.uint(0)};
	return {kind: 'liquidity', pool: log.address, provider: null, amounts, ticks: null};
}

/** The pool has no address: it is the one with the hook that is made in the same transaction. */
function poolGraduated(log: Log): Graduated {
	const words = eventWords(log, 2, 3);
	return {
		kind: 'graduated',
		token: topicAddress(log, 1),
		pool: null,
		hooks: HOOK,
		amountToken: words.uint(1),
		amountQuote: words.uint(2),
	};
}
