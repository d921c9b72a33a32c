import {AbiWords, eventWords, topicAddress} from '../event-data.ts';
import type {Log} from '../log.ts';
import type {Address, CurveOpened, Graduated, LaunchFacts, PoolReserves, PoolSwap, TokenMade, Venue} from '../venue.ts';
import {ADMIN_TOPICS} from './admin-topics.ts';

/** Launched(address indexed token, address indexed pair, uint256) */
const LAUNCHED = '0x714aa39317ad9a7a7a99db52b44490da5d068a0b2710fffb1a1282ad3cadae1f';
/** Graduated(address indexed token, address agentToken) */
const GRADUATED = '0x381d54fa425631e6266af114239150fae1d5db67bb65b4fa9ecc65013107e07e';
/** Deployed(address indexed token, uint256 amount0, uint256 amount1) */
const DEPLOYED = '0x540bcec33387745b2ced30977dcfe4a623a245511eb0a133989c27c8bb95b4a9';
/** A pair's Mint(uint256 reserve0, uint256 reserve1), once, before the launch. The first coin is the token, whatever its address. */
const MINT = '0xcc9c58b575eabd3f6a1ee653e91fcea3ff546867ffc3782a3bbca1f9b6dbb8df';
/** A pair's Swap(uint256 amount0In, uint256 amount0Out, uint256 amount1In, uint256 amount1Out) */
const SWAP = '0x298c349c742327269dc8de6ad66687767310c948ea309df826f5bd103e19d207';

/**
 * PreLaunched(address indexed token, address indexed pair, uint256 virtualId, uint256 initialPurchase, (uint8, uint16, bool, uint8, bool)),
 * Launched with uint256 initialPurchasedAmount before the tuple
 */
const PRE_LAUNCHED = '0xb9ee8aa6d909a3efd0bf1b0bc2bde7f998f7ad30178b0d45f9227f5382cebc8f';
const LAUNCHED_V5 = '0x6ed5dc54f1333f448f2cdf7a6efc675343f880035d6f647fb7f6e9cbf8959718';
/** CancelledLaunch(address, address, uint256, uint256): a token that was made and is never launched. FeeDelegationUpdated(address, bool) */
const CANCELLED_LAUNCH = '0x7f9759070d2e707c297824b408d7d1739aa72e3329ae1bf3f77fb321d6856f93';
const FEE_DELEGATION_UPDATED = '0x984859de54b1823b1df010833997496643bc5db28ee23545a267a24bb36abb83';

const BONDING_V5_BASE: Address = '0x1a540088125d00dd3990f9da45ca0859af4d3b01';
const BONDING_V5_RH: Address = '0xd4ccbfa37e2f35611b3042e4096ad7a3459bd007';
const VIRTUAL_RH: Address = '0xc6911796042b15d7fa4f6cde69e245ddcd3d9c31';
/** `tokenGradThreshold(address)` is what must be left of a curve; `tokenInfo(address)` begins with the creator. */
const TOKEN_GRAD_THRESHOLD = '490cc5f8';
const TOKEN_INFO = 'f5dab711';
const BONDING: Address = '0xf66dea7b3e897cd44a5a231c61b6b4423d613259';
const VIRTUAL: Address = '0x0b3e328455c4059eeb9e3f84b5543f74e24e7e1b';
/** Every token of the launchpad has as much. */
const SUPPLY = 10n ** 27n;
const GRAD_THRESHOLD = '0x6edd12e0';

const PAIR_EVENTS: NonNullable<Venue['poolEvents']> = {[MINT]: mint, [SWAP]: swap};

/** `gradThreshold()` is what must be left: the rest of the supply is sold first. */
const launchFacts: LaunchFacts = {
	calls: () => [{to: BONDING, data: GRAD_THRESHOLD}],
	read([result]) {
		const left = new AbiWords(result ?? '0x', 1).uint(0);
		return {sale: left < SUPPLY ? SUPPLY - left : null, quote: VIRTUAL};
	},
};

