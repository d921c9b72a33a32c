import type {Hex} from 'viem';
import {encodeFunctionData} from 'viem';
import type {PrivateKeyAccount} from 'viem/accounts';
import type {Envelope} from '../../../source/contract/perp.ts';
import {Token} from '../../../source/service/chain/artifacts.generated.ts';
import {newUser, waitFor} from '../chain/practice.ts';
import {type Answer, ask} from '../helpers/http-client.ts';

export interface Service {
	readonly url: string;
	readonly apiKeys: readonly string[];
}

interface TransactionFields {
	readonly to: Hex;
	readonly callData?: Hex;
	readonly data?: Hex;
	readonly value?: string;
	readonly chainId: number;
	readonly nonce?: number;
	readonly gas: string;
	readonly maxFeePerGas: string;
	readonly maxPriorityFeePerGas: string;
}

/** A trader who uses the service by HTTP only. Every text is signed as spec 5 spells it. */
export async function traderOf(service: Service, {funded = true, user = newUser() as PrivateKeyAccount} = {}) {
	const post = (path: string, body: unknown): Promise<Answer> => ask(service as never, 'POST', path, {body});
	const get = (path: string): Promise<Answer> => ask(service as never, 'GET', path);
	const chains = (await get('/dev/chains')).json.data as {chainId: string; contracts: Record<string, Hex>}[];
	const contracts = chains.find(({chainId}) => chainId === 'evm:42161')!.contracts;
	const rpc = async (method: string, params: unknown[]) => {
		const {result, error} = (await post('/dev/rpc/evm:42161', {jsonrpc: '2.0', id: 1, method, params})).json;
		if (error) throw new Error(error.message);
		return result;
	};
	const receiptOf = (hash: string) => waitFor(async () => rpc('eth_getTransactionReceipt', [hash]));
	const nonce = async () => Number(await rpc('eth_getTransactionCount', [user.address, 'latest']));
	let lastMs = 0;
	/** Two requests in one millisecond would carry the same text, and so the same signature. */
	const timestamp = async () => {
		while (Date.now() <= lastMs) await new Promise(resolve => setTimeout(resolve, 1));
		lastMs = Date.now();
		return lastMs;
	};

	const trader = {
		user,
		contracts,
		rpc,
		nonce,
		balance: async () => {
			const data = encodeFunctionData({abi: Token.abi, functionName: 'balanceOf', args: [user.address]});
			return BigInt(await rpc('eth_call', [{to: contracts['usdc'], data}, 'latest']));
		},
		async send(to: Hex, data: Hex) {
			const raw = await user.signTransaction({
				type: 'eip1559',
				chainId: 42161,
				to,
				data,
				gas: 300_000n,
				maxFeePerGas: 10n ** 10n,
				nonce: await nonce(),
			});
			await receiptOf(await rpc('eth_sendRawTransaction', [raw]));
		},
		async signed(action: string, fields: object) {
			const at = await timestamp();
			const signature = await user.signMessage({message: `api/2/perp/payloads/${action}-${at}`});
			return {timestamp: at, signature, ...fields};
		},
		async payload(action: string, fields: object): Promise<Answer> {
			return post(`/api/2/perp/payloads/${action}`, await trader.signed(action, fields));
		},
		/** Signs the fields of a transaction as they are. */
		signTransaction({
			to,
			callData,
			data,
			chainId,
			nonce,
			gas,
			maxFeePerGas,
			maxPriorityFeePerGas,
		}: TransactionFields): Promise<Hex> {
			return user.signTransaction({
				type: 'eip1559',
				to,
				data: callData ?? data ?? '0x',
				chainId,
				nonce: nonce!,
				gas: BigInt(gas),
				maxFeePerGas: BigInt(maxFeePerGas),
				maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
			});
		},
		/** Makes of an envelope what execute wants (spec 4.8): signs transactions and messages. */
		async prepared(envelope: Envelope): Promise<Record<string, unknown>> {
			const content = JSON.parse(envelope.payloadStr);
			const {payload} = content;
			if (envelope.action === 'deposit') {
				const items = payload.steps.flatMap((step: {items: {data: TransactionFields}[]}) => step.items);
				payload.signedTxs = [];
				for (const {data} of items)
					payload.signedTxs.push(await trader.signTransaction({...data, nonce: await nonce()}));
				return {...envelope, payloadStr: JSON.stringify(content)};
			}
			if (payload.MessageToSign !== undefined) {
				payload.L1Sig = await user.signMessage({message: payload.MessageToSign});
				delete payload.MessageToSign;
				return {...envelope, payloadStr: JSON.stringify(content)};
			}
			if (envelope.transport !== 'evm-tx') return {...envelope};
			return {...envelope, signedTx: await trader.signTransaction(payload.data)};
		},
		async signedExecute(body: Record<string, unknown>): Promise<Record<string, unknown>> {
			const at = await timestamp();
			const signature = await user.signMessage({message: `api/2/perp/execute-v2-${at}-${body['payloadStr']}`});
			return {...body, timestamp: at, signature};
		},
		async execute(body: Record<string, unknown>): Promise<Answer> {
			return post('/api/2/perp/execute-v2', await trader.signedExecute(body));
		},
		/** Payload, signatures and execute, as a client goes through them. */
		async carryOut(action: string, fields: object): Promise<Answer> {
			const built = await trader.payload(action, fields);
			if (built.status !== 200) return built;
			return trader.execute(await trader.prepared(built.json.data));
		},
		async rows(listing: 'unfilled' | 'open', query = '') {
			return (await get(`/api/2/wallet/positions/perp/${listing}?wallet=${user.address}${query}`)).json.data;
		},
	};
	if (funded) {
		const {json} = await post('/dev/faucet', {chainId: 'evm:42161', address: user.address, token: contracts['usdc']});
		await receiptOf(json.data.txHash);
		await post('/dev/faucet', {chainId: 'evm:42161', address: user.address});
		const data = encodeFunctionData({
			abi: Token.abi,
			functionName: 'approve',
			args: [contracts['perpExchange']!, 2n ** 256n - 1n],
		});
		await trader.send(contracts['usdc']!, data);
	}
	return trader;
}

export type Trader = Awaited<ReturnType<typeof traderOf>>;

/** An order far from the market, so that it waits. */
export const WAITING_ORDER = {
	baseToken: 'BTC',
	quote: 'USD',
	leverage: 10,
	long: true,
	reduceOnly: false,
	collateralAmount: 50,
	orderType: 'limit',
	openPrice: 50_000,
};

export const MARKET_ORDER = {...WAITING_ORDER, orderType: 'market', openPrice: undefined};

/** A trader with an account and an API key on dexB. */
export async function dexBTraderOf(service: Service): Promise<Trader> {
	const trader = await traderOf(service);
	await trader.carryOut('deposit', {dex: 'dexB', chainId: 'dexB:304', originChainId: 'evm:42161', amountUsdc: '500'});
	await trader.carryOut('create-account', {dex: 'dexB', chainId: 'dexB:304'});
	return trader;
}
