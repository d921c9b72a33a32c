import {type Address, encodeFunctionData} from 'viem';
import * as z from 'zod';
import {evmChainNumber} from '../../chains/chains.ts';
import {type PerpAction, type PerpExecuteResponse, payloadTransactionSchema} from '../../contract/perp.ts';
import {Token} from '../chain/artifacts.generated.ts';
import type {Chain} from '../chain/chain-set.ts';
import {SendUncertain} from '../chain/sender.ts';
import {Refused} from '../http-error.ts';
import {StoreFailed} from '../store/database.ts';
import {DEX_A_CHAIN, isDexACall} from './dex-a.ts';
import {DexBRefused} from './dex-b.ts';
import {executeOnBooks} from './dex-b-execute.ts';
import {treasuryOf} from './dex-b-payloads.ts';
import {executeWithdrawal} from './dex-b-withdrawal.ts';
import {EnvelopeMismatch} from './envelope.ts';
import type {Execution, PerpExecuteDependencies} from './execution.ts';
import {readPayload} from './payload-reading.ts';
import {type Answered, endOf, responseOf} from './process-response.ts';
import {broadcast, type CheckedTransaction, checkTransaction} from './user-transaction.ts';

/**
 * Carries out a payload (spec 4.9, contract gaps 5.3).
 * @throws EnvelopeMismatch and Refused 400 with the reason, Refused 403 for the payload of another account than the
 *   signer's
 */
export async function executePayload(
	dependencies: PerpExecuteDependencies,
	execution: Execution,
): Promise<PerpExecuteResponse> {
	const {body} = execution;
	try {
		if (body.dex === 'dexA') return await executeDexA(dependencies, execution);
		if (body.action === 'deposit') return await executeDeposit(dependencies, execution);
		if (body.transport !== 'offchain-api')
			throw new EnvelopeMismatch('transport', 'transport of this action is offchain-api');
		if (body.action === 'withdraw') return await executeWithdrawal(dependencies, execution);
		return {
			success: true,
			data: {success: true, executionDetails: [await executeOnBooks(dependencies.dexB, execution)]},
		};
	} catch (error) {
		if (error instanceof DexBRefused) throw new Refused(400, `the exchange refused: ${error.message}`);
		throw error;
	}
}

async function executeDexA(
	dependencies: PerpExecuteDependencies,
	{body, content, signer}: Execution,
): Promise<PerpExecuteResponse> {
	const {action} = body;
	if (body.transport !== 'evm-tx') throw new EnvelopeMismatch('transport', 'transport of dexA is evm-tx');
	if (evmChainNumber(body.chainId) !== DEX_A_CHAIN) throw new EnvelopeMismatch('chainId', 'dexA is on another chain');
	if (body.signedTx === undefined) throw new EnvelopeMismatch('signedTx', 'signedTx is required for evm-tx');
	const chain = await dependencies.chains.ready(DEX_A_CHAIN);
	const proposed = readPayload(payloadTransactionSchema(), content.payload['data'], 'payload.data');
	if (!isDexACall(chain, action, proposed.to, proposed.callData)) {
		throw new EnvelopeMismatch('callData', `payload.data is not a call of ${action} on dexA`);
	}
	const transaction = await checkTransaction(body.signedTx, proposed, signer);
	const process = await runTransaction(dependencies, chain, {action, signer, transaction, amountRaw: null});
	const orderId = BigInt(`0x${proposed.callData.slice(10, 74) || '0'}`).toString();
	const type = String(content.payload['orderType'] ?? 'order');
	const orderStatuses = action === 'cancel-order' ? [{orderId, status: 'cancelled', type}] : undefined;
	return responseOf(process, orderStatuses);
}

const DEPOSIT_PAYLOAD = z.looseObject({
	steps: z.tuple([
		z.looseObject({items: z.tuple([z.looseObject({data: z.looseObject({to: z.string(), data: z.string()})})])}),
	]),
	route: z.looseObject({originChainId: z.string(), amountRaw: z.string().regex(/^\d{1,40}$/)}),
	signedTxs: z.tuple([z.string().regex(/^0x([0-9a-fA-F]{2})+$/)]),
});

/** The user's transfer to the exchange; the account is credited when it is mined. */
async function executeDeposit(
	dependencies: PerpExecuteDependencies,
	{body, content, signer}: Execution,
): Promise<PerpExecuteResponse> {
	if (body.transport !== 'evm-tx') throw new EnvelopeMismatch('transport', 'transport of a deposit is evm-tx');
	if (body.signedTx !== undefined) {
		throw new EnvelopeMismatch('signedTx', 'a deposit carries its transactions in payload.signedTxs');
	}
	const {steps, route, signedTxs} = readPayload(DEPOSIT_PAYLOAD, content.payload, 'payload');
	const originId = evmChainNumber(route.originChainId);
	if (originId === undefined) throw new EnvelopeMismatch('originChainId', 'originChainId is no EVM chain');
	const chain = await dependencies.chains.ready(originId);
	if (chain.kind !== 'embedded') throw new DexBRefused('it is for practice chains');
	const [{data: item}] = steps[0].items;
	const amountRaw = BigInt(route.amountRaw);
	const callData = encodeFunctionData({abi: Token.abi, functionName: 'transfer', args: [treasuryOf(chain), amountRaw]});
	if (
		item.to.toLowerCase() !== chain.addresses.usdc.toLowerCase() ||
		item.data.toLowerCase() !== callData.toLowerCase()
	) {
		throw new EnvelopeMismatch('data', 'the route is not a transfer of the stablecoin to the exchange');
	}
	const proposed = readPayload(payloadTransactionSchema(), {...item, callData}, 'payload.steps');
	const transaction = await checkTransaction(signedTxs[0], proposed, signer);
	return responseOf(await runTransaction(dependencies, chain, {action: 'deposit', signer, transaction, amountRaw}));
}

const NOT_SENT = 'it was not sent';

/** Sends a user's transaction and waits a while for its end. @throws Refused 400 when it was not sent or has failed */
async function runTransaction(
	{processes, waitMs}: PerpExecuteDependencies,
	chain: Chain,
	run: {action: PerpAction; signer: Address; transaction: CheckedTransaction; amountRaw: bigint | null},
): Promise<Answered> {
	const {action, signer, transaction, amountRaw} = run;
	const {hash, nonce, raw} = transaction;
	const {instance, info} = chain;
	const processId = await processes.begin({action, wallet: signer, chainId: info.id, instance, amountRaw});
	const itsEnd = () => endOf(processes, {processId, action, txHash: hash}, waitMs);
	try {
		await processes.sending(processId, {hash, nonce, sentBy: signer, raw});
	} catch (error) {
		if (error instanceof SendUncertain) return itsEnd();
		// Where the store is away as well, it is ended later: nothing can be sent, since nothing is stored.
		await processes.notSent(processId, NOT_SENT).catch(() => {});
		throw error;
	}
	const sent = await broadcast(chain, transaction, signer).catch((error: unknown) => ({taken: 'no', error}) as const);
	if (sent.taken === 'no') {
		const reason = 'error' in sent ? NOT_SENT : (sent.reason ?? NOT_SENT);
		// Another replica may have taken the work over and sent the transaction, or may still send it when the end could not be written.
		if (!(await processes.notSent(processId, reason).catch(ignoreStore))) return itsEnd();
		throw 'error' in sent ? sent.error : new Refused(400, `the transaction was not sent: ${reason}`);
	}
	return itsEnd();
}

/** @throws what is no failure of the store */
function ignoreStore(error: unknown): false {
	if (error instanceof StoreFailed) return false;
	throw error;
}
