import {type Address, encodeFunctionData, type Hex, isAddressEqual} from 'viem';
import * as z from 'zod';
import {
	type PayloadContent,
	type PerpAction,
	type PerpExecuteAnswer,
	type PerpExecuteBody,
	payloadTransactionSchema,
} from '../../contract/perp.ts';
import {Token} from '../chain/artifacts.generated.ts';
import type {Chain, ChainSet} from '../chain/chain-set.ts';
import {chainIdOf} from '../chain/chains.ts';
import {recoverMessageSigner} from '../chain/recover.ts';
import {SendRejected, SendUncertain} from '../chain/sender.ts';
import {Refused} from '../http-error.ts';
import type {Database} from '../store/database.ts';
import {treasuryOf} from './build.ts';
import {DEX_A_CHAIN, isDexACall} from './dex-a.ts';
import {type DexB, DexBRefused} from './dex-b.ts';
import {accountMessage, withdrawalMessage} from './dex-b-messages.ts';
import {EnvelopeMismatch} from './envelope.ts';
import {perpMarket} from './markets.ts';
import type {PerpProcess, Processes} from './processes.ts';
import {broadcast, type CheckedTransaction, checkTransaction} from './user-transaction.ts';

export interface PerpExecuteDependencies {
	readonly chains: ChainSet;
	readonly dexB: DexB;
	readonly processes: Processes;
	readonly database: Database;
	/** How long an answer waits for the chain before it names a process instead. */
	readonly waitMs: number;
}

/** What is executed: the envelope, opened, and by whom. */
export interface Execution {
	readonly body: PerpExecuteBody;
	readonly content: PayloadContent;
	readonly signer: Address;
}

type OrderStatus = {readonly orderId: string; readonly status: string; readonly type: string};

/** dexB takes withdrawals to this chain. */
const WITHDRAWAL_CHAIN = 42161;
const WITHDRAWAL_GAS = 150_000n;

/**
 * Carries out a payload (spec 4.9, contract gaps 5.3).
 * @throws EnvelopeMismatch and Refused 400 with the reason, Refused 403 when another account than the signer is meant
 */
export async function executePayload(
	dependencies: PerpExecuteDependencies,
	execution: Execution,
): Promise<PerpExecuteAnswer> {
	const {body} = execution;
	try {
		if (body.dex === 'dexA') return await executeDexA(dependencies, execution);
		if (body.action === 'deposit') return await executeDeposit(dependencies, execution);
		if (body.transport !== 'offchain-api')
			throw new EnvelopeMismatch('transport', 'transport of this action is offchain-api');
		if (body.action === 'withdraw') return await executeWithdrawal(dependencies, execution);
		return {success: true, data: {success: true, executionDetails: [executeOffchain(dependencies.dexB, execution)]}};
	} catch (error) {
		if (error instanceof DexBRefused) throw new Refused(400, `the exchange refused: ${error.message}`);
		throw error;
	}
}

async function executeDexA(
	dependencies: PerpExecuteDependencies,
	{body, content, signer}: Execution,
): Promise<PerpExecuteAnswer> {
	const {action} = body;
	if (body.transport !== 'evm-tx') throw new EnvelopeMismatch('transport', 'transport of dexA is evm-tx');
	if (chainIdOf(body.chainId) !== DEX_A_CHAIN) throw new EnvelopeMismatch('chainId', 'dexA is on another chain');
	if (body.signedTx === undefined) throw new EnvelopeMismatch('signedTx', 'signedTx is required for evm-tx');
	const chain = await dependencies.chains.ready(DEX_A_CHAIN);
	const wanted = read(payloadTransactionSchema(), content.payload['data'], 'payload.data');
	if (!isDexACall(chain, action, wanted.to, wanted.callData)) {
		throw new EnvelopeMismatch('callData', `payload.data is not a call of ${action} on dexA`);
	}
	const transaction = await checkTransaction(body.signedTx, wanted, signer);
	const process = await runTransaction(dependencies, chain, {action, signer, transaction, amountRaw: null});
	const orderId = BigInt(`0x${wanted.callData.slice(10, 74) || '0'}`).toString();
	const type = String(content.payload['orderType'] ?? 'order');
	const orderStatuses = action === 'cancel-order' ? [{orderId, status: 'cancelled', type}] : undefined;
	return answerOf(process, orderStatuses);
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
): Promise<PerpExecuteAnswer> {
	if (body.transport !== 'evm-tx') throw new EnvelopeMismatch('transport', 'transport of a deposit is evm-tx');
	if (body.signedTx !== undefined) {
		throw new EnvelopeMismatch('signedTx', 'a deposit carries its transactions in payload.signedTxs');
	}
	const {steps, route, signedTxs} = read(DEPOSIT_PAYLOAD, content.payload, 'payload');
	const originId = chainIdOf(route.originChainId);
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
	const wanted = read(payloadTransactionSchema(), {...item, callData}, 'payload.steps');
	const transaction = await checkTransaction(signedTxs[0], wanted, signer);
	return answerOf(await runTransaction(dependencies, chain, {action: 'deposit', signer, transaction, amountRaw}));
}

