import {
	type Address,
	formatUnits,
	type Hex,
	isAddressEqual,
	isHex,
	keccak256,
	parseTransaction,
	recoverTransactionAddress,
	type TransactionSerialized,
} from 'viem';
import type {PayloadTransaction} from '../../contract/perp.ts';
import {RpcRefused} from '../../rpc/json-rpc.ts';
import type {Chain} from '../chain/chain-set.ts';
import {explainRevert} from '../chain/failure-reason.ts';
import {currentFees} from '../chain/gas.ts';
import {isKnown} from '../chain/receipt.ts';
import {fateOf} from '../chain/sender.ts';
import {Refused} from '../http-error.ts';
import {EnvelopeMismatch} from './envelope.ts';
import {COLLATERAL_DECIMALS} from './markets.ts';

/** A call for the user to sign. */
export interface UserCall {
	readonly to: Address;
	readonly callData: Hex;
}

/** The call would revert if it were sent now; the message says why, for its user. */
export class WouldRevert extends Error {}

/**
 * The fields of a transaction for the user to sign unchanged (spec 4.8). Its gas is estimated, with a fifth on top.
 * @throws WouldRevert, RpcUnanswered
 */
export async function userTransaction(
	chain: Chain,
	from: Address,
	{to, callData}: UserCall,
): Promise<PayloadTransaction> {
	try {
		const [gas, nonce, fees] = await Promise.all([
			chain.rpc.call<Hex>('eth_estimateGas', [{from, to, data: callData}]),
			chain.rpc.call<Hex>('eth_getTransactionCount', [from, 'pending']),
			currentFees(chain.rpc),
		]);
		return {
			from,
			to,
			callData,
			value: '0',
			chainId: chain.info.id,
			nonce: Number(nonce),
			gas: ((BigInt(gas) * 12n) / 10n).toString(),
			maxFeePerGas: fees.maxFeePerGas.toString(),
			maxPriorityFeePerGas: fees.maxPriorityFeePerGas.toString(),
		};
	} catch (error) {
		if (error instanceof RpcRefused) throw new WouldRevert(revertWords(chain, to, error), {cause: error});
		throw error;
	}
}

/** Why a call would revert; names missing tokens and permissions. @param to the called contract */
function revertWords({addresses}: Chain, to: Address, {data, message}: RpcRefused): string {
	if (!isHex(data)) return message;
	const {name, args = [], text} = explainRevert(data);
	const units = (raw: unknown) => `${formatUnits(raw as bigint, COLLATERAL_DECIMALS)} USDC`;
	const [have, need] = args;
	if (name === 'InsufficientAllowance')
		return `the account lets ${to} take ${units(have)} and ${units(need)} are needed: call approve of ${addresses.usdc} first`;
	if (name === 'InsufficientFunds') return `the account holds ${units(have)} and ${units(need)} are needed`;
	return `the call would revert: ${text}`;
}

/** A transaction that its user has signed, checked against the fields to sign. */
export interface CheckedTransaction {
	readonly raw: Hex;
	readonly hash: Hex;
	readonly nonce: number;
}

/**
 * Checks a signed transaction against the fields it was made from.
 * @throws EnvelopeMismatch naming the field, Refused 403 when another account signed it
 */
export async function checkTransaction(
	raw: string,
	proposed: PayloadTransaction,
	signer: Address,
): Promise<CheckedTransaction> {
	const serialized = raw as TransactionSerialized;
	const [sent, sender] = await readTransaction(serialized);
	if (sender === undefined || !isAddressEqual(sender, signer)) {
		throw new Refused(403, 'signedTx is not signed by the signer of the request');
	}
	if (proposed.from !== undefined && proposed.from.toLowerCase() !== signer.toLowerCase()) {
		throw new Refused(403, 'the payload was built for another account than the signer of the request');
	}
	const differs = (field: string) => new EnvelopeMismatch(field, `${field} of signedTx is not that of the payload`);
	if (sent.type !== 'eip1559') throw new EnvelopeMismatch('type', 'signedTx must be an EIP-1559 transaction');
	if (sent.to?.toLowerCase() !== proposed.to.toLowerCase()) throw differs('to');
	// The parser leaves out empty and zero members.
	if ((sent.data ?? '0x').toLowerCase() !== proposed.callData.toLowerCase()) throw differs('callData');
	if ((sent.value ?? 0n) !== BigInt(proposed.value ?? 0)) throw differs('value');
	for (const field of ['chainId', 'nonce', 'gas', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
		if (proposed[field] !== undefined && BigInt(sent[field] ?? 0) !== BigInt(proposed[field])) throw differs(field);
	}
	return {raw: serialized, hash: keccak256(serialized), nonce: sent.nonce ?? 0};
}

async function readTransaction(raw: TransactionSerialized) {
	try {
		const sender = await recoverTransactionAddress({serializedTransaction: raw}).catch(() => undefined);
		return [parseTransaction(raw), sender] as const;
	} catch {
		throw new EnvelopeMismatch('signedTx', 'signedTx is not a signed transaction');
	}
}

/** Whether the chain accepted a transaction: `no` is proven, `unknown` is not. */
export interface Broadcast {
	readonly taken: 'yes' | 'no' | 'unknown';
	/** The node's own text, when it refused. */
	readonly reason?: string;
}

/**
 * Sends a user's transaction once. One that is on the chain already is not sent again: the node would call that an
 * error.
 * @throws EnvelopeMismatch when its nonce leaves a gap: such a transaction would wait for ever
 */
export async function broadcast(
	chain: Chain,
	{raw, hash, nonce}: CheckedTransaction,
	from: Address,
): Promise<Broadcast> {
	if (await isKnown(chain, hash)) return {taken: 'yes'};
	const next = Number(await chain.rpc.call<Hex>('eth_getTransactionCount', [from, 'pending']));
	if (nonce > next) throw new EnvelopeMismatch('nonce', `nonce of signedTx is ${nonce}, the account's next is ${next}`);
	try {
		await chain.rpc.call('eth_sendRawTransaction', [raw]);
		return {taken: 'yes'};
	} catch (error) {
		const fate = fateOf(error);
		if (fate === 'taken') return {taken: 'yes'};
		const reason = (error as Error).message;
		if (fate === 'uncertain') return {taken: 'unknown', reason};
		// An address with several nodes behind it repeats a sending on its own, and the repetition is refused.
		const isThere = await isKnown(chain, hash).catch(() => undefined);
		if (isThere === undefined) return {taken: 'unknown', reason};
		return isThere ? {taken: 'yes'} : {taken: 'no', reason};
	}
}