/**
 * The first launchpad of Virtuals on Base. A curve is a pair of its own with virtual reserves, priced in VIRTUAL; its fee is taken
 * before the pair. A token that graduates is exchanged for another one, whose pool is a pair of Uniswap V2.
 */
export const VIRTUALS: Venue = {
	id: 'virtuals',
	poolType: 'virtuals',
	name: 'Virtuals',
	contracts: {8453: [BONDING]},
	events: {[LAUNCHED]: launched, [GRADUATED]: graduated},
	poolEvents: PAIR_EVENTS,
	skipped: [DEPLOYED, ...ADMIN_TOPICS],
	feePpm: 0,
	countsReserves: true,
	launchFacts,
};

/**
 * The launchpad of Virtuals since March 2026, on Base and Robinhood Chain. A token is made with its curve and the pair that it will
 * graduate to, and is launched later, perhaps by another person; it stays the same token when it graduates.
 */
export const VIRTUALS_V5: Venue = {
	id: 'virtuals-v5',
	poolType: 'virtuals',
	name: 'Virtuals V5',
	contracts: {4663: [BONDING_V5_RH], 8453: [BONDING_V5_BASE]},
	events: {[PRE_LAUNCHED]: preLaunched, [LAUNCHED_V5]: launchedV5, [GRADUATED]: graduated},
	poolEvents: PAIR_EVENTS,
	skipped: [CANCELLED_LAUNCH, FEE_DELEGATION_UPDATED, ...ADMIN_TOPICS],
	feePpm: null,
	countsReserves: true,
	launchFacts: {
		calls({token}, chain) {
			const [to] = VIRTUALS_V5.contracts[chain]!;
			const argument = token.slice(2).padStart(64, '0');
			return [TOKEN_GRAD_THRESHOLD, TOKEN_INFO].map(selector => ({to: to!, data: `0x${selector}${argument}`}));
		},
		read: ([threshold, info]) => ({
			...(threshold && {kept: new AbiWords(threshold, 1).uint(0)}),
			...(info && {creator: new AbiWords(info, 1).address(0)}),
		}),
	},
};

function preLaunched(log: Log): TokenMade {
	eventWords(log, 3, 7);
	const quote = log.address === BONDING_V5_RH ? VIRTUAL_RH : VIRTUAL;
	return {...tokenOnPair(log, 'virtuals-v5', quote), isPlanned: true};
}

function launchedV5(log: Log): CurveOpened {
	eventWords(log, 3, 8);
	return {kind: 'curve-opened', token: topicAddress(log, 1)};
}

function launched(log: Log): TokenMade {
	eventWords(log, 3, 1);
	return tokenOnPair(log, 'virtuals', VIRTUAL);
}

/** The token of topic 1, whose curve is the pair of topic 2. */
function tokenOnPair(log: Log, venue: string, quote: Address): TokenMade {
	const pair = topicAddress(log, 2);
	return {
		kind: 'token',
		token: topicAddress(log, 1),
		creator: null,
		name: null,
		symbol: null,
		supply: SUPPLY,
		decimals: 18,
		curve: {address: pair, quote, sale: null},
		pool: {venue, pool: pair, quote, tokenIs: 0},
		profile: {},
	};
}

function graduated(log: Log): Graduated {
	eventWords(log, 2, 1).address(0);
	return {kind: 'graduated', token: topicAddress(log, 1), pool: null, amountToken: null, amountQuote: null};
}

function mint(log: Log): PoolReserves {
	const words = eventWords(log, 1, 2);
	return {kind: 'reserves', pool: log.address, reserve0: words.uint(0), reserve1: words.uint(1)};
}

/** Unlike in Uniswap V2, what entered and what left of the first coin stand together. */
function swap(log: Log): PoolSwap {
	const words = eventWords(log, 1, 4);
	return {
		kind: 'swap',
		pool: log.address,
		amount0: words.uint(0) - words.uint(1),
		amount1: words.uint(2) - words.uint(3),
		feePpm: null,
		sqrtPriceX96: null,
	};
}