/** Sends a user's transaction and waits a while for its end. @throws Refused 400 when it was not taken or has failed */
async function runTransaction(
	{processes, waitMs}: PerpExecuteDependencies,
	chain: Chain,
	run: {action: PerpAction; signer: Address; transaction: CheckedTransaction; amountRaw: bigint | null},
): Promise<PerpProcess> {
	const {action, signer, transaction, amountRaw} = run;
	const {hash, nonce} = transaction;
	const {instance, info} = chain;
	const processId = processes.begin({action, wallet: signer, chainId: info.id, instance, amountRaw});
	processes.sending(processId, {hash, nonce, sentBy: signer});
	let sent: Awaited<ReturnType<typeof broadcast>>;
	try {
		sent = await broadcast(chain, transaction, signer);
	} catch (error) {
		processes.notSent(processId, 'it was not sent');
		throw error;
	}
	if (sent.taken === 'no') {
		processes.notSent(processId, sent.words ?? 'it was not sent');
		throw new Refused(400, `the transaction was not sent: ${sent.words}`);
	}
	return ended(await processes.awaitEnd(processId, waitMs));
}

/** @throws Refused 400 with the words of the revert */
function ended(process: PerpProcess): PerpProcess {
	if (process.status === 'failed') throw new Refused(400, `the execution failed: ${process.errorMessage}`);
	return process;
}

function answerOf(process: PerpProcess, orderStatuses?: OrderStatus[]): PerpExecuteAnswer {
	const {action: type, txHash, processId} = process;
	const isRunning = process.status === 'pending';
	const detail = {
		txHash,
		type,
		status: isRunning ? 'pending' : 'success',
		...(orderStatuses && !isRunning ? {orderStatuses} : {}),
	};
	return {success: true, data: {success: true, executionDetails: [detail], ...(isRunning ? {processId} : {})}};
}

const L1_SIGNATURE = z.string().regex(/^0x[0-9a-fA-F]{130}$/);
const WITHDRAWAL = z.looseObject({
	accountIndex: z.int(),
	amountRaw: z.string().regex(/^\d{1,40}$/),
	to: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
	number: z.int().min(0),
	L1Sig: L1_SIGNATURE,
});

/** The balance goes down before the money leaves; what was certainly not sent is put back. */
async function executeWithdrawal(
	dependencies: PerpExecuteDependencies,
	{content, signer}: Execution,
): Promise<PerpExecuteAnswer> {
	const {dexB, processes, chains, waitMs, database} = dependencies;
	const {L1Sig, ...fields} = read(WITHDRAWAL, content.payload, 'payload');
	if (!isAddressEqual(fields.to as Address, signer))
		throw new Refused(403, 'the payload was built for another account than the signer of the request');
	checkL1Signature(withdrawalMessage(fields), L1Sig, signer);
	if (fields.accountIndex !== dexB.registered(signer).accountIndex)
		throw new DexBRefused('the account has another index');
	const chain = await chains.ready(WITHDRAWAL_CHAIN);
	if (chain.kind !== 'embedded') throw new DexBRefused('it is for practice chains');
	const amountRaw = BigInt(fields.amountRaw);
	const {instance, info} = chain;
	const processId = database.transaction(() => {
		dexB.withdraw(signer, amountRaw, fields.number);
		return processes.begin({action: 'withdraw', wallet: signer, chainId: info.id, instance, amountRaw});
	});
	const keeper = chain.sender('keeper');
	const data = encodeFunctionData({abi: Token.abi, functionName: 'transfer', args: [signer, amountRaw]});
	try {
		const outgoing = {to: chain.addresses.usdc, data, gas: WITHDRAWAL_GAS};
		await keeper.send(outgoing, ({hash, nonce}) => processes.sending(processId, {hash, nonce, sentBy: keeper.address}));
	} catch (error) {
		if (!(error instanceof SendUncertain)) processes.notSent(processId, 'it was not sent');
		if (error instanceof SendRejected) throw new Refused(502, `the withdrawal was not sent: ${error.why}`);
		if (!(error instanceof SendUncertain)) throw error;
	}
	return answerOf(ended(await processes.awaitEnd(processId, waitMs)));
}

