import {encodeFunctionData, type Hex, parseAbi} from 'viem';
import {generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount} from 'viem/accounts';
import type {Call} from '../../../source/client/http/call.ts';
import type {Envelope, PerpAction} from '../../../source/contract/perp.ts';
import {WAITING_ORDER} from '../../../source/trading/perp/practice-order.ts';

/** The body of a waiting order on one exchange. */
export const waitingOrder = (dex: 'dexA' | 'dexB', more = {}) => ({...WAITING_ORDER, dexes: [dex], ...more});

/**
 * A user of the perp endpoints with viem alone, as their documents say: makes the orders that the cancel flow is tried on. Shares
 * no signing code with the product.
 */
export class Trader {
	readonly account: PrivateKeyAccount;
	readonly #call: Call;
	#timestamp = 0;

	constructor(call: Call, key: Hex = generatePrivateKey()) {
		this.account = privateKeyToAccount(key);
		this.#call = call;
	}

	/** Builds a payload and executes it, with what its transport asks for. */
	async act(
		action: PerpAction,
		id: 'perpCreateOrder' | 'perpDeposit' | 'perpCreateAccount',
		body: Record<string, unknown>,
	): Promise<void> {
		const {data: envelope} = await this.#call(id, {
			body: {...body, ...(await this.#signed(`api/2/perp/payloads/${action}`))},
		} as never);
		const {payloadStr, signedTx} = await this.#finish(envelope as Envelope);
		const {timestamp, signature} = await this.#signed('api/2/perp/execute-v2', payloadStr);
		const sent = {...(envelope as Envelope), payloadStr, timestamp, signature, ...(signedTx ? {signedTx} : {})};
		const response = await this.#call('perpExecute', {body: sent} as never);
		if (response.data?.processId === undefined) return;
		for (;;) {
			const {status, errorMessage} = await this.#call('perpCheckProcess', {
				query: {processId: response.data.processId},
			});
			if (status === 'settled') return;
			if (status === 'failed') throw new Error(errorMessage);
		}
	}

	async #signed(path: string, tail?: string): Promise<{timestamp: number; signature: Hex}> {
		this.#timestamp = Math.max(Date.now(), this.#timestamp + 1);
		const text = tail === undefined ? `${path}-${this.#timestamp}` : `${path}-${this.#timestamp}-${tail}`;
		return {timestamp: this.#timestamp, signature: await this.account.signMessage({message: text})};
	}

	/** What the client adds before execute (spec 4.8, contract gaps 5.2). */
	async #finish({payloadStr, transport, action}: Envelope): Promise<{payloadStr: string; signedTx?: Hex}> {
		const content = JSON.parse(payloadStr) as {payload: Record<string, unknown>};
		const {payload} = content;
		if (typeof payload['MessageToSign'] === 'string') {
			payload['L1Sig'] = await this.account.signMessage({message: payload['MessageToSign']});
			delete payload['MessageToSign'];
			return {payloadStr: JSON.stringify(content)};
		}
		if (transport !== 'evm-tx') return {payloadStr};
		if (action !== 'deposit') return {payloadStr, signedTx: await this.#sign(payload['data'] as Tx)};
		const [step] = payload['steps'] as {items: {data: Tx}[]}[];
		payload['signedTxs'] = await Promise.all(
			step!.items.map(({data}) => this.#sign({...data, nonce: data.nonce ?? this.nonce})),
		);
		return {payloadStr: JSON.stringify(content)};
	}

	/** For payloads that leave the nonce to the client. */
	nonce = 0;

	#sign({to, callData, data, chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas}: Tx): Promise<Hex> {
		return this.account.signTransaction({
			type: 'eip1559',
			to,
			data: (callData ?? data)!,
			value: 0n,
			chainId: Number(chainId),
			nonce: Number(nonce),
			gas: BigInt(gas),
			maxFeePerGas: BigInt(maxFeePerGas),
			maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
		});
	}

	/** A transaction of its own: an approval, for the exchange to take the collateral. */
	async approval(token: Hex, spender: Hex, nonce: number): Promise<Hex> {
		const abi = parseAbi(['function approve(address spender, uint256 amount)']);
		const data = encodeFunctionData({abi, functionName: 'approve', args: [spender, 10n ** 12n]});
		return this.#sign({
			to: token,
			data,
			chainId: 42161,
			nonce,
			gas: 100_000,
			maxFeePerGas: 5_000_000_000,
			maxPriorityFeePerGas: 1,
		});
	}
}

interface Tx {
	readonly to: Hex;
	readonly callData?: Hex;
	readonly data?: Hex;
	readonly chainId: number | string;
	readonly nonce?: number | string;
	readonly gas: number | string;
	readonly maxFeePerGas: number | string;
	readonly maxPriorityFeePerGas: number | string;
}
