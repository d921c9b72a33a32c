import {setTimeout as sleep} from 'node:timers/promises';
import type {Address, Hex} from 'viem';
import {encodeFunctionData, parseAbi} from 'viem/utils';
import type {Client} from '../../client/client.ts';
import {NEUTRAL_PROVIDER} from '../../contract/provider.ts';
import type {Trading} from '../open-trading.ts';
import {
	fundPracticeWallet,
	listPracticeChains,
	PracticeFailed,
	type PracticeService,
	sendPracticeTransaction,
} from '../practice-funds.ts';
import {openEnvelope} from './envelope.ts';
import {transactionIn} from './transaction.ts';

/** The chain of dexA. */
const CHAIN = 'evm:42161';
const COLLATERAL_RAW = 100_000_000n;
/** A limit order far below the price, so that it waits; without the exchange. */
export const WAITING_ORDER = {
	baseToken: 'ETH',
	quote: 'USD',
	leverage: 5,
	long: true,
	reduceOnly: false,
	collateralAmount: 50,
	orderType: 'limit',
	openPrice: 1000,
};
const ORDER = {...WAITING_ORDER, tp: 5000, sl: 500, dexes: ['dexA']};

const ABI = parseAbi(['function approve(address spender, uint256 amount)']);
/** Practice chains have no market for gas. */
const GAS = {gas: 100_000n, maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1n} as const;
const MINED_MS = 10_000;

/**
 * Places a waiting order with a take-profit and a stop-loss for the practice wallet, with test money, so that there is
 * something to cancel. Goes the way of the API: payload, transaction, execute (spec 4.8, 4.9).
 * @throws PracticeFailed; never does anything in real mode
 */
export async function placePracticeOrder(
	trading: Trading,
	{call, clock}: Pick<Client, 'call' | 'clock'>,
	service: PracticeService,
): Promise<void> {
	const {signer} = trading;
	const address = signer?.state.address;
	if (trading.mode !== 'practice' || !signer || address === undefined)
		throw new PracticeFailed('there is no practice wallet');
	const chain = (await listPracticeChains(service)).find(({chainId}) => chainId === CHAIN);
	const [usdc, exchange] = [chain?.contracts['usdc'], chain?.contracts['perpExchange']];
	if (usdc === undefined || exchange === undefined) throw new PracticeFailed('the practice exchange does not run');
	await fundPracticeWallet({...service, chainId: CHAIN, address});
	await fundPracticeWallet({...service, chainId: CHAIN, address, token: usdc});

	const {nonce} = await trading.chains.account(CHAIN, address);
	const data = encodeFunctionData({abi: ABI, functionName: 'approve', args: [exchange as Address, COLLATERAL_RAW]});
	const approval = await signer.signTransaction(
		{chainId: 42161, to: usdc as Address, data, valueRaw: 0n, nonce, ...GAS},
		`practice approval ${nonce}`,
	);
	await sendPracticeTransaction(service, CHAIN, approval.raw);
	const deadline = performance.now() + MINED_MS;
	while ((await trading.chains.account(CHAIN, address)).nonce === nonce) {
		if (performance.now() > deadline) throw new PracticeFailed('the approval was not mined');
		await sleep(50);
	}

	const requestedMs = Math.floor(clock.nowMs());
	const request = await signer.signPersonal({kind: 'perp-payload', action: 'create-order', timestampMs: requestedMs});
	const {data: envelope} = await call('perpCreateOrder', {
		body: {...ORDER, timestamp: requestedMs, signature: request.signature},
	} as Parameters<typeof call<'perpCreateOrder'>>[1]);
	const tx = transactionIn(
		openEnvelope(
			envelope,
			{action: 'create-order', dex: 'dexA', chainId: CHAIN, marketId: envelope.marketId ?? ''},
			NEUTRAL_PROVIDER,
		),
	);
	const signed = await signer.signTransaction(
		{
			chainId: 42161,
			to: tx.to,
			data: tx.data,
			valueRaw: tx.valueRaw,
			nonce: Number(tx.nonce ?? nonce + 1),
			gas: tx.gas ?? 400_000n,
			maxFeePerGas: tx.maxFeePerGas ?? GAS.maxFeePerGas,
			maxPriorityFeePerGas: tx.maxPriorityFeePerGas ?? 1n,
		},
		`practice order ${nonce}`,
	);
	const sentMs = Math.max(Math.floor(clock.nowMs()), requestedMs + 1);
	const {payloadStr, action, dex, chainId, marketId, transport} = envelope;
	const {signature} = await signer.signPersonal({kind: 'perp-execute', timestampMs: sentMs, payloadStr});
	await call('perpExecute', {
		body: {
			action,
			dex,
			chainId,
			transport,
			payloadStr,
			timestamp: sentMs,
			signature,
			signedTx: signed.raw as Hex,
			...(marketId !== undefined && {marketId}),
		},
	} as Parameters<typeof call<'perpExecute'>>[1]);
}
