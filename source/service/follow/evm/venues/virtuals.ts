import {AbiWords, eventWords, topicAddress} from '../event-data.ts';
import type {Log} from '../log.ts';
import type {Address, CurveFacts, Graduated, PoolReserves, PoolSwap, TokenMade, Venue} from '../venue.ts';
import {ADMIN_TOPICS} from './admin-topics.ts';

/** Launched(address indexed token, address indexed pair, uint256) */
const LAUNCHED = '0x714aa39317ad9a7a7a99db52b44490da5d068a0b2710fffb1a1282ad3cadae1f';
/** Graduated(address indexed token, address agentToken) */
const GRADUATED = '0x381d54fa425631e6266af114239150fae1d5db67bb65b4fa9ecc65013107e07e';
/** Deployed(address indexed token, uint256 amount0, uint256 amount1) */
const DEPLOYED = '0x540bcec33387745b2ced30977dcfe4a623a245511eb0a133989c27c8bb95b4a9';
/** Of a pair: Mint(uint256 reserve0, uint256 reserve1), once, before the launch. The first coin is the token, whatever its address. */
const MINT = '0xcc9c58b575eabd3f6a1ee653e91fcea3ff546867ffc3782a3bbca1f9b6dbb8df';
/** Of a pair: Swap(uint256 amount0In, uint256 amount0Out, uint256 amount1In, uint256 amount1Out) */
const SWAP = '0x298c349c742327269dc8de6ad66687767310c948ea309df826f5bd103e19d207';

const BONDING: Address = '0xf66dea7b3e897cd44a5a231c61b6b4423d613259';
const VIRTUAL: Address = '0x0b3e328455c4059eeb9e3f84b5543f74e24e7e1b';
/** Every token of the launchpad has as much. */
const SUPPLY = 10n ** 27n;
const GRAD_THRESHOLD = '0x6edd12e0';

/** `gradThreshold()` is what must be left: the rest of the supply is sold first. */
const curveFacts: CurveFacts = {
	call: () => ({to: BONDING, data: GRAD_THRESHOLD}),
	read(result) {
		const left = new AbiWords(result, 1).uint(0);
		return {sale: left < SUPPLY ? SUPPLY - left : null, raise: null, quote: VIRTUAL};
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
	poolEvents: {[MINT]: mint, [SWAP]: swap},
	skipped: [DEPLOYED, ...ADMIN_TOPICS],
	feePpm: 0,
	curveFacts,
};

function launched(log: Log): TokenMade {
	eventWords(log, 3, 1);
	const pair = topicAddress(log, 2);
	return {
		kind: 'token',
		token: topicAddress(log, 1),
		creator: null,
		name: null,
		symbol: null,
		supply: SUPPLY,
		decimals: 18,
		curve: {address: pair, quote: VIRTUAL, sale: null},
		pool: {venue: 'virtuals', pool: pair, quote: VIRTUAL, tokenIs: 0},
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
