import {eventWords, topicAddress} from '../event-data.ts';
import type {Log} from '../log.ts';
import type {Address, Hex, TokenMade, Venue} from '../venue.ts';
import {ADMIN_TOPICS} from './admin-topics.ts';

/*
 * Small launchpads whose tokens have their pool in the transaction that makes them: the pool has an event of its own, theirs says the
 * token and who made it.
 */

/** Launched(address indexed token, bytes32 indexed poolId, address indexed creator, address quote, uint256 supply, int24 tickSpacing) */
const O1_LAUNCHED = '0x207384e895174175cc774fe7f7457b37c382f27ebf53d37d5257b862f80eaf9c';
/** TokenCreated(address token, (string, string, string, bytes) metadata): nothing is indexed. */
const POOLS_TOKEN_CREATED = '0x4ef8284ecf42d4cd19686572ffd87f630858c82398911e776cb831de35eddbf4';
/**
 * TokenLaunched(address indexed token, address indexed creator, bytes32 indexed poolId, uint256 configId, uint256 firstBuyIn, uint256
 * firstBuyOut, address hook, address feeRecipient)
 */
const LETS_CASH_LAUNCHED = '0x17091df68f499cf4e20dcfc5d42f064dd22359e785b77691c4c4ed0322608897';
/** TokenLaunchedVNext(address, bytes32, address, uint256, address): the same launch again. */
const LETS_CASH_LAUNCHED_AGAIN = '0x4fc41a12b1f4beaba92b64a385eb351c4d7a0e2131b20e8a33e2c21d008d24b5';

interface Launchpad {
	readonly id: string;
	readonly name: string;
	readonly poolType: string;
	readonly contracts: Readonly<Record<number, readonly Address[]>>;
	readonly topic: Hex;
	readonly read: (log: Log) => Pick<TokenMade, 'token' | 'creator'>;
	readonly skipped?: readonly Hex[];
}

function bornInPool({id, name, poolType, contracts, topic, read, skipped = []}: Launchpad): Venue {
	const made = {name: null, symbol: null, supply: null, decimals: 18, curve: null, pool: null, profile: {}} as const;
	const decode = (log: Log): TokenMade => ({kind: 'token', ...made, ...read(log)});
	return {
		id,
		poolType,
		name,
		contracts,
		events: {[topic]: decode},
		skipped: [...skipped, ...ADMIN_TOPICS],
		feePpm: null,
	};
}

/** o1 on Base and Robinhood Chain: pools with a hook, whose fee falls from 99 % to 1 % in 20 seconds. */
export const O1 = bornInPool({
	id: 'o1',
	name: 'o1',
	poolType: 'o1',
	contracts: {
		4663: [
			'0xce9c48cfa068947f77738c81be406b53338e5b0d',
			'0xe64ac4113848bbc1a6dde1a6d1da96720a36f297',
			'0x411f21283d3e492bc395027329e08f9f4f560ba5',
		],
		8453: ['0x1176122eb77ad6a2339322cda7c4d7ea9bfa63dc', '0x53c59d8d335681d58f564cf62073fa3c57cf81ee'],
	},
	topic: O1_LAUNCHED,
	read(log) {
		eventWords(log, 4, 3);
		return {token: topicAddress(log, 1), creator: topicAddress(log, 3)};
	},
});

/** pools.trade on Robinhood Chain: plain pools with the native coin. Its launchers call one factory, whose event names no person. */
export const POOLS_TRADE = bornInPool({
	id: 'pools-trade',
	name: 'pools.trade',
	poolType: 'poolstrade',
	contracts: {4663: ['0x000000e200088d55c39a11f609e5f667729ad49b']},
	topic: POOLS_TOKEN_CREATED,
	read: log => ({token: eventWords(log, 1, 2).address(0), creator: null}),
});

/** LetsCash on Robinhood Chain: pools with hooks that take fees. */
export const LETS_CASH = bornInPool({
	id: 'letscash',
	name: 'LetsCash',
	poolType: 'letscash',
	contracts: {4663: ['0x5bd1fbe78a78fe8236fa00cf48fbeba74ae34661']},
	topic: LETS_CASH_LAUNCHED,
	read(log) {
		eventWords(log, 4, 3);
		return {token: topicAddress(log, 1), creator: topicAddress(log, 2)};
	},
	skipped: [LETS_CASH_LAUNCHED_AGAIN],
});