const ACCOUNT = z.looseObject({
	accountIndex: z.int(),
	apiKeyIndex: z.int().min(0),
	wallet: z.string(),
	L1Sig: L1_SIGNATURE,
});
const INDEX = z.string().regex(/^\d{1,15}$/);
const RAW = z.string().regex(/^-?\d{1,40}$/);
const ORDER = z.looseObject({
	orderType: z.enum(['market', 'limit', 'stop_limit']),
	long: z.boolean(),
	collateralRaw: RAW,
	leverageX100: z.int(),
	price: RAW,
	tp: RAW,
	sl: RAW,
});

type Detail = {txHash: null; type: string; status: string; orderStatuses?: OrderStatus[]};

/** An action on dexB's books: done when this returns. @throws DexBRefused */
function executeOffchain(dexB: DexB, {body, content, signer}: Execution): Detail {
	const {payload, action} = {payload: content.payload, action: body.action};
	const done = (orderStatuses?: OrderStatus[]): Detail => ({
		txHash: null,
		type: action,
		status: 'success',
		...(orderStatuses ? {orderStatuses} : {}),
	});
	if (action === 'create-account') {
		const {L1Sig, ...fields} = read(ACCOUNT, payload, 'payload');
		checkL1Signature(accountMessage({...fields, wallet: signer}), L1Sig, signer);
		if (dexB.account(signer)?.accountIndex !== fields.accountIndex)
			throw new DexBRefused('the account has another index');
		dexB.register(signer, fields.apiKeyIndex);
		return done();
	}
	const {accountIndex} = read(z.looseObject({accountIndex: z.int()}), payload, 'payload');
	if (dexB.registered(signer).accountIndex !== accountIndex) {
		throw new Refused(403, 'the payload was built for another account than the signer of the request');
	}
	const position = () => Number(read(z.looseObject({positionId: INDEX}), payload, 'payload').positionId);
	switch (action) {
		case 'cancel-order': {
			const {orderIndex} = read(z.looseObject({orderIndex: INDEX}), payload, 'payload');
			dexB.cancel(signer, body.marketId ?? '', Number(orderIndex));
			return done([{orderId: orderIndex, status: 'cancelled', type: 'order'}]);
		}
		case 'create-order': {
			const order = read(ORDER, payload, 'payload');
			const market = perpMarket(body.marketId ?? '');
			if (market === undefined) throw new DexBRefused('there is no such market');
			const {tradeIndex, stage} = dexB.place(signer, {
				market,
				kind: ({market: 'market', limit: 'limit', stop_limit: 'stop'} as const)[order.orderType],
				isLong: order.long,
				collateralRaw: BigInt(order.collateralRaw),
				leverageX100: order.leverageX100,
				price: BigInt(order.price),
				takeProfit: BigInt(order.tp),
				stopLoss: BigInt(order.sl),
			});
			return done([
				{orderId: String(tradeIndex), status: stage === 'position' ? 'filled' : 'open', type: order.orderType},
			]);
		}
		case 'close-position': {
			const {shareBps} = read(z.looseObject({shareBps: z.string().regex(/^\d{1,5}$/)}), payload, 'payload');
			if (BigInt(shareBps) === 0n || BigInt(shareBps) > 10_000n) throw new DexBRefused('there is no such part');
			const {stage} = dexB.close(signer, position(), BigInt(shareBps));
			return done([{orderId: String(position()), status: stage === 'closed' ? 'closed' : 'reduced', type: 'position'}]);
		}
		case 'edit-order': {
			const {tp, sl} = read(z.looseObject({tp: RAW, sl: RAW}), payload, 'payload');
			dexB.edit(signer, position(), {takeProfit: BigInt(tp), stopLoss: BigInt(sl)});
			return done();
		}
		case 'update-margin': {
			const {changeRaw} = read(z.looseObject({changeRaw: RAW}), payload, 'payload');
			dexB.moveMargin(signer, position(), BigInt(changeRaw));
			return done();
		}
		default:
			throw new EnvelopeMismatch('action', `${action} is no action of dexB's books`);
	}
}

/** The owner's own word to the exchange, beside the request's signature. */
function checkL1Signature(text: string, signature: string, owner: Address): void {
	if (recoverMessageSigner(text, signature as Hex) !== owner) {
		throw new Refused(403, 'L1Sig is not the signature of the account over its message');
	}
}

function read<S extends z.ZodType>(schema: S, value: unknown, name: string): z.output<S> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const at = result.error.issues[0]?.path.map(String).join('.') ?? '';
	throw new EnvelopeMismatch(name, `${name}${at && `.${at}`} is not as it was built`);
}
