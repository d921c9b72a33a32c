import {type Address, getAddress, type Hex, isAddressEqual, maxUint256} from 'viem';
import {BRIDGE, type ExecuteBody, type Quote} from '../../contract/bridge.ts';
import {batchNonce, batchTypedData} from '../../contract/typed-data.ts';
import {chainKey} from '../chain/chains.ts';
import type {Deployment} from '../chain/deployment.ts';
import {
	type AuthorizationTuple,
	MalformedSignature,
	recoverAuthorizationSigner,
	recoverTypedDataSigner,
} from '../chain/recover.ts';
import {ExecuteRefused} from './bridge-errors.ts';
import type {Intent} from './intents.ts';
import {isSignedBy} from './quote.ts';

/** The account on the chain, now. */
export interface AccountState {
	readonly nonce: number;
	/** The contract that its code delegates to. */
	readonly delegate: Address | undefined;
}

/** Check 1: the intent was quoted gasless, for this account, from this chain, and has not expired (spec 4.4). */
export function checkQuoted(intent: Intent, body: ExecuteBody, nowMs: number): void {
	if (!intent.isGasless) throw new ExecuteRefused('not-gasless', 'The intent was not quoted as gasless');
	if (intent.authority.toLowerCase() !== body.authority.toLowerCase()) {
		throw new ExecuteRefused('wrong-authority', 'The intent was quoted for another account than authority');
	}
	if (body.originChainId !== chainKey(intent.originChainId)) {
		throw new ExecuteRefused('wrong-origin', 'originChainId is not the origin chain of the quote');
	}
	if (intent.expiresAtMs <= nowMs)
		throw new ExecuteRefused('expired-quote', 'The quote has expired: request a new one');
	if (body.gasToken.toLowerCase() !== intent.originToken.toLowerCase()) {
		throw new ExecuteRefused('wrong-gas-token', 'gasToken is not the origin token of the quote');
	}
	if (BigInt(body.minBalance) < intent.amountRaw) {
		throw new ExecuteRefused('low-min-balance', 'minBalance is less than the deposit of the quote');
	}
}

/** Check 2: every call goes to the origin token, the swap helper or the bridge, and is the quote's step (spec 4.4). */
export function checkCalls(intent: Intent, body: ExecuteBody, {bridge, swapBridge}: Deployment): void {
	const allowed = [intent.originToken, swapBridge, bridge];
	for (const [i, {to}] of body.calls.entries()) {
		if (allowed.some(address => isAddressEqual(address, to as Address))) continue;
		throw new ExecuteRefused(
			'call-out-of-scope',
			`calls[${i}].to is neither the origin token, the swap helper nor the bridge`,
		);
	}
	const {steps = []} = JSON.parse(intent.quote) as Quote;
	const isStep = (call: ExecuteBody['calls'][number], i: number) =>
		steps[i] !== undefined &&
		steps[i].tx.to.toLowerCase() === call.to.toLowerCase() &&
		steps[i].tx.data.toLowerCase() === call.data.toLowerCase();
	if (body.calls.length !== steps.length || !body.calls.every(isStep)) {
		throw new ExecuteRefused('call-not-quoted', "calls are not the quote's steps, one to one and in order");
	}
	const last = steps.at(-1)?.type;
	if (body.entrypoint !== undefined && body.entrypoint !== last) {
		throw new ExecuteRefused('wrong-entrypoint', `entrypoint is not the quote's last step, ${last}`);
	}
}

/** Check 3: no call carries native value (spec 4.4). */
export function checkValues({calls}: ExecuteBody): void {
	const at = calls.findIndex(({value}) => BigInt(value) !== 0n);
	if (at >= 0) throw new ExecuteRefused('native-value', `calls[${at}].value must be 0`);
}

