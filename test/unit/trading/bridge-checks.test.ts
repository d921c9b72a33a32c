import {encodeFunctionData, keccak256, parseAbi, stringToBytes} from 'viem';
import {describe, expect, test} from 'vitest';
import {dollarDecimalsOf} from '../../../source/chains/chains.ts';
import {findEvmChain} from '../../../source/chains/evm-chains.ts';
import {SPONSORED_CHAINS} from '../../../source/contract/bridge-chains.ts';
import {NEUTRAL_PROVIDER} from '../../../source/contract/provider.ts';
import {batchNonce} from '../../../source/contract/typed-data.ts';
import type {BridgePlan} from '../../../source/trading/bridge/bridge-plan.ts';
import {BRIDGE_CHECKS} from '../../../source/trading/bridge/checks.ts';
import {isDollarCoin} from '../../../source/trading/bridge/loss.ts';
import {reviewLines} from '../../../source/trading/bridge/review-lines.ts';
import type {Transfer} from '../../../source/trading/chain-proof.ts';
import {assertChecks, runChecks} from '../../../source/trading/check.ts';
import type {PinRole} from '../../../source/trading/known-contracts.ts';
import type {PinVerdict, PlannedContract} from '../../../source/trading/pins.ts';
import {COIN, type Simulation} from '../../../source/trading/simulation.ts';
import {fc} from '../../helpers/properties.ts';

const ME = '0x1000000000000000000000000000000000000001';
const OTHER = '0x2000000000000000000000000000000000000002';
const USDC = '0x3000000000000000000000000000000000000003';
const BRIDGE = '0x4000000000000000000000000000000000000004';
const EXECUTOR = '0x5000000000000000000000000000000000000005';
const NOW = 1_800_000_000_000;
const INTENT = 'abcdefg-hijklmn-opq';

const abi = parseAbi([
	'function approve(address spender, uint256 amount)',
	'function transfer(address to, uint256 amount)',
	'function bridgeToken(bytes32 intentId, address token, uint256 amount, uint256 destinationChainId, address recipient)',
	'function swapAndBridge(bytes32 intentId, address tokenIn, uint256 amountIn, uint256 minBridged, uint256 destinationChainId, address recipient)',
]);
const approve = (spender: `0x${string}` = BRIDGE, amount = 50_000_000n) =>
	encodeFunctionData({abi, functionName: 'approve', args: [spender, amount]});
const deposit = ({intent = INTENT, token = USDC, amount = 50_000_000n, chain = 42161n, to = ME} = {}) =>
	encodeFunctionData({
		abi,
		functionName: 'bridgeToken',
		args: [keccak256(stringToBytes(intent)), token as `0x${string}`, amount, chain, to as `0x${string}`],
	});

function planned(role: PinRole, address: string): PlannedContract {
	const hash = keccak256(stringToBytes(role));
	return {
		role,
		found: {address, kind: 'plain', hash, fingerprint: hash, size: 3},
		verdict: {kind: 'pinned', since: 1},
	};
}

/** A try in which exactly the deposit moves. */
function simulated(more: Partial<Transfer> = {}, leftRaw = 0n): Simulation {
	const transfer = {token: USDC, from: ME, to: BRIDGE, amountRaw: 50_000_000n, txHash: '', logIndex: 0};
	return {
		kind: 'done',
		transfers: [{...transfer, ...more}],
		approvals: [{token: USDC, owner: ME, spender: BRIDGE, leftRaw}],
	};
}

/** A plan in which everything is right. */
function goodPlan(): BridgePlan {
	const calls = [
		{to: USDC, value: '0', data: approve()},
		{to: BRIDGE, value: '0', data: deposit()},
	];
	return {
		request: {
			originChainId: 'evm:8453',
			destinationChainId: 'evm:42161',
			originToken: USDC,
			amountRaw: 50_000_000n,
			decimals: 6,
			symbol: 'USDC',
			recipient: ME,
		},
		signer: ME,
		quote: {
			intentId: INTENT,
			estimatedAmountOut: '49.5',
			minAmountOut: '49.005',
			fees: {totalFeeUsd: '0.5', originSponsorGasUsd: '0.02', bridgeFeeBps: 10},
			sponsorGate: {batchExecutor: EXECUTOR, gasToken: USDC, minBalance: '50000000'},
		},
		quotedAtMs: NOW - 5000,
		batch: {
			originChainId: 'evm:8453',
			authority: ME,
			calls,
			batchNonce: String(batchNonce(INTENT)),
			deadline: String(NOW / 1000 + 300),
			gasToken: USDC,
			minBalance: '50000000',
		},
		provider: NEUTRAL_PROVIDER,
		authorization: {chainId: 8453, address: EXECUTOR, nonce: 7},
		account: {nonce: 7, kind: 'plain'},
		balanceRaw: 60_000_000n,
		accountAtMs: NOW - 1000,
		clock: {nowMs: NOW, skewMs: 300, uncertaintyMs: 50},
		contracts: {executor: planned('batch executor', EXECUTOR), target: planned('bridge', BRIDGE)},
		simulation: simulated(),
		requiresSimulation: false,
		maxQuoteAgeMs: 60_000,
		maxLossPercent: 3,
		bridgedDecimals: 6,
		destination: {symbol: 'USDC', decimals: 6},
	};
}

