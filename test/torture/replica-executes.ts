import {setTimeout as pause} from 'node:timers/promises';
import type {Hex} from 'viem';
import type {ExecuteBody, Quote} from '../../source/contract/bridge.ts';
import type {RealNodes} from '../helpers/real-nodes.ts';
import {bodyOf, type User} from '../service/bridge/bridge-client.ts';
import {intentHash, waitFor} from '../service/chain/practice.ts';

/** An answer to an execute: its status, or undefined where the connection was cut. */
type Answered = number | undefined;

/** A transfer that was sent, to two replicas at nearly the same time. */
export interface Sent {
	readonly intentId: string;
	readonly body: ExecuteBody;
	readonly answers: readonly [Answered, Answered];
	/** Of the first answer, in milliseconds. */
	readonly tookMs: number;
}

export interface ExecutesOptions {
	readonly nodes: RealNodes;
	readonly users: readonly User[];
	/** Addresses of the replicas that are to be asked now. */
	readonly urls: () => readonly string[];
	readonly key: string;
	readonly random: () => number;
}

/** Transfers of many users, each sent twice. */
export class Executes {
	readonly sent: Sent[] = [];
	/** Quotes that no replica gave: nothing was signed. */
	unquoted = 0;
	readonly #options: ExecutesOptions;
	readonly #free: User[];

	constructor(options: ExecutesOptions) {
		this.#options = options;
		this.#free = [...options.users];
	}

	/** Gives each user's account its code, by a first transfer. */
	async warmUp(): Promise<void> {
		await Promise.all(this.#options.users.map(user => this.#transfer(user)));
		const {base} = this.#options.nodes;
		for (const {address} of this.#options.users) {
			await waitFor(async () => (await base.client.getDelegation({address})) !== undefined);
		}
	}

	/** Sends transfers at a steady rate until it is aborted, and waits for the answers. */
	async run(perSecond: number, signal: AbortSignal): Promise<void> {
		const underWay = new Set<Promise<void>>();
		const startMs = performance.now();
		for (let n = 0; !signal.aborted; n++) {
			await pause(Math.max(0, startMs + (n * 1000) / perSecond - performance.now()));
			const user = this.#free.shift();
			if (user === undefined) continue;
			const one = this.#transfer(user).finally(() => {
				this.#free.push(user);
				underWay.delete(one);
			});
			underWay.add(one);
		}
		await Promise.all(underWay);
	}

	async #transfer(user: User): Promise<void> {
		const quote = await this.#quote(user);
		if (quote === undefined) {
			this.unquoted++;
			return;
		}
		const body = await bodyOf(this.#options.nodes, user, quote);
		const urls = this.#options.urls();
		const first = Math.floor(this.#options.random() * urls.length);
		const second = (first + 1 + Math.floor(this.#options.random() * (urls.length - 1))) % urls.length;
		const startMs = performance.now();
		let tookMs = Number.NaN;
		const answers = await Promise.all([
			this.#post(urls[first]!, body).then(status => {
				tookMs = performance.now() - startMs;
				return status;
			}),
			pause(this.#options.random() * 20).then(() => this.#post(urls[second]!, body)),
		]);
		this.sent.push({intentId: quote.intentId, body, answers, tookMs});
	}

	async #quote(user: User): Promise<Quote | undefined> {
		const {base, arbitrum} = this.#options.nodes;
		const query = new URLSearchParams({
			originChainId: 'evm:8453',
			destinationChainId: 'evm:42161',
			walletAddress: user.address,
			originToken: base.addresses.usdc,
			destinationToken: arbitrum.addresses.usdc,
			amount: '5',
			gasless: 'true',
		});
		for (const url of [...this.#options.urls(), ...this.#options.urls()]) {
			const answer = await this.#ask(`${url}/api/2/bridge/quote?${query}`).catch(() => undefined);
			const quote = answer?.status === 200 ? ((await answer.json()) as {data?: Quote} & Quote) : undefined;
			if (quote) return quote.data ?? quote;
		}
		return undefined;
	}

	/** Sends a transfer once. */
	async #post(url: string, body: ExecuteBody): Promise<Answered> {
		return this.#ask(`${url}/api/2/bridge/execute`, body).then(
			async answer => {
				await answer.arrayBuffer();
				return answer.status;
			},
			() => undefined,
		);
	}

	#ask(url: string, body?: unknown): Promise<Response> {
		const {key} = this.#options;
		return fetch(url, {
			method: body === undefined ? 'GET' : 'POST',
			headers: {authorization: key, ...(body !== undefined && {'content-type': 'application/json'})},
			...(body !== undefined && {body: JSON.stringify(body)}),
			signal: AbortSignal.timeout(30_000),
		});
	}

	/** Sends a transfer again, to one replica. */
	again(url: string, {body}: Sent): Promise<Answered> {
		return this.#post(url, body);
	}

	/** The status that a replica gives of a transfer. */
	async status(url: string, intentId: string): Promise<string> {
		const answer = await this.#ask(`${url}/api/2/bridge/status/${intentId}`);
		const json = (await answer.json()) as {data?: {status: string}; status?: string};
		return json.data?.status ?? json.status ?? String(answer.status);
	}
}

/** How often each intent was deposited on the origin and paid on the destination, counted from the logs of both chains. */
export async function countOnChains({base, arbitrum}: RealNodes): Promise<{
	readonly deposits: ReadonlyMap<Hex, number>;
	readonly fills: ReadonlyMap<Hex, number>;
}> {
	const count = async (chain: RealNodes['base'], event: string): Promise<Map<Hex, number>> => {
		const logs = await chain.rpc.call<{topics: Hex[]}[]>('eth_getLogs', [
			{fromBlock: '0x0', toBlock: 'latest', address: chain.addresses.bridge, topics: [topicOf(event)]},
		]);
		const counts = new Map<Hex, number>();
		for (const {topics} of logs) counts.set(topics[1]!, (counts.get(topics[1]!) ?? 0) + 1);
		return counts;
	};
	return {
		deposits: await count(base, 'Deposit(bytes32,address,bytes32,address,uint256,uint256,address)'),
		fills: await count(arbitrum, 'Filled(bytes32,address,address,uint256)'),
	};
}

function topicOf(signature: string): Hex {
	return intentHash(signature);
}
