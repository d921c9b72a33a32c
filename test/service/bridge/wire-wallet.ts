import type {Hex, TypedDataDefinition} from 'viem';
import type {ExecuteBody, Quote} from '../../../source/contract/bridge.ts';
import {batchTypes, laneNonce, newUser, nowS, waitFor} from '../chain/practice.ts';
import {type Answer, ask} from '../helpers/http-client.ts';

/** Where a service answers, and with which key. */
export interface Service {
	readonly url: string;
	readonly apiKeys: readonly string[];
}

/** A wallet that knows a service by its HTTP alone: no part of the service's own code makes or signs anything here. */
export async function walletOf(service: Service, {native = false, user = newUser(), fund = true, number = 8453} = {}) {
	const chainId = `evm:${number}`;
	const post = async (path: string, body: unknown) => (await ask(service as never, 'POST', path, {body})).json;
	const chains = (await ask(service as never, 'GET', '/dev/chains')).json.data as {
		chainId: string;
		contracts: Record<string, Hex>;
	}[];
	const contracts = chains.find(chain => chain.chainId === chainId)!.contracts;
	const rpc = async (method: string, params: unknown[]) => {
		const {result, error} = await post(`/dev/rpc/${chainId}`, {jsonrpc: '2.0', id: 1, method, params});
		if (error) throw new Error(error.message);
		return result;
	};
	const receiptOf = (hash: string) => waitFor(async () => rpc('eth_getTransactionReceipt', [hash]));
	const nonce = async () => Number(await rpc('eth_getTransactionCount', [user.address, 'latest']));
	if (fund) {
		const {data} = await post('/dev/faucet', {chainId, address: user.address, token: contracts['usdc']});
		await receiptOf(data.txHash);
	}
	if (native) await post('/dev/faucet', {chainId, address: user.address});

	return {
		user,
		contracts,
		rpc,
		quote(query: Record<string, string | number | undefined> = {}): Promise<Answer> {
			const all = {
				originChainId: chainId,
				destinationChainId: 'evm:42161',
				walletAddress: user.address,
				originToken: contracts['usdc'],
				destinationToken: contracts['usdc'],
				amount: '50',
				gasless: 'true',
				...query,
			};
			const given = Object.entries(all).filter(([, value]) => value !== undefined) as [string, string][];
			return ask(service as never, 'GET', `/api/2/bridge/quote?${new URLSearchParams(given)}`);
		},
		/** @param lifetimeS until the batch cannot be executed any more */
		async sign({steps = [], sponsorGate, intentId}: Quote, lifetimeS = 300n): Promise<ExecuteBody> {
			const batch = {
				calls: steps.map(({tx}) => ({to: tx.to as Hex, value: '0', data: tx.data as Hex})),
				batchNonce: laneNonce(intentId).toString(),
				deadline: String(nowS() + lifetimeS),
				gasToken: sponsorGate!.gasToken as Hex,
				minBalance: sponsorGate!.minBalance,
			};
			const batchSignature = await user.signTypedData({
				domain: {name: 'ServiceBatchExecutor', version: '1', chainId: number, verifyingContract: user.address},
				types: batchTypes,
				primaryType: 'Batch',
				message: {
					calls: batch.calls.map(call => ({...call, value: 0n})),
					nonce: BigInt(batch.batchNonce),
					deadline: BigInt(batch.deadline),
					gasToken: batch.gasToken,
					minBalance: BigInt(batch.minBalance),
				},
			});
			const code = (await rpc('eth_getCode', [user.address, 'latest'])) as string;
			const isDelegated = code === `0xef0100${sponsorGate!.batchExecutor.slice(2).toLowerCase()}`;
			const request = {address: sponsorGate!.batchExecutor as Hex, chainId: number, nonce: await nonce()};
			const {r, s, yParity} = await user.signAuthorization(request);
			return {
				originChainId: chainId,
				intentId,
				authority: user.address,
				...batch,
				batchSignature,
				authorizationList: isDelegated ? [] : [{...request, yParity: yParity!, r, s}],
			};
		},
		signTypedData({domain, types, primaryType, message}: NonNullable<Quote['typedData']>): Promise<Hex> {
			// The service's own words: their types are not known here.
			return user.signTypedData({domain, types, primaryType, message} as unknown as TypedDataDefinition);
		},
		async send({to, data}: {to: string; data: string}): Promise<void> {
			const raw = await user.signTransaction({
				type: 'eip1559',
				chainId: number,
				to: to as Hex,
				data: data as Hex,
				gas: 300_000n,
				maxFeePerGas: 10n ** 10n,
				nonce: await nonce(),
			});
			await receiptOf(await rpc('eth_sendRawTransaction', [raw]));
		},
	};
}
