import {encodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters} from 'viem/utils';
import {beforeEach, expect, test} from 'vitest';
import {findEvmChain} from '../../../../../../source/chains/evm-chains.ts';
import {FollowedTokens} from '../../../../../../source/service/follow/evm/followed-tokens.ts';
import type {Log} from '../../../../../../source/service/follow/evm/log.ts';
import {transactionEvents} from '../../../../../../source/service/follow/evm/transaction-events.ts';
import type {Address, TokenMade} from '../../../../../../source/service/follow/evm/venue.ts';
import {type ReadLog, VenueReader} from '../../../../../../source/service/follow/evm/venue-reader.ts';
import {UNISWAP_V2} from '../../../../../../source/service/follow/evm/venues/uniswap-v2.ts';
import {VIRTUALS_V5} from '../../../../../../source/service/follow/evm/venues/virtuals.ts';
import {venuesOf} from '../../../../../../source/service/follow/evm/venues.ts';
import {builtLog} from '../../../../../helpers/built-log.ts';
import {decoded} from '../../../../../helpers/decoded.ts';

/* Built logs of the launchpad of Virtuals since March 2026: a plan, its launch days later, and its graduation. */

const UNIT = 10n ** 18n;
const TOKEN: Address = `0x${'f1'.repeat(20)}`;
const PAIR: Address = `0x${'21'.repeat(20)}`;
const V2_PAIR: Address = `0x${'22'.repeat(20)}`;
const PERSON: Address = `0x${'2a'.repeat(20)}`;
const BONDING: Address = '0x1a540088125d00dd3990f9da45ca0859af4d3b01';
const VIRTUAL: Address = '0x0b3e328455c4059eeb9e3f84b5543f74e24e7e1b';
const TUPLE =
	'(uint8 launchMode, uint16 airdropBips, bool needAcf, uint8 antiSniperTaxType, bool isProject60days) params';
const params = {launchMode: 0, airdropBips: 0, needAcf: false, antiSniperTaxType: 1, isProject60days: false};
const base = findEvmChain('base')!;
const reader = new VenueReader(venuesOf(base.number), base.number);

const planned = builtLog(
	`event PreLaunched(address indexed token, address indexed pair, uint256 virtualId, uint256 initialPurchase, ${TUPLE})`,
	{token: TOKEN, pair: PAIR, virtualId: 1n, initialPurchase: 5n, params},
	{address: BONDING},
);
const pairMade = builtLog(
	'event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count)',
	{token0: VIRTUAL, token1: TOKEN, pair: V2_PAIR, count: 1n},
	{address: UNISWAP_V2.contracts[8453]![0]!},
);
const launched = builtLog(
	`event Launched(address indexed token, address indexed pair, uint256 virtualId, uint256 initialPurchase, uint256 initialPurchasedAmount, ${TUPLE})`,
	{token: TOKEN, pair: PAIR, virtualId: 1n, initialPurchase: 5n, initialPurchasedAmount: 9n, params},
	{address: BONDING},
);
const graduated = builtLog(
	'event Graduated(address indexed token, address agentToken)',
	{token: TOKEN, agentToken: TOKEN},
	{address: BONDING},
);
const filled = (reserve0: bigint, reserve1: bigint) =>
	builtLog('event Mint(uint256 reserve0, uint256 reserve1)', {reserve0, reserve1}, {address: PAIR});
const swapped = (amounts: {amount0In?: bigint; amount0Out?: bigint; amount1In?: bigint; amount1Out?: bigint}) =>
	builtLog(
		'event Swap(uint256 amount0In, uint256 amount0Out, uint256 amount1In, uint256 amount1Out)',
		{amount0In: 0n, amount0Out: 0n, amount1In: 0n, amount1Out: 0n, ...amounts},
		{address: PAIR},
	);
const synced = (reserve0: bigint, reserve1: bigint) =>
	builtLog('event Sync(uint112 reserve0, uint112 reserve1)', {reserve0, reserve1}, {address: V2_PAIR});

let state: FollowedTokens;
let block: number;

beforeEach(() => {
	state = new FollowedTokens(base.blockMs);
	block = 100;
});

