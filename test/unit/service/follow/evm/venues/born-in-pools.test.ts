import {encodeAbiParameters, parseAbiParameters, toEventSelector} from 'viem/utils';
import {expect, test} from 'vitest';
import {findEvmChain} from '../../../../../../source/chains/evm-chains.ts';
import {FollowedTokens} from '../../../../../../source/service/follow/evm/followed-tokens.ts';
import type {Log} from '../../../../../../source/service/follow/evm/log.ts';
import {transactionEvents} from '../../../../../../source/service/follow/evm/transaction-events.ts';
import type {Address} from '../../../../../../source/service/follow/evm/venue.ts';
import {type ReadLog, VenueReader} from '../../../../../../source/service/follow/evm/venue-reader.ts';
import {LETS_CASH, O1, POOLS_TRADE} from '../../../../../../source/service/follow/evm/venues/born-in-pools.ts';
import {UNISWAP_V4} from '../../../../../../source/service/follow/evm/venues/uniswap-v4.ts';
import {venuesOf} from '../../../../../../source/service/follow/evm/venues.ts';
import {builtLog, builtTransfer} from '../../../../../helpers/built-log.ts';

const TOKEN: Address = `0x${'e1'.repeat(20)}`;
const PERSON: Address = `0x${'2a'.repeat(20)}`;
const NATIVE: Address = `0x${'00'.repeat(20)}`;
const POOL = `0x${'7a'.repeat(32)}` as const;

const o1 = builtLog(
	'event Launched(address indexed token, bytes32 indexed poolId, address indexed creator, address quote, uint256 supply, int24 tickSpacing)',
	{token: TOKEN, poolId: POOL, creator: PERSON, quote: NATIVE, supply: 10n ** 27n, tickSpacing: 200},
);
const poolsTrade: Log = {
	...o1,
	topics: [toEventSelector('TokenCreated(address,(string,string,string,bytes))')],
	data: encodeAbiParameters(parseAbiParameters('address, (string, string, string, bytes)'), [
		TOKEN,
		['words', 'https://example.com', 'ipfs://picture', '0x'],
	]),
};
const letsCash = builtLog(
	'event TokenLaunched(address indexed token, address indexed creator, bytes32 indexed poolId, uint256 configId, uint256 firstBuyIn, uint256 firstBuyOut, address hook, address feeRecipient)',
	{
		token: TOKEN,
		creator: PERSON,
		poolId: POOL,
		configId: 0n,
		firstBuyIn: 0n,
		firstBuyOut: 0n,
		hook: NATIVE,
		feeRecipient: PERSON,
	},
);

/* Built logs of one transaction: the pool in Uniswap's manager, what is put into it, and the launchpad's event. */
test.each([
	['o1', O1, o1, PERSON],
	['pools.trade', POOLS_TRADE, poolsTrade, null],
	['LetsCash', LETS_CASH, letsCash, PERSON],
] as const)(
	'a launch of %s has its pool, the name of the launchpad, and who is known to have made it',
	(name, venue, log, creator) => {
		expect(launchOf(log, venue.contracts[4663]![0]!)).toMatchObject({
			type: 'launch',
			token: TOKEN,
			deployer: creator,
			pool: {address: POOL, type: 'uniswap-v4', exchange: {name}},
			isBonded: true,
		});
	},
);

test('the same event of another contract is a pool that a person made', () => {
	const copy: Address = `0x${'cc'.repeat(20)}`;
	expect(launchOf(o1, copy)).toMatchObject({pool: {exchange: {name: 'Uniswap V4'}}});
});

function launchOf(log: Log, launchpad: Address) {
	const chain = findEvmChain('robinhood')!;
	const reader = new VenueReader(venuesOf(chain.number), chain.number);
	const [manager] = UNISWAP_V4.contracts[4663]!;
	const initialize = builtLog(
		'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
		{
			id: POOL,
			currency0: NATIVE,
			currency1: TOKEN,
			fee: 2500,
			tickSpacing: 60,
			hooks: NATIVE,
			sqrtPriceX96: 2n ** 96n,
			tick: 0,
		},
		{address: manager!},
	);
	const liquidity = builtLog(
		'event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)',
		{id: POOL, sender: PERSON, tickLower: -600, tickUpper: 0, liquidityDelta: 10n ** 24n, salt: POOL},
		{address: manager!},
	);
	const minted = builtTransfer({token: TOKEN, from: NATIVE, to: manager!, amount: 10n ** 27n});
	const placed = [initialize, minted, liquidity, {...log, address: launchpad}];
	const logs = placed.flatMap((entry, logIndex): ReadLog[] => {
		if ('kind' in entry) return [{...entry, log: {...entry.log, logIndex}}];
		const read = reader.contractEvent({...entry, logIndex});
		return read ? [read] : [];
	});
	const facts = {
		symbol: 'TOK',
		name: 'Token',
		decimals: 18,
		supply: 10n ** 27n,
		launch: null,
		sender: PERSON,
		owner: null,
		security: {},
	};
	const events = transactionEvents(
		{block: log.blockNumber, timeMs: 1_790_000_000_000, hash: log.transactionHash, logs},
		{
			chain,
			reader,
			state: new FollowedTokens(chain.blockMs),
			facts: () => facts,
			trial: () => undefined,
			history: () => [],
			coin: () => undefined,
			usd: () => 3000,
		},
	);
	return events.find(({type}) => type === 'launch');
}
