import {encodeFunctionData, keccak256, parseAbi, stringToBytes} from 'viem';
import {NEUTRAL_PROVIDER} from '../../../source/contract/provider.ts';
import type {TradeTarget} from '../../../source/contract/trade-target.ts';
import {batchNonce} from '../../../source/contract/typed-data.ts';
import type {BridgePlan} from '../../../source/trading/bridge/bridge-plan.ts';
import type {PinRole} from '../../../source/trading/known-contracts.ts';
import type {PlannedContract} from '../../../source/trading/pins.ts';
import type {TradePlan} from '../../../source/trading/trade/plan.ts';

const ME = '0x1000000000000000000000000000000000000001';
export const OTHER = '0x2000000000000000000000000000000000000002';
export const USDC = '0x3000000000000000000000000000000000000003';
const BRIDGE = '0x4000000000000000000000000000000000000004';
const EXECUTOR = '0x5000000000000000000000000000000000000005';
export const PEPE = '0x60000000000000000000000000000000000abcde';
export const NOW = 1_800_000_000_000;
const INTENT = 'abcdefg-hijklmn-opq';

const abi = parseAbi([
	'function approve(address spender, uint256 amount)',
	'function bridgeToken(bytes32 intentId, address token, uint256 amount, uint256 destinationChainId, address recipient)',
	'function swapAndBridge(bytes32 intentId, address tokenIn, uint256 amountIn, uint256 minBridged, uint256 destinationChainId, address recipient)',
]);
const HASH = keccak256(stringToBytes(INTENT));

/** Half a minute of prices before the key. */
const SEEN = {lowUSD: 0.001, highUSD: 0.001, count: 6, spanMs: 30_000};

/** PEPE on Base at $0.001, in a pool of $20,000. */
function pepe(more: Partial<TradeTarget> = {}): TradeTarget {
	return {
		side: 'buy',
		chainId: 'evm:8453',
		address: PEPE,
		symbol: 'PEPE',
		name: 'Pepe',
		decimals: 18,
		priceUSD: 0.001,
		liquidityUSD: 20_000,
		phase: 'bonded',
		isCurve: false,
		isHoneypot: false,
		isNotOpenSource: false,
		buyTax: 0,
		sellTax: 0,
		marks: [],
		atMs: NOW - 2000,
		isLive: true,
		...more,
	};
}

function planned(role: PinRole, address: string): PlannedContract {
	const hash = keccak256(stringToBytes(role));
	return {
		role,
		found: {address, kind: 'plain', hash, fingerprint: hash, size: 3},
		verdict: {kind: 'pinned', since: 1},
	};
}

function planOf(request: BridgePlan['request'], target: TradeTarget, quote: Partial<BridgePlan['quote']>): TradePlan {
	const minBalance = String(request.amountRaw);
	const token = request.originToken as `0x${string}`;
	const isBuy = target.side === 'buy';
	const deposit = isBuy
		? encodeFunctionData({abi, functionName: 'bridgeToken', args: [HASH, token, request.amountRaw, 8453n, ME]})
		: swap(22_050_000n, request.amountRaw);
	const approve = encodeFunctionData({abi, functionName: 'approve', args: [BRIDGE, request.amountRaw]});
	return {
		request: {...request, slippage: 10, trade: target},
		signer: ME,
		quote: {
			intentId: INTENT,
			estimatedAmountOut: '0',
			minAmountOut: '0',
			fees: {totalFeeUsd: '0.05', originSponsorGasUsd: '0.02', bridgeFeeBps: 10},
			sponsorGate: {batchExecutor: EXECUTOR, gasToken: request.originToken, minBalance},
			...quote,
		},
		quotedAtMs: NOW - 1000,
		batch: {
			originChainId: request.originChainId,
			authority: ME,
			calls: [
				{to: request.originToken, value: '0', data: approve},
				{to: BRIDGE, value: '0', data: deposit},
			],
			batchNonce: String(batchNonce(INTENT)),
			deadline: String(NOW / 1000 + 60),
			gasToken: request.originToken,
			minBalance,
		},
		provider: NEUTRAL_PROVIDER,
		authorization: {chainId: isBuy ? 42161 : 8453, address: EXECUTOR, nonce: 7},
		account: {nonce: 7, kind: 'plain'},
		balanceRaw: request.amountRaw * 2n,
		accountAtMs: NOW,
		clock: {nowMs: NOW, skewMs: 0, uncertaintyMs: 50},
		contracts: {
			executor: planned('batch executor', EXECUTOR),
			target: planned(isBuy ? 'bridge' : 'swap helper', BRIDGE),
		},
		simulation: {kind: 'runs'},
		requiresSimulation: false,
		maxQuoteAgeMs: 20_000,
		maxLossPercent: 3,
		destination: isBuy ? {symbol: 'PEPE', decimals: 18} : {symbol: 'USDC', decimals: 6},
		bridgedDecimals: 6,
		trade: {target, busyRaw: 0n, own: {seen: SEEN, atKeyUSD: 0.001, chain: {kind: 'unread', why: 'no node'}}},
	};
}

/** The call of a sale to `minBridged` raw units of a dollar. */
export function swap(minBridged: bigint, amountRaw: bigint): `0x${string}` {
	const args = [HASH, PEPE, amountRaw, minBridged, 42161n, ME] as const;
	return encodeFunctionData({abi, functionName: 'swapAndBridge', args});
}

/**
 * $25 of USDC on Arbitrum for PEPE. $24.95 meet $10,000: 0.2488 % worse than the price, which makes 24,887.9 PEPE; a pool
 * that takes 1 % gives 24,640.
 */
export function goodBuy(more: Partial<TradeTarget> = {}): TradePlan {
	const target = pepe(more);
	const request = {
		originChainId: 'evm:42161',
		destinationChainId: 'evm:8453',
		originToken: USDC,
		destinationToken: PEPE,
		amountRaw: 25_000_000n,
		decimals: 6,
		symbol: 'USDC',
		recipient: ME,
	};
	return planOf(request, target, {estimatedAmountOut: '24640', minAmountOut: '22176'});
}

/**
 * 24,750 PEPE, $24.75, for USDC on Arbitrum. The swap brings $24.5 and is bound to $22.05, of which the fees leave $24.45 and
 * $22.005.
 */
export function goodSell(more: Partial<TradeTarget> = {}): TradePlan {
	const target = pepe({side: 'sell', ...more});
	const request = {
		originChainId: 'evm:8453',
		destinationChainId: 'evm:42161',
		originToken: PEPE,
		destinationToken: USDC,
		amountRaw: 24_750n * 10n ** 18n,
		decimals: 18,
		symbol: 'PEPE',
		recipient: ME,
	};
	return planOf(request, target, {estimatedAmountOut: '24.45', minAmountOut: '22.005'});
}