/** The market's events of one transaction with these logs. */
function read(...logs: readonly Log[]) {
	block++;
	const placed = logs.flatMap((log, logIndex): ReadLog[] => {
		const at = {...log, logIndex, blockNumber: block};
		const venue = {[PAIR]: 'virtuals-v5', [V2_PAIR]: 'uniswap-v2'}[log.address];
		const found = venue ? reader.poolEvent(at, venue) : reader.contractEvent(at);
		return found ? [found] : [];
	});
	expect(placed).toHaveLength(logs.length);
	const launch = {kept: 125_000_000n * UNIT, creator: PERSON};
	const facts = {
		symbol: 'AGENT',
		name: 'Agent',
		decimals: 18,
		supply: null,
		launch,
		sender: null,
		owner: null,
		security: {},
	};
	return transactionEvents(
		{block, timeMs: 1_790_000_000_000 + block * 1000, hash: `0x${String(block).padStart(64, '0')}`, logs: placed},
		{
			chain: base,
			reader,
			state,
			facts: () => facts,
			trial: () => undefined,
			history: () => [],
			coin: () => undefined,
			usd: () => 0.5,
		},
	);
}

const plan = () => read(pairMade, filled(1_000_000_000n * UNIT, 6000n * UNIT), planned);

test('a plan is no launch, and its pair none either', () => {
	expect(plan()).toEqual([]);
	expect(state.tokens.get(TOKEN)).toMatchObject({waiting: {}, main: null, creator: PERSON});
});

test('the launch has its creator, what it sells, and the first buy in its transaction', () => {
	plan();
	const events = read(swapped({amount0Out: 100_000_000n * UNIT, amount1In: 666n * UNIT}), launched);
	expect(events.map(({type}) => type)).toEqual(['launch', 'trade']);
	expect(events[0]).toMatchObject({
		deployer: PERSON,
		supply: 1_000_000_000,
		curveSale: 875_000_000,
		reserveToken: 1_000_000_000,
		priceUSD: (6000 / 1e9) * 0.5,
		holdersReported: false,
		pool: {address: PAIR, exchange: {name: 'Virtuals V5'}},
	});
	expect(events[1]).toMatchObject({side: 'buy', reserves: {token: 900_000_000, quote: expect.closeTo(6666, 6)}});
	expect((events[1] as {spotQuote: number}).spotQuote).toBeCloseTo(6666 / 9e8, 15);
});

test('a launch without a first buy is one, a sale takes progress back, and a restart between plan and launch changes nothing', () => {
	plan();
	const after = new FollowedTokens(base.blockMs);
	after.load(state.takeFacts(block));
	state = after;
	expect(read(launched).map(({type}) => type)).toEqual(['launch']);
	read(swapped({amount0Out: 400_000_000n * UNIT, amount1In: 4000n * UNIT}));
	const [sale] = read(swapped({amount0In: 200_000_000n * UNIT, amount1Out: 2000n * UNIT}));
	expect(sale).toMatchObject({side: 'sell', reserves: {token: 800_000_000, quote: expect.closeTo(8000, 6)}});
});

test('the token moves to the pair that was made with it', () => {
	plan();
	read(launched);
	read(swapped({amount0Out: 875_000_000n * UNIT, amount1In: 42_000n * UNIT}));
	const events = read(synced(42_000n * UNIT, 125_000_000n * UNIT), graduated);
	expect(events).toMatchObject([
		{
			type: 'migrate',
			main: true,
			pool: {address: V2_PAIR},
			reserveToken: 125_000_000,
			reserveQuote: expect.closeTo(42_000, 6),
		},
	]);
});

test('threshold and creator are asked for together, and either may be missing', () => {
	const {calls, read: readFacts} = VIRTUALS_V5.launchFacts!;
	const made = decoded(VIRTUALS_V5, planned) as TokenMade;
	const abi = parseAbi(['function tokenGradThreshold(address) view', 'function tokenInfo(address) view']);
	expect(calls(made, 8453)).toEqual(
		(['tokenGradThreshold', 'tokenInfo'] as const).map(functionName => ({
			to: BONDING,
			data: encodeFunctionData({abi, functionName, args: [TOKEN]}),
		})),
	);
	const threshold = encodeAbiParameters(parseAbiParameters('uint256'), [7n]);
	const info = encodeAbiParameters(parseAbiParameters('address, address, string'), [PERSON, TOKEN, 'words']);
	expect(readFacts([threshold, info])).toEqual({kept: 7n, creator: PERSON});
	expect(readFacts([undefined, info])).toEqual({creator: PERSON});
	expect(readFacts([threshold, undefined])).toEqual({kept: 7n});
});

test('a pair of Robinhood Chain has the VIRTUAL of that chain', () => {
	const log = {...planned, address: '0xd4ccbfa37e2f35611b3042e4096ad7a3459bd007' as const};
	const quote = '0xc6911796042b15d7fa4f6cde69e245ddcd3d9c31';
	expect(decoded(VIRTUALS_V5, log)).toMatchObject({curve: {quote}, pool: {quote}});
});
