import {AbiWords, eventWords, topicAddress} from '../event-data.ts';
import type {Log} from '../log.ts';
import type {Address, LaunchFacts, TokenMade, Venue} from '../venue.ts';
import {ADMIN_TOPICS} from './admin-topics.ts';

/** Create(address asset, address indexed numeraire, address initializer, address poolOrHook) */
const CREATE = '0x68ff1cfcdcf76864161555fc0de1878d8f83ec6949bf351df74d8a4a1a2679ab';
/** Migrate(address indexed asset, address indexed pool): of the auctions that end in another pool. That pool has events of its own. */
const MIGRATE = '0x2a05bb717043f3a794e94382bf63f2e275ecafc41be9b63c34f16d58da9822ca';
/** SetModuleState(address indexed, uint8 indexed), Collect(address indexed, address indexed, uint256) */
const OTHERS = [
	'0x20ea2fdf84fcc8fdc8222fcd419391a6f44fa1f8f229b79947041e41930f3a34',
	'0x1314fd112a381beea61539dbd21ec04afcff2662ac7d1b83273aade1f53d1b97',
] as const;

const AIRLOCKS: Readonly<Record<number, readonly [Address]>> = {
	1: ['0xde3599a2ec440b296373a983c85c365da55d9dfa'],
	4663: ['0xeb7c034704ef8dcd2d32324c1545f62fb4ad0862'],
	8453: ['0x660eaaedebc968f8f3694354fa8ec0b4c5ba8d12'],
};
/** `getAssetData(address)`: ten words, the last is who launched by it. */
const GET_ASSET_DATA = '1652e7b7';
/** Launchpads that launch by Doppler, by the address that gets their part of the fees. */
const INTEGRATORS: Readonly<Record<Address, string>> = {
	'0xf60633d02690e2a15a54ab919925f3d038df163e': 'Bankr',
	'0x92d435c96e63c43e12d6d0ab28f6b0b04072f765': 'Long',
};

const launchFacts: LaunchFacts = {
	calls: ({token}, chain) => [
		{to: AIRLOCKS[chain]![0], data: `0x${GET_ASSET_DATA}${token.slice(2).padStart(64, '0')}`},
	],
	read([result = '0x']) {
		const launchpad = INTEGRATORS[new AbiWords(result, 10).address(9)];
		return launchpad === undefined ? {} : {launchpad};
	},
};

/**
 * Doppler, and the launchpads that use its contracts. A token gets its pool in the transaction that creates the token, with an event
 * of the pool before this one: no curve. No event names the creator: relays and contract accounts send the transactions. Other
 * contracts write the same event.
 */
export const DOPPLER: Venue = {
	id: 'doppler',
	poolType: 'doppler',
	name: 'Doppler',
	contracts: AIRLOCKS,
	events: {[CREATE]: create},
	skipped: [MIGRATE, ...OTHERS, ...ADMIN_TOPICS],
	feePpm: null,
	launchFacts,
};

function create(log: Log): TokenMade {
	const words = eventWords(log, 2, 3);
	topicAddress(log, 1);
	return {
		kind: 'token',
		token: words.address(0),
		creator: null,
		name: null,
		symbol: null,
		supply: null,
		decimals: 18,
		curve: null,
		pool: null,
		profile: {},
	};
}