const good = goodPlan();
const withCalls = (...calls: {to: string; value?: string; data: string}[]): BridgePlan => ({
	...good,
	batch: {...good.batch, calls: calls.map(call => ({value: '0', ...call}))},
});
const request = (more: Partial<BridgePlan['request']>): BridgePlan => ({...good, request: {...good.request, ...more}});
const batch = (more: Partial<BridgePlan['batch']>): BridgePlan => ({...good, batch: {...good.batch, ...more}});
const withPin = (name: 'executor' | 'target', verdict: PinVerdict): BridgePlan => ({
	...good,
	contracts: {...good.contracts, [name]: {...good.contracts[name], verdict}},
});
const tried = (simulation: Simulation): BridgePlan => ({...good, simulation});
const quote = (more: Partial<BridgePlan['quote']>): BridgePlan => ({...good, quote: {...good.quote, ...more}});
const swap = (minBridged: bigint, amount = 50_000_000n) => ({
	to: BRIDGE,
	data: encodeFunctionData({
		abi,
		functionName: 'swapAndBridge',
		args: [keccak256(stringToBytes(INTENT)), USDC, amount, minBridged, 42161n, ME],
	}),
});
/** Where the helper puts what it swapped. */
const REAL_BRIDGE = '0x8000000000000000000000000000000000000008';
/** A try of a swap: what leaves goes to the helper, which brings `raw` of another token to the bridge. */
function simulatedSwap(raw: bigint, to = REAL_BRIDGE): Simulation {
	const {transfers, approvals} = simulated() as Extract<Simulation, {kind: 'done'}>;
	const POOL = '0x9000000000000000000000000000000000000009';
	const move = (token: string, from: string, recipient: string, amountRaw: bigint): Transfer => ({
		token,
		from,
		to: recipient,
		amountRaw,
		txHash: '',
		logIndex: 0,
	});
	return {
		kind: 'done',
		transfers: [
			...transfers,
			move(USDC, BRIDGE, POOL, 50_000_000n),
			move(OTHER, POOL, BRIDGE, raw),
			move(OTHER, BRIDGE, to, raw),
		],
		approvals,
	};
}
/** A transfer of 50 dollars that are swapped before, which the node shows to bring 49.5. */
const swapped = (minBridged: bigint): BridgePlan => ({
	...withCalls({to: USDC, data: approve()}, swap(minBridged)),
	simulation: simulatedSwap(49_500_000n),
});
/** The calldata with a bit set above the address that its first argument is. */
const dirty = (data: string) => `${data.slice(0, 10)}01${data.slice(12)}`;
const gate = (more: object): BridgePlan => ({
	...good,
	quote: {...good.quote, sponsorGate: {...good.quote.sponsorGate!, ...more}},
});