/** Check 4: the intent's own lane at its start, a deadline in the future, at most four calls (spec 4.4). */
export function checkBatch({intentId}: Intent, body: ExecuteBody, nowMs: number): void {
	if (body.calls.length > BRIDGE.maxCalls) {
		throw new ExecuteRefused(
			'too-many-calls',
			`calls has ${body.calls.length} entries, at most ${BRIDGE.maxCalls} are allowed`,
		);
	}
	if (BigInt(body.batchNonce) !== batchNonce(intentId)) {
		throw new ExecuteRefused('wrong-lane', "batchNonce is not the intent's lane at sequence 0");
	}
	if (BigInt(body.deadline) * 1000n <= BigInt(nowMs)) {
		throw new ExecuteRefused('expired-deadline', 'deadline is not in the future');
	}
}

/** Check 5, first half: authority signed the batch, and the intent when its signature is given (spec 4.4). */
export function checkBatchSignature(intent: Intent, body: ExecuteBody, {bridge}: Deployment): void {
	let signer: Address | undefined;
	try {
		// Nobody can have signed a number that no contract takes.
		if (isUint256(body.deadline) && isUint256(body.minBalance)) {
			const batch = batchTypedData(body);
			signer = recoverTypedDataSigner(batch, body.batchSignature);
		}
	} catch (error) {
		if (!(error instanceof MalformedSignature)) throw error;
	}
	if (signer !== intent.authority) {
		throw new ExecuteRefused('bad-batch-signature', 'batchSignature does not recover to authority');
	}
	if (body.signature !== undefined && !isSignedBy(intent, bridge, body.signature)) {
		throw new ExecuteRefused('bad-intent-signature', 'signature is not the bridge-intent signature of authority');
	}
}

function isUint256(text: string): boolean {
	return BigInt(text) <= maxUint256;
}

/**
 * Check 5, second half: the authorization is given exactly when it is needed, by authority, for the executor, on this
 * chain, with the account's current nonce. A node would accept a wrong one and silently do nothing (spec 4.4).
 */
export function checkAuthorization(
	intent: Intent,
	list: ExecuteBody['authorizationList'],
	{batchExecutor}: Deployment,
	account: AccountState,
): void {
	const isDelegated = account.delegate !== undefined && isAddressEqual(account.delegate, batchExecutor);
	const tuple = list?.[0];
	if (tuple === undefined) {
		if (isDelegated) return;
		throw new ExecuteRefused(
			'authorization-missing',
			'authorizationList is empty, but the account is not delegated to the executor',
		);
	}
	if (isDelegated) {
		throw new ExecuteRefused(
			'authorization-needless',
			'authorizationList must be empty: the account is delegated to the executor',
		);
	}
	if (tuple.chainId === 0) {
		throw new ExecuteRefused(
			'authorization-wildcard',
			'the authorization is for every chain (chainId 0), which is refused',
		);
	}
	if (tuple.chainId !== intent.originChainId) {
		throw new ExecuteRefused('authorization-wrong-chain', 'the authorization is for another chain than the origin');
	}
	if (!isAddressEqual(tuple.address as Address, batchExecutor)) {
		throw new ExecuteRefused(
			'authorization-wrong-delegate',
			"the authorization does not delegate to the chain's batch executor",
		);
	}
	if (signerOf(tuple as AuthorizationTuple) !== intent.authority) {
		throw new ExecuteRefused('authorization-wrong-signer', 'the authorization is not signed by authority');
	}
	if (tuple.nonce !== account.nonce) {
		throw new ExecuteRefused(
			'authorization-wrong-nonce',
			`the authorization has nonce ${tuple.nonce}, the account's is ${account.nonce}`,
		);
	}
}

function signerOf(tuple: AuthorizationTuple): Address {
	try {
		return recoverAuthorizationSigner(tuple);
	} catch (error) {
		if (error instanceof MalformedSignature) {
			throw new ExecuteRefused('bad-authorization', `the authorization's signature is malformed: ${error.why}`);
		}
		throw error;
	}
}

/** The calls of a body for the executor's ABI, whatever the case of their addresses. */
export function callsOf({calls}: ExecuteBody): {to: Address; value: bigint; data: Hex}[] {
	return calls.map(({to, value, data}) => ({to: getAddress(to), value: BigInt(value), data: data as Hex}));
}
