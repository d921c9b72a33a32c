import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {encodeFunctionData, type Hex, toHex} from 'viem';
import {generatePrivateKey, privateKeyToAccount} from 'viem/accounts';
import {findAnvil} from '../../source/service/chain/anvil-binary.ts';
import {Token} from '../../source/service/chain/artifacts.generated.ts';
import {type Chain, createChainSet} from '../../source/service/chain/chain-set.ts';
import {createJsonRpc} from '../../source/service/chain/json-rpc.ts';
import {mined} from '../service/chain/practice.ts';

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

interface Node {
	readonly chainId: number;
	readonly url: string;
	close(): Promise<void>;
}

/** A node that anyone may ask over HTTP, with a block each quarter of a second. */
async function startNode(chainId: number): Promise<Node> {
	const child = spawn(
		findAnvil().path!,
		['--host', '127.0.0.1', '--port', '0', '--accounts', '0', '--chain-id', String(chainId), '--block-time', '0.25'],
		{stdio: ['ignore', 'pipe', 'ignore']},
	);
	const url = `http://127.0.0.1:${await portOf(child)}`;
	return {
		chainId,
		url,
		async close() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const ended = once(child, 'exit');
			child.kill('SIGKILL');
			await ended;
		},
	};
}

/** The port is printed. The pipe is read for good afterwards: a full one stops the node. */
function portOf(child: ChildProcess): Promise<string> {
	return new Promise((resolve, reject) => {
		let printed = '';
		child.stdout!.on('data', chunk => {
			printed += chunk;
			const port = /Listening on [\d.]+:(\d+)/.exec(printed)?.[1];
			if (port === undefined) return;
			child.stdout!.removeAllListeners('data').resume();
			resolve(port);
		});
		child.once('exit', () => reject(new Error(`the node ended at once: ${printed.slice(-500)}`)));
	});
}

/** Mints stablecoin to an account, by the service's key: before the service itself sends anything. */
export async function giveTokens(chain: Chain, to: Hex, amountRaw: bigint): Promise<void> {
	const data = encodeFunctionData({abi: Token.abi, functionName: 'mint', args: [to, amountRaw]});
	await mined(chain, await chain.sender('faucet').send({to: chain.addresses.usdc, data, gas: 200_000n}));
}