describe('the checks before a batch is signed', () => {
	test('all pass on an honest plan, for a plain and for a delegated account', () => {
		expect(() => assertChecks(BRIDGE_CHECKS, good)).not.toThrow();
		const {authorization: _, ...delegated} = {
			...good,
			account: {nonce: 8, kind: 'delegated', delegate: EXECUTOR} as const,
		};
		expect(() => assertChecks(BRIDGE_CHECKS, delegated)).not.toThrow();
	});

	test.each<[check: string, what: string, plan: BridgePlan]>([
		['sponsored', 'a quote that is not gasless', {...good, quote: {...good.quote, sponsorGate: null}}],
		['cross-chain', 'the same chain twice', request({destinationChainId: 'evm:8453'})],
		['origin-token', 'the native coin', request({originToken: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'})],
		['origin-token', 'the wrapped native coin', request({originToken: '0x4200000000000000000000000000000000000006'})],
		[
			'chain-id',
			'an authorization for every chain',
			{...good, authorization: {chainId: 0, address: EXECUTOR, nonce: 7}},
		],
		[
			'chain-id',
			'an authorization for another chain',
			{...good, authorization: {chainId: 137, address: EXECUTOR, nonce: 7}},
		],
		['chain-id', 'a batch for another chain', batch({originChainId: 'evm:137'})],
		[
			'chain-id',
			'a chain without an executor',
			{...request({originChainId: 'evm:1'}), batch: {...good.batch, originChainId: 'evm:1'}},
		],
		['authority', 'another account than the key’s', batch({authority: OTHER})],
		['verifying-contract', 'a domain of another account', batch({authority: OTHER})],
		['lane', 'the lane of another intent', batch({batchNonce: String(batchNonce('other'))})],
		['lane', 'a later place in the lane', batch({batchNonce: String(batchNonce(INTENT, 1n))})],
		['call-count', 'no calls', withCalls()],
		['call-count', 'five calls', withCalls(...Array.from({length: 5}, () => ({to: USDC, data: approve()})))],
		[
			'call-values',
			'a call with native value',
			withCalls({to: USDC, data: approve()}, {to: BRIDGE, data: deposit(), value: '1'}),
		],
		[
			'targets',
			'a call that is no part of a deposit',
			withCalls(
				{to: USDC, data: encodeFunctionData({abi, functionName: 'transfer', args: [OTHER, 1n]})},
				{to: BRIDGE, data: deposit()},
			),
		],
		[
			'targets',
			'bytes behind the arguments',
			withCalls({to: USDC, data: `${approve()}00`}, {to: BRIDGE, data: deposit()}),
		],
		['targets', 'an approval of another token', withCalls({to: OTHER, data: approve()}, {to: BRIDGE, data: deposit()})],
		[
			'targets',
			'an approval for somebody else',
			withCalls({to: USDC, data: approve(OTHER)}, {to: BRIDGE, data: deposit()}),
		],
		['targets', 'two deposits', withCalls({to: BRIDGE, data: deposit()}, {to: BRIDGE, data: deposit()})],
		['targets', 'an approval without a deposit', withCalls({to: USDC, data: approve()})],
		[
			'deposit',
			'a deposit for another intent',
			withCalls({to: USDC, data: approve()}, {to: BRIDGE, data: deposit({intent: 'x'})}),
		],
		[
			'deposit',
			'a deposit of another token',
			withCalls({to: USDC, data: approve()}, {to: BRIDGE, data: deposit({token: OTHER})}),
		],
		[
			'deposit',
			'a deposit of more',
			withCalls({to: USDC, data: approve()}, {to: BRIDGE, data: deposit({amount: 60_000_000n})}),
		],
		[
			'deposit',
			'a deposit to another chain',
			withCalls({to: USDC, data: approve()}, {to: BRIDGE, data: deposit({chain: 137n})}),
		],
		[
			'deposit',
			'a deposit for somebody else',
			withCalls({to: USDC, data: approve()}, {to: BRIDGE, data: deposit({to: OTHER})}),
		],
		[
			'approval',
			'an approval of more',
			withCalls({to: USDC, data: approve(BRIDGE, 2n ** 256n - 1n)}, {to: BRIDGE, data: deposit()}),
		],
		[
			'approval',
			'two approvals',
			withCalls({to: USDC, data: approve()}, {to: USDC, data: approve()}, {to: BRIDGE, data: deposit()}),
		],
		['gas-token', 'another gas token than the quote’s', batch({gasToken: OTHER})],
		['gas-token', 'a quote for another token', gate({gasToken: OTHER})],
		['min-balance', 'another least balance than the quote’s', batch({minBalance: '1'})],
		[
			'min-balance',
			'a least balance under the deposit',
			{...gate({minBalance: '1'}), batch: {...good.batch, minBalance: '1'}},
		],
		['balance', 'too little in the account', {...good, balanceRaw: 49_999_999n}],
		[
			'delegation',
			'an account that another contract runs',
			{...good, account: {nonce: 7, kind: 'delegated', delegate: OTHER}},
		],
		['delegation', 'an account with code of its own', {...good, account: {nonce: 7, kind: 'contract'}}],
		[
			'delegation',
			'an authorization for another executor',
			{...good, authorization: {chainId: 8453, address: OTHER, nonce: 7}},
		],
		['delegation', 'a needless authorization', {...good, account: {nonce: 7, kind: 'delegated', delegate: EXECUTOR}}],
		['account-nonce', 'nonce + 1', {...good, authorization: {chainId: 8453, address: EXECUTOR, nonce: 8}}],
		['executor-pin', 'an executor met for the first time', withPin('executor', {kind: 'unknown'})],
		[
			'executor-pin',
			'another executor than before',
			withPin('executor', {kind: 'changed', pinned: OTHER, what: 'contract'}),
		],
		['target-pin', 'another bridge than before', withPin('target', {kind: 'changed', pinned: OTHER, what: 'contract'})],
		[
			'executor-pin',
			'an account that lends its code',
			withPin('executor', {kind: 'refused', why: 'it lends its code'}),
		],
		['target-pin', 'other code than before', withPin('target', {kind: 'changed', pinned: BRIDGE, what: 'code'})],
		['simulation', 'more that would leave', tried(simulated({amountRaw: 50_000_001n}))],
		['simulation', 'another recipient', tried(simulated({to: OTHER}))],
		['simulation', 'another token that would leave', tried(simulated({token: OTHER}))],
		['simulation', 'nothing that would leave', tried({kind: 'done', transfers: [], approvals: []})],
		['simulation', 'an allowance that would be left', tried(simulated({}, 1n))],
		['simulation', 'a call that would fail', tried({kind: 'failed', call: 2, why: 'execution reverted'})],
		['simulation', 'coins that would leave', tried(simulated({token: COIN}))],
		[
			'simulation',
			'no try, where one is required',
			{...tried({kind: 'unavailable', why: 'no'}), requiresSimulation: true},
		],
		[
			'simulation',
			'a try that does not show what would move, where one is required',
			{...tried({kind: 'runs'}), requiresSimulation: true},
		],
		['simulation', 'a swap that brings nothing to the bridge', {...swapped(49_000_000n), simulation: simulated()}],
		[
			'simulation',
			'a swap that brings less to the bridge than its call names',
			{...swapped(49_000_000n), simulation: simulatedSwap(48_999_999n)},
		],
		[
			'simulation',
			'a swap whose yield stays with the helper',
			{...swapped(49_000_000n), simulation: simulatedSwap(49_500_000n, BRIDGE)},
		],
		['min-bridged', 'a swap that may bring less than it does', swapped(48_000_000n)],
		['amount-out', 'nothing that has to arrive', {...good, quote: {...good.quote, minAmountOut: '0.000'}}],
		['amount-out', 'more at least than expected', {...good, quote: {...good.quote, minAmountOut: '49.50001'}}],
		['amount-out', 'amounts that are no numbers', {...good, quote: {...good.quote, minAmountOut: 'lots'}}],
		['targets', 'bytes above an address', withCalls({to: USDC, data: dirty(approve())}, {to: BRIDGE, data: deposit()})],
		['loss', 'almost nothing that has to arrive', quote({minAmountOut: '0.01'})],
		['loss', 'a little more lost than allowed', quote({minAmountOut: '48.49'})],
		[
			'loss',
			'a least far under the estimate of another coin',
			{...quote({minAmountOut: '30'}), destination: {symbol: 'PEPE', decimals: 18}},
		],
		[
			'loss',
			'another coin of little value, by the service’s own price',
			{...quote({estimatedAmountOutUsd: '40'}), destination: {symbol: 'PEPE', decimals: 18}},
		],
		[
			'loss',
			'fees that take almost all',
			quote({estimatedAmountOut: '0.4', minAmountOut: '0.39', fees: {totalFeeUsd: '49.6'}}),
		],
		['loss', 'fees that take almost all, though as much arrives', quote({fees: {totalFeeUsd: '49.6'}})],
		['min-bridged', 'a swap that may bring nothing', swapped(0n)],
		['min-bridged', 'a swap that may bring a grain', swapped(1n)],
		['min-bridged', 'a swap that may bring half', swapped(25_000_000n)],
		[
			'fees',
			'more missing than the fees',
			quote({estimatedAmountOut: '48.5', minAmountOut: '48.5', fees: {totalFeeUsd: '0.1'}}),
		],
		['fees', 'two sums of fees', quote({totalFeeUsd: '0.7'})],
		['fees', 'a part that is more than the whole', quote({fees: {totalFeeUsd: '0.5', originSponsorGasUsd: '0.6'}})],
		['fees', 'fees below nothing', quote({fees: {totalFeeUsd: '-1'}})],
		['fees', 'fees that are no number', quote({fees: {totalFeeUsd: 'none'}})],
		['fresh', 'a quote of a time ahead', {...good, quotedAtMs: NOW + 3_600_000}],
		['fresh', 'an account read in a time ahead', {...good, accountAtMs: NOW + 3_600_000}],
		['fresh', 'an old quote', {...good, quotedAtMs: NOW - 60_001}],
		['fresh', 'a quote that says it has expired', {...good, quote: {...good.quote, deadline: NOW / 1000}}],
		['fresh', 'an account read long ago', {...good, accountAtMs: NOW - 20_001}],
		['clock', 'a clock that is off', {...good, clock: {nowMs: NOW, skewMs: -20_001, uncertaintyMs: 0}}],
		['clock', 'a clock of which nothing is known', {...good, clock: {nowMs: NOW, skewMs: 0, uncertaintyMs: undefined}}],
		['deadline', 'a deadline that passed', batch({deadline: String(NOW / 1000 - 1)})],
		['deadline', 'a deadline that is about to pass', batch({deadline: String(NOW / 1000 + 29)})],
		['deadline', 'a deadline far away', batch({deadline: String(NOW / 1000 + 100_000)})],
		['caps', 'more than the person’s own limit', {...good, capRefusal: '60 USDC is more than 50 USDC'}],
	])('%s fails on %s', (check, _, plan) => {
		const failures = runChecks(BRIDGE_CHECKS, plan).filter(result => !result.ok);
		expect(failures.map(({name}) => name)).toContain(check);
		expect(() => assertChecks(BRIDGE_CHECKS, plan)).toThrow(expect.objectContaining({code: 'check-failed'}));
	});

	test('more may be lost on purpose, and a swap that holds to the quote passes', () => {
		const lossy = quote({minAmountOut: '40', estimatedAmountOut: '49.5'});
		expect(() => assertChecks(BRIDGE_CHECKS, {...lossy, maxLossPercent: 20})).not.toThrow();
		expect(() => assertChecks(BRIDGE_CHECKS, swapped(49_000_000n))).not.toThrow();
	});

	test.each([
		['the amounts', {minAmountOut: '37.5', estimatedAmountOut: '37.5'}],
		['the fees', {minAmountOut: '50', estimatedAmountOut: '50', fees: {totalFeeUsd: '12.5'}}],
	])('a loss by %s may be as large as the bound, and no larger', (_, more) => {
		const verdict = (maxLossPercent: number) =>
			runChecks(BRIDGE_CHECKS, {...quote(more), maxLossPercent}).find(({name}) => name === 'loss')!.ok;
		expect([24.99, 25, 25.01].map(verdict)).toEqual([false, true, true]);
	});

	test('no swap passes that may bring less than the bound, of dollars or of what the node shows, whatever it names', () => {
		fc.assert(
			fc.property(
				fc.bigInt({min: 0n, max: 60_000_000n}),
				fc.bigInt({min: 1n, max: 60_000_000n}),
				fc.constantFrom('USDC', 'WBTC'),
				fc.constantFrom<Simulation['kind']>('done', 'runs', 'unavailable'),
				fc.double({min: 0, max: 50, noNaN: true}),
				(minBridged, brings, symbol, kind, maxLossPercent) => {
					const simulation: Simulation =
						kind === 'done' ? simulatedSwap(brings) : kind === 'runs' ? {kind} : {kind: 'unavailable', why: 'no'};
					const {destination: _, ...plan} = {...swapped(minBridged), simulation, maxLossPercent};
					const judged = {...plan, request: {...plan.request, symbol}};
					const failures = runChecks(BRIDGE_CHECKS, judged).flatMap(({ok, name}) => (ok ? [] : [name]));
					if (failures.includes('min-bridged') || failures.includes('simulation')) return;
					const kept = 1 - maxLossPercent / 100 - 2e-6;
					// Something was known here that the call could be held to.
					expect(symbol === 'USDC' || kind === 'done').toBe(true);
					if (symbol === 'USDC') expect(Number(minBridged)).toBeGreaterThanOrEqual(50_000_000 * kept - 1);
					if (kind === 'done') expect(Number(minBridged)).toBeGreaterThanOrEqual(Number(brings) * kept - 1);
				},
			),
			{numRuns: 300},
		);
	});

	describe('the least of a swap that the node could not try', () => {
		/** 50 of a token, of which the swap brings dollars with so many decimals. */
		const untried = (minBridged: bigint, decimals: number | undefined, symbol = 'DAI'): BridgePlan => {
			const {bridgedDecimals: _, ...plan} = swapped(minBridged);
			return {
				...plan,
				request: {...good.request, symbol, destinationToken: OTHER},
				simulation: {kind: 'runs'},
				...(decimals === undefined ? {} : {bridgedDecimals: decimals}),
				// A dollar arrives with decimals of its own, which say nothing of what is bridged.
				destination: {symbol: 'USDC', decimals: 12},
			};
		};
		const least = (plan: BridgePlan) => runChecks(BRIDGE_CHECKS, plan).find(({name}) => name === 'min-bridged');

		test.each([
			[6, 49_005_000n],
			[18, 49_005_000_000_000_000_000n],
		])('is judged by the %i decimals of dollars on the origin chain', (decimals, minBridged) => {
			expect(least(untried(minBridged, decimals))).toEqual({
				name: 'min-bridged',
				title: 'the swap must bring enough',
				ok: true,
				detail: 'at least $49.005',
			});
		});

		test('is bounded by what leaves for a dollar, and for another coin by the node, not by the least of the quote', () => {
			expect(least(untried(48_500_000n, 6))).toMatchObject({ok: true, detail: 'at least $48.5'});
			expect(least(untried(48_499_999n, 6))).toMatchObject({ok: false});
			const coins = (minBridged: bigint): BridgePlan => ({
				...untried(minBridged, 6, 'WBTC'),
				simulation: simulatedSwap(49_500_000n),
				destination: {symbol: 'WETH', decimals: 18},
			});
			expect(least(coins(48_015_000n))).toMatchObject({ok: true});
			expect(least(coins(48_014_999n))).toMatchObject({ok: false});
			// Sold for dollars, it must bring the least of the quote, too.
			const sold = (minBridged: bigint): BridgePlan => ({
				...coins(minBridged),
				destination: {symbol: 'USDC', decimals: 6},
			});
			expect(least(sold(48_015_000n))).toMatchObject({
				ok: false,
				detail: expect.stringContaining('needed for the least'),
			});
		});

		test.each([
			['a grain of a dollar of 18 decimals that looks right by 6', untried(49_005_000n, 18), /\$0\.00/],
			['a part', untried(40_000_000n, 6), /as little as \$40; of \$50 that leave, \$48\.5 are needed/],
			[
				'of which more leaves than could come',
				{...untried(501_000_000n, 6), request: good.request},
				/more than any swap/,
			],
		])('is refused as %s', (_, plan, why) => {
			expect(least(plan)).toMatchObject({ok: false, detail: expect.stringMatching(why)});
		});

		test.each([
			['another coin leaves', untried(49_005_000n, 6, 'WBTC'), 'your node does not show what would move'],
			['no dollar of the chain is known', untried(49_005_000n, undefined), 'the decimals of dollars on Base'],
		])('is refused where %s, since nothing here bounds it', (_, plan, why) => {
			expect(least(plan)).toMatchObject({
				ok: false,
				detail: expect.stringContaining(`what it has to bring cannot be computed here: ${why}`),
			});
		});
	});

	test.each(SPONSORED_CHAINS)('the dollars of %s have known decimals, as its quote coins are followed', chainId => {
		const {quotes} = findEvmChain(chainId)!;
		const dollars = quotes.filter(({price, symbol}) => price?.kind === 'dollar' && /^USD[CG]$/.test(symbol));
		expect(dollars.map(({decimals}) => decimals)).toEqual([dollarDecimalsOf(chainId)]);
		expect(dollars.every(({symbol}) => isDollarCoin(symbol))).toBe(true);
	});

	test('an unknown loss is reported and does not pass silently', () => {
		const {destination: _, ...blind} = tried({kind: 'unavailable', why: 'its node refused'});
		const results = runChecks(BRIDGE_CHECKS, {...blind, quote: {...good.quote, fees: {}}});
		expect(results.filter(({isUnavailable}) => isUnavailable).map(({name}) => name)).toEqual([
			'simulation',
			'fees',
			'loss',
		]);
	});

	test('a batch of which the node shows only that it would not revert is said to be just that', () => {
		const result = runChecks(BRIDGE_CHECKS, tried({kind: 'runs'})).find(({name}) => name === 'simulation');
		expect(result).toMatchObject({
			ok: true,
			isUnavailable: true,
			detail: 'your node shows that it would not revert now, not what would move',
		});
	});

	test.each<readonly [check: string, limit: string, at: BridgePlan, beyond: BridgePlan]>([
		[
			'call-count',
			'four calls',
			withCalls(...Array.from({length: 4}, () => ({to: USDC, data: approve()}))),
			withCalls(...Array.from({length: 5}, () => ({to: USDC, data: approve()}))),
		],
		['balance', 'the amount', {...good, balanceRaw: 50_000_000n}, {...good, balanceRaw: 49_999_999n}],
		[
			'balance',
			'the least balance of the batch, above the amount',
			{...batch({minBalance: '55000000'}), balanceRaw: 55_000_000n},
			{...batch({minBalance: '55000000'}), balanceRaw: 54_999_999n},
		],
		['fresh', 'a quote of a minute', {...good, quotedAtMs: NOW - 60_000}, {...good, quotedAtMs: NOW - 60_001}],
		[
			'fresh',
			'a reading of the account of 20 s',
			{...good, accountAtMs: NOW - 20_000},
			{...good, accountAtMs: NOW - 20_001},
		],
		[
			'fresh',
			'a quote that ends in a second',
			quote({deadline: NOW / 1000 + 1} as Partial<BridgePlan['quote']>),
			quote({deadline: NOW / 1000} as Partial<BridgePlan['quote']>),
		],
		['deadline', '30 s', batch({deadline: String(NOW / 1000 + 30)}), batch({deadline: String(NOW / 1000 + 29)})],
		[
			'deadline',
			'15 minutes',
			batch({deadline: String(NOW / 1000 + 900)}),
			batch({deadline: String(NOW / 1000 + 901)}),
		],
		[
			'loss',
			'three per cent',
			quote({minAmountOut: '48.5', estimatedAmountOut: '49.5'}),
			quote({minAmountOut: '48.49'}),
		],
		['fees', 'two sums', quote({totalFeeUsd: '0.5000005'}), quote({totalFeeUsd: '0.500002'})],
		[
			'fees',
			'a part of the sum',
			quote({fees: {totalFeeUsd: '0.5', gasFeeUsd: '0.5'}}),
			quote({fees: {totalFeeUsd: '0.5', gasFeeUsd: '0.51'}}),
		],
		[
			'fees',
			'one per cent that no fee explains',
			quote({estimatedAmountOut: '49', minAmountOut: '48.9'}),
			quote({estimatedAmountOut: '48.99', minAmountOut: '48.9'}),
		],
	])('%s: %s is allowed, and nothing beyond', (name, _, at, beyond) => {
		const isOk = (plan: BridgePlan) => runChecks(BRIDGE_CHECKS, plan).find(result => result.name === name)!.ok;
		expect([isOk(at), isOk(beyond)]).toEqual([true, false]);
	});

	test.each<readonly [check: string, said: string, plan: BridgePlan]>([
		[
			'call-values',
			'call 2 carries the native coin',
			withCalls({to: USDC, data: approve()}, {to: BRIDGE, data: deposit(), value: '1'}),
		],
		[
			'targets',
			`call 2, to ${BRIDGE}, is not part of a deposit`,
			withCalls({to: USDC, data: approve()}, {to: BRIDGE, data: '0x1234'}),
		],
		['targets', 'call 1 is a second deposit', withCalls({to: BRIDGE, data: deposit()}, {to: BRIDGE, data: deposit()})],
		[
			'targets',
			`call 1 approves another token, ${OTHER}`,
			withCalls({to: OTHER, data: approve()}, {to: BRIDGE, data: deposit()}),
		],
		[
			'targets',
			`call 1 approves ${OTHER}, which is not where the deposit goes`,
			withCalls({to: USDC, data: approve(OTHER)}, {to: BRIDGE, data: deposit()}),
		],
		[
			'targets',
			'the deposit goes to no bridge',
			withCalls({to: USDC, data: approve(USDC)}, {to: USDC, data: deposit()}),
		],
		['targets', 'the deposit goes to no bridge', withCalls({to: USDC, data: approve(ME)}, {to: ME, data: deposit()})],
		['deadline', 'only 29 s are left, 30 s are needed', batch({deadline: String(NOW / 1000 + 29)})],
		['deadline', 'it passed 0 s ago', batch({deadline: String(NOW / 1000)})],
		['deadline', 'it passed 5 s ago', batch({deadline: String(NOW / 1000 - 5)})],
		['gas-token', `the batch names ${USDC}, the quote none`, gate({gasToken: undefined})],
	])('%s says: %s', (name, said, plan) => {
		expect(runChecks(BRIDGE_CHECKS, plan).find(result => result.name === name)!.detail).toBe(said);
	});

	test('a plan with numbers that are none fails instead of throwing something else', () => {
		for (const broken of [
			batch({minBalance: 'x'}),
			batch({batchNonce: ''}),
			batch({deadline: '1.5'}),
			withCalls({to: 'x', data: '0x', value: 'y'}),
		]) {
			expect(() => assertChecks(BRIDGE_CHECKS, broken)).toThrow(expect.objectContaining({code: 'check-failed'}));
		}
	});
});

describe('the review', () => {
	test('says what the try on the node showed, or why there was none', () => {
		const line = (plan: BridgePlan) => reviewLines(plan).find(({label}) => label === 'simulated')!.text;
		expect(line(tried({kind: 'unavailable', why: 'the node knows no eth_simulateV1'}))).toBe(
			'not available on this node: the node knows no eth_simulateV1',
		);
		expect(line(tried({kind: 'runs'}))).toBe('would not revert now; what would move is not shown by this node');
		expect(line(tried(simulated({to: OTHER})))).toBe(`refused: 50 USDC would go to ${OTHER}`);
	});

	test('says plainly what leaves, what arrives, who pays gas, and what happens to the account', () => {
		const text = Object.fromEntries(reviewLines(good, 'USDC').map(line => [line.label, line.text]));
		expect(text).toMatchObject({
			'you send': '50 USDC on Base',
			'you receive': 'about 49.5 USDC (minimum 49.005) on Arbitrum',
			to: `${ME} (the same account)`,
			simulated: 'only 50 USDC leaves',
			fees: '$0.5 total ($0.02 gas, 0.1 % bridge)',
			gas: 'paid by the service, deducted from what you receive',
			deadline: 'the batch is void in 300 s',
			account: `not delegated yet; will be delegated to ${EXECUTOR} (EIP-7702)`,
		});
	});

	test.each<[what: string, plan: BridgePlan, check: string, words: string]>([
		[
			'the larger of deposit and minimum balance',
			{...batch({minBalance: '70000000'}), balanceRaw: 60_000_000n},
			'balance',
			'70 USDC are needed',
		],
		['the deposit, where the minimum is less', {...good, balanceRaw: 1n}, 'balance', '50 USDC are needed'],
		['a chain without an executor', request({originChainId: 'evm:1'}), 'chain-id', 'evm:1 has no batch executor'],
		['an estimate that is no number', quote({estimatedAmountOut: 'x'}), 'amount-out', 'are no numbers'],
		['a least that is no number', quote({minAmountOut: '1e1'}), 'amount-out', 'are no numbers'],
		['a least of zero', quote({minAmountOut: '0.000'}), 'amount-out', 'nothing at all'],
		['a least above the estimate', quote({minAmountOut: '49.50001'}), 'amount-out', 'at least 49.50001 would arrive'],
		[
			'two sums of fees, a millionth apart',
			quote({totalFeeUsd: '0.500002'}),
			'fees',
			'the quote states two sums, 0.500002 and 0.5 USD',
		],
		['a fee above the sum', quote({fees: {totalFeeUsd: '0.5', gasFeeUsd: '0.6'}}), 'fees', 'more than the sum of 0.5'],
		['a fee below zero', quote({fees: {totalFeeUsd: '0.5', gasFeeUsd: '-1'}}), 'fees', 'they are no amounts'],
	])('fails on %s, and says so', (_, plan, check, words) => {
		const found = runChecks(BRIDGE_CHECKS, plan).find(({name}) => name === check)!;
		expect(found).toMatchObject({ok: false, detail: expect.stringContaining(words)});
	});

	test('takes a least that equals the estimate, and two equal sums of fees', () => {
		const plan = quote({minAmountOut: '49.500', totalFeeUsd: '0.5'});
		const ok = runChecks(BRIDGE_CHECKS, plan).filter(({name}) => ['amount-out', 'fees'].includes(name));
		expect(ok.map(check => check.ok)).toEqual([true, true]);
	});

	test.each([
		[{}, 'at most 2.0 % of what you send'],
		[
			{destination: {symbol: 'PEPE', decimals: 18}},
			'at most 1.0 % less than expected; what arrives has no known price',
		],
		[
			{destination: {symbol: 'PEPE', decimals: 18}, quote: {...good.quote, estimatedAmountOutUsd: '49.5'}},
			"at most 2.0 % of what you send, by the service's price",
		],
		[
			{destination: {symbol: 'PEPE', decimals: 18}, quote: {...good.quote, estimatedAmountOutUsd: '0'}},
			'at most 1.0 % less than expected; what arrives has no known price',
		],
		[{destination: {symbol: 'DAI', decimals: 18}}, 'at most 2.0 % of what you send'],
		[{quote: {...good.quote, minAmountOut: 'x'}}, 'not known'],
		[
			{destination: {symbol: 'PEPE', decimals: 18}, quote: {...good.quote, estimatedAmountOutUsd: '1e400'}},
			'at most 1.0 % less than expected; what arrives has no known price',
		],
	])('has the loss of %j: %s', (more, text) => {
		expect(reviewLines({...good, ...more}).find(({label}) => label === 'loss')?.text).toBe(text);
	});

	test.each<[string, Partial<BridgePlan['quote']>]>([
		['two numbers in one', {minAmountOut: '48.548.5'}],
		['no estimate', {estimatedAmountOut: ''}],
		['nothing at all', {estimatedAmountOut: '0', minAmountOut: '0'}],
		['fees that are no number', {fees: {totalFeeUsd: '1.2.3'}}],
		['a value beyond all numbers', {estimatedAmountOutUsd: '1e400'}],
	])('says that a figure is unknown, and no NaN, for a quote with %s', (_, figures) => {
		const plan = {...quote(figures), destination: {symbol: 'PEPE', decimals: 18}};
		for (const shown of [plan, quote(figures)]) {
			const results = runChecks(BRIDGE_CHECKS, shown);
			for (const {detail} of results) expect(detail).not.toMatch(/NaN|Infinity/);
			for (const {text} of reviewLines(shown)) expect(text).not.toMatch(/NaN|Infinity/);
		}
	});

	test('marks a recipient that is another account, and an account that is not delegated yet', () => {
		const marked = (plan: BridgePlan) => reviewLines(plan).flatMap(({label, isMarked}) => (isMarked ? [label] : []));
		expect(marked(good)).toEqual(['account']);
		const {authorization: _, ...delegated} = {
			...request({recipient: OTHER}),
			account: {nonce: 8, kind: 'delegated', delegate: EXECUTOR} as const,
		};
		expect(marked(delegated)).toEqual(['to']);
	});

	test.each<[kinds: BridgePlan['recipientKinds'], words: string]>([
		[undefined, ''],
		[{}, ''],
		[{origin: 'plain', destination: 'plain'}, ''],
		[{origin: 'delegated', destination: 'plain'}, ''],
		[{origin: 'contract'}, ''],
		[{destination: 'plain'}, ''],
		[{origin: 'contract', destination: 'contract'}, '; a contract on Arbitrum'],
		[{origin: 'plain', destination: 'contract'}, '; a contract on Arbitrum'],
		[
			{origin: 'contract', destination: 'plain'},
			'; a contract on Base, but nothing on Arbitrum: the tokens may be out of reach there',
		],
	])('says of another recipient with the accounts %j: "%s"', (recipientKinds, words) => {
		const plan = {...request({recipient: OTHER}), ...(recipientKinds && {recipientKinds})};
		const {text} = reviewLines(plan).find(({label}) => label === 'to')!;
		expect(text).toBe(`${OTHER} (NOT your account${words})`);
	});

	test('warns of another recipient, and cleans the text of the service', () => {
		const hostile = {...request({recipient: OTHER}), quote: {...good.quote, minAmountOut: '49\u001b[2J'}};
		const lines = reviewLines(hostile);
		expect(lines.find(line => line.label === 'to')?.text).toBe(`${OTHER} (NOT your account)`);
		expect(JSON.stringify(lines)).not.toContain('\\u001b');
	});
});
