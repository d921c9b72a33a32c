import {encodeFunctionData, type Hex, toHex} from 'viem';
import {generatePrivateKey, privateKeyToAccount} from 'viem/accounts';
import {createJsonRpc} from '../../source/rpc/json-rpc.ts';
import {Token} from '../../source/service/chain/artifacts.generated.ts';
import {type Chain, createChainSet} from '../../source/service/chain/chain-set.ts';
import {mined} from '../service/chain/practice.ts';
import {type Anvil, startAnvil} from './anvil.ts';

/** Two chains that a service uses as real ones (`--rpc`): its contracts are deployed, its account has coins and tokens. */
export interface RealNodes {
	/** By chain number. */
	readonly urls: ReadonlyMap<number, string>;
	/** Of the service's account on both. */
	readonly key: Hex;
	readonly base: Chain;
	readonly arbitrum: Chain;
	close(): Promise<void>;
}

const NUMBERS = [8453, 42161] as const;
const COINS = toHex(10n ** 23n);
const STOCK_RAW = 10_000_000n * 10n ** 6n;

/** Starts the nodes, and deploys and funds what a service needs. The service's account sends nothing more from here. */
export async function startRealNodes(): Promise<RealNodes> {
	const nodes = await Promise.all(NUMBERS.map(startNode));
	const key = generatePrivateKey();
	const {address} = privateKeyToAccount(key);
	for (const node of nodes) {
		const rpc = createJsonRpc(() => node.url);
		await rpc.call('anvil_setBalance', [address, COINS]);
		await rpc.close();
	}
	const urls = new Map(nodes.map(({chainId, url}) => [chainId, url]));
	const external = new Map(NUMBERS.map(id => [id, {rpcUrl: urls.get(id)!, key, deploys: true}]));
	const chains = createChainSet({external, chainIds: []});
	const [base, arbitrum] = await Promise.all([chains.ready(8453), chains.ready(42161)]);
	for (const chain of [base, arbitrum]) {
		const {usdc, bridge} = chain.addresses;
		await giveTokens(chain, chain.accounts.solver.address, STOCK_RAW);
		const data = encodeFunctionData({abi: Token.abi, functionName: 'approve', args: [bridge, 2n ** 256n - 1n]});
		await mined(chain, await chain.sender('solver').send({to: usdc, data, gas: 200_000n}));
	}
	return {
		urls,
		key,
		base,
		arbitrum,
		async close() {
			await chains.close();
			await Promise.all(nodes.map(node => node.close()));
		},
	};
}

/** A node that anyone may ask over HTTP, with a block each quarter of a second. */
async function startNode(chainId: number): Promise<Anvil & {readonly chainId: number}> {
	return {chainId, ...(await startAnvil(['--chain-id', String(chainId), '--block-time', '0.25']))};
}

/** Mints stablecoin to an account, by the service's key: before the service itself sends anything. */
export async function giveTokens(chain: Chain, to: Hex, amountRaw: bigint): Promise<void> {
	const data = encodeFunctionData({abi: Token.abi, functionName: 'mint', args: [to, amountRaw]});
	await mined(chain, await chain.sender('faucet').send({to: chain.addresses.usdc, data, gas: 200_000n}));
}
