import {mkdtempSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {PrivateKeyAccount} from 'viem/accounts';
import type {ExecuteBody, Quote, QuoteRequest} from '../../../source/contract/bridge.ts';
import {type BridgeOptions, type BridgeService, createBridge} from '../../../source/service/bridge/bridge.ts';
import {type Chain, type ChainSet, createChainSet} from '../../../source/service/chain/chain-set.ts';
import type {Database} from '../../../source/service/store/database.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {batchTypes, laneNonce, mint, newUser, nowS, USDC} from '../chain/practice.ts';

/** A bridge on real chains, that can be stopped and restarted. */
export interface Bench {
	readonly chains: ChainSet;
	readonly base: Chain;
	readonly arbitrum: Chain;
	readonly directory: string;
	bridge: BridgeService;
	/** Ends the bridge and opens another on the same store and chains. */
	restart(options?: Partial<BridgeOptions>): Promise<BridgeService>;
	close(): Promise<void>;
}

export async function openBench(options: Partial<BridgeOptions> = {}): Promise<Bench> {
	const directory = mkdtempSync(join(tmpdir(), 'pulsetop-bridge-'));
	const chains = createChainSet({chainIds: [8453, 42161]});
	const [base, arbitrum] = await Promise.all([chains.ready(8453), chains.ready(42161)]);
	let database: Database = openSqlite(directory);
	const open = (more: Partial<BridgeOptions>) =>
		createBridge({chains, database, retryMs: [20, 20], failureDelayMs: 50, ...options, ...more});
	const bench: Bench = {
		chains,
		base,
		arbitrum,
		directory,
		bridge: await open({}),
		async restart(more = {}) {
			await bench.bridge.close();
			await database.close();
			database = openSqlite(directory);
			bench.bridge = await open(more);
			return bench.bridge;
		},
		async close() {
			await bench.bridge.close();
			await database.close();
			await chains.close();
			await rm(directory, {recursive: true});
		},
	};
	return bench;
}

export type User = PrivateKeyAccount;

/** A user with 1000 USDC and no native coin. */
export async function fundedUser({base}: Pick<Bench, 'base'>): Promise<User> {
	const user = newUser();
	await mint(base, user.address, 1000n * USDC);
	return user;
}

export function quoteOf(
	{bridge, base, arbitrum}: Pick<Bench, 'bridge' | 'base' | 'arbitrum'>,
	user: User,
	more: Partial<QuoteRequest> = {},
): Promise<Quote> {
	return bridge.quote({
		originChainId: 'evm:8453',
		destinationChainId: 'evm:42161',
		walletAddress: user.address,
		originToken: base.addresses.usdc,
		destinationToken: arbitrum.addresses.usdc,
		amount: '50',
		slippage: 1,
		gasless: true,
		...more,
	});
}

export interface BodyOptions {
	/** The chain of the deposit; default: base. */
	readonly origin?: Chain;
	readonly signer?: User;
	readonly authorizedBy?: User;
	readonly authorization?: {address?: `0x${string}`; chainId?: number; nonce?: number};
	/** Signed with these instead. */
	readonly signed?: Partial<Pick<ExecuteBody, 'batchNonce' | 'deadline' | 'calls' | 'minBalance' | 'gasToken'>>;
}

/** The body of an execute as an honest client makes it, signed as spec 4.4 says, independently of the program's typed data. */
export async function bodyOf(
	{base}: Pick<Bench, 'base'>,
	user: User,
	quote: Quote,
	{origin = base, signer = user, authorizedBy = user, authorization, signed = {}}: BodyOptions = {},
): Promise<ExecuteBody> {
	const batch = {
		calls: quote.steps!.map(({tx}) => ({to: tx.to, value: '0', data: tx.data})),
		batchNonce: laneNonce(quote.intentId).toString(),
		deadline: String(nowS() + 300n),
		gasToken: quote.sponsorGate!.gasToken,
		minBalance: quote.sponsorGate!.minBalance,
		...signed,
	};
	const batchSignature = await signer.signTypedData({
		domain: {name: 'ServiceBatchExecutor', version: '1', chainId: origin.info.id, verifyingContract: user.address},
		types: batchTypes,
		primaryType: 'Batch',
		message: {
			calls: batch.calls.map(({to, value, data}) => ({
				to: to as `0x${string}`,
				value: BigInt(value),
				data: data as `0x${string}`,
			})),
			nonce: BigInt(batch.batchNonce),
			deadline: BigInt(batch.deadline),
			gasToken: batch.gasToken as `0x${string}`,
			minBalance: BigInt(batch.minBalance),
		},
	});
	const isDelegated = (await origin.client.getDelegation({address: user.address})) === origin.addresses.batchExecutor;
	const needsTuple = authorization !== undefined || !isDelegated;
	const {r, s, yParity, address, chainId, nonce} = await authorizedBy.signAuthorization({
		address: origin.addresses.batchExecutor,
		chainId: origin.info.id,
		nonce: await origin.client.getTransactionCount({address: user.address}),
		...authorization,
	});
	return {
		originChainId: origin.info.key,
		intentId: quote.intentId,
		authority: user.address,
		...batch,
		batchSignature,
		authorizationList: needsTuple ? [{chainId, address, nonce, yParity: yParity!, r, s}] : [],
	};
}
