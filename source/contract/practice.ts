import * as z from 'zod';
import {once, patterned} from './schema.ts';
import {evmAddress, hash32, integerText} from './wire-scalars.ts';

/*
 * The routes that a wallet needs for the chains of the embedded service, outside the API of the spec: no other service has it. A
 * practice chain has the number of a real one, so only a key made for practice may sign for it.
 */

const evmChain = once(() => patterned(/^evm:[1-9]\d{0,14}$/, 'be an EVM chain, such as evm:8453'));

/** Path of POST /dev/rpc/{chainId}. */
export const devRpcParamsSchema = once(() => z.object({chainId: evmChain()}));

const rpcCall = once(() =>
	z.looseObject({
		jsonrpc: z.literal('2.0').optional(),
		id: z.union([z.string(), z.number()]).optional(),
		/** `eth_` calls that read, and `eth_sendRawTransaction`. */
		method: z.string(),
		params: z.array(z.unknown()).optional(),
	}),
);

/** Body of POST /dev/rpc/{chainId}: a JSON-RPC 2.0 call, or up to 50 of them. Errors in the call come back as JSON-RPC. */
export const devRpcBodySchema = once(() => z.union([rpcCall(), z.array(rpcCall())]));

const rpcResponse = once(() =>
	z.looseObject({
		jsonrpc: z.literal('2.0'),
		id: z.union([z.string(), z.number(), z.null()]),
		result: z.unknown().optional(),
		error: z.looseObject({code: z.number(), message: z.string()}).optional(),
	}),
);

export const devRpcResponseSchema = once(() => z.union([rpcResponse(), z.array(rpcResponse())]));

/** Body of POST /dev/faucet. */
export const devFaucetBodySchema = once(() =>
	z.object({
		chainId: evmChain(),
		/** Who receives. */
		address: evmAddress(),
		/** A test token of the chain (`/dev/chains` lists them), or `native` for coins that pay for gas. */
		token: z.union([z.literal('native'), evmAddress()]).default('native'),
	}),
);

/** The faucet's gift: raw units, and their transaction; coins come without a transaction. */
export const devFaucetResponseSchema = once(() =>
	z.object({data: z.object({amountRaw: integerText(), txHash: hash32().nullable()})}),
);

/** A chain of the money flows, without starting it. */
const chainRow = once(() =>
	z.looseObject({
		chainId: z.string(),
		name: z.string(),
		/** Symbol of the chain's own coin. */
		nativeSymbol: z.string(),
		/** `embedded`: a practice chain; `external`: a real node (`serve --rpc`). */
		kind: z.enum(['embedded', 'external']),
		/** `idle`: starts with the first call to it. */
		state: z.enum(['idle', 'starting', 'ready', 'unavailable']),
		/** Why it is unavailable. */
		reason: z.string().optional(),
		/** A practice chain that was never started: every balance on it is 0. */
		isNew: z.boolean(),
		/** Addresses by name: batchExecutor, bridge, venue, swapBridge, amm, perpExchange, vaultFactory, usdc, dai. */
		contracts: z.record(z.string(), z.string()).optional(),
		/** The tokens that the bridge carries from and to this chain. */
		tokens: z.array(z.object({address: z.string(), symbol: z.string(), decimals: z.number()})).optional(),
		/** Coins, tokens or approvals that the service's accounts still need on a real chain, one sentence each. */
		missing: z.array(z.string()).optional(),
	}),
);

export const devChainsResponseSchema = once(() => z.object({data: z.array(chainRow())}));

export type DevChain = z.input<ReturnType<typeof chainRow>>;
