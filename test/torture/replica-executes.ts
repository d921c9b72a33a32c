import {setTimeout as pause} from 'node:timers/promises';
import type {Hex} from 'viem';
import type {ExecuteBody, Quote} from '../../source/contract/bridge.ts';
import type {RealNodes} from '../helpers/real-nodes.ts';
import {bodyOf, type User} from '../service/bridge/bridge-client.ts';
import {intentHash, waitFor} from '../service/chain/practice.ts';
import type {Call, Calls} from './replica-calls.ts';

/** A signed transfer and what came of each time that it was sent. */
export interface Sent {
	readonly intentId: string;
	readonly body: ExecuteBody;
	/** Statuses of the answers; undefined where the connection was cut. */
	readonly answers: (number | undefined)[];
	/** Of the first answer, in milliseconds. */
	tookMs: number;
}

export interface ExecutesOptions {
	readonly nodes: RealNodes;
	readonly users: readonly User[];
	readonly calls: Calls;
	/** Addresses of the replicas that are to be asked now. */
	readonly urls: () => readonly string[];
	readonly random: () => number;
	/** How often each transfer is sent; default 2. */
	readonly copies?: 1 | 2 | undefined;
}

const WARM_UP_TRIES = 10;

/** Transfers of many users, each sent twice or more if nothing else is said. */
export class Executes {
	readonly sent: Sent[] = [];
	/** Quotes that no replica gave: nothing was signed. */
	unquoted = 0;
	/** Transfers that were due while every user still waited for an answer. */
	unsent = 0;
	readonly #options: ExecutesOptions;
	readonly #free: User[];

	constructor(options: ExecutesOptions) {
		this.#options = options;
		this.#free = [...options.users];
	}

	/** Gives each user's account its code, by a first transfer. All come at once: one that is told to come again does. */
	async warmUp(): Promise<void> {
		const begin = async (user: User): Promise<void> => {
			for (let tries = 0; tries < WARM_UP_TRIES && !(await this.#transfer(user)); tries++) await pause(500);
		};
		await Promise.all(this.#options.users.map(begin));
		const {base} = this.#options.nodes;
		for (const {address} of this.#options.users) {
			await waitFor(async () => (await base.client.getDelegation({address})) !== undefined);
		}
	}

	/**
	 * Sends transfers at a steady rate until it is aborted, and waits for the answers.
	 * @param most of them under way at a time: the rate falls where answers take longer
	 */
	async run(perSecond: number, signal: AbortSignal, most = Number.POSITIVE_INFINITY): Promise<void> {
		const underWay = new Set<Promise<unknown>>();
		const startMs = performance.now();
		for (let n = 0; !signal.aborted; n++) {
			await pause(Math.max(0, startMs + (n * 1000) / perSecond - performance.now()));
			const user = underWay.size < most ? this.#free.shift() : undefined;
			if (user === undefined) {
				this.unsent++;
				continue;
			}
			const one: Promise<unknown> = this.#transfer(user).finally(() => {
				this.#free.push(user);
				underWay.delete(one);
			});
			underWay.add(one);
		}
		await Promise.all(underWay);
	}

	/** Makes transfers that are signed and not sent yet, each of another user. */
	async prepare(count: number): Promise<Sent[]> {
		const users = await waitFor(() => this.#free.length >= count && this.#free.splice(0, count));
		const prepared = await Promise.all(
			users.map(user =>
				waitFor(() => this.#quote(user)).then(async quote => ({
					intentId: quote.intentId,
					body: await bodyOf(this.#options.nodes, user, quote),
					answers: [],
					tookMs: Number.NaN,
				})),
			),
		);
		this.sent.push(...prepared);
		// Transfers of a user do not depend on each other.
		this.#free.push(...users);
		return prepared;
	}

	/** Sends a transfer to one of these replicas and, if it is sent twice, to another at nearly the same time. */
	async send(one: Sent, urls = this.#options.urls()): Promise<void> {
		const {random, copies = 2} = this.#options;
		const first = Math.floor(random() * urls.length);
		const second = (first + 1 + Math.floor(random() * (urls.length - 1))) % urls.length;
		await Promise.all([
			this.#post(one, urls[first]!).then(({sentMs, endMs}) => {
				one.tookMs = endMs - sentMs;
			}),
			...(copies === 2 ? [pause(random() * 20).then(() => this.#post(one, urls[second]!))] : []),
		]);
	}

	/** Sends a transfer to one replica. */
	async sendTo(one: Sent, url: string): Promise<Call> {
		return this.#post(one, url);
	}

	/** The answer of a replica to a transfer that was sent before; it does not count as one of its answers. */
	async again(url: string, {body}: Sent): Promise<number | undefined> {
		return (await this.#options.calls.askPatiently('execute', url, EXECUTE, body)).status;
	}

	/** The status that a replica gives of a transfer. */
	async status(url: string, intentId: string): Promise<string> {
		const {status, text} = await this.#options.calls.askPatiently('status', url, `/api/2/bridge/status/${intentId}`);
		if (status === undefined) return 'no answer';
		const json = JSON.parse(text) as {data?: {status: string}; status?: string};
		return json.data?.status ?? json.status ?? String(status);
	}

	/** Returns whether it was accepted. */
	async #transfer(user: User): Promise<boolean> {
		const quote = await this.#quote(user);
		if (quote === undefined) {
			this.unquoted++;
			return false;
		}
		const body = await bodyOf(this.#options.nodes, user, quote);
		const one: Sent = {intentId: quote.intentId, body, answers: [], tookMs: Number.NaN};
		this.sent.push(one);
		await this.send(one);
		return one.answers.includes(200);
	}

	async #quote(user: User): Promise<Quote | undefined> {
		const {nodes, calls, urls} = this.#options;
		const query = new URLSearchParams({
			originChainId: 'evm:8453',
			destinationChainId: 'evm:42161',
			walletAddress: user.address,
			originToken: nodes.base.addresses.usdc,
			destinationToken: nodes.arbitrum.addresses.usdc,
			amount: '5',
			gasless: 'true',
		});
		for (const url of [...urls(), ...urls()]) {
			const {status, text} = await calls.ask('quote', url, `/api/2/bridge/quote?${query}`);
			if (status !== 200) continue;
			const quote = JSON.parse(text) as {data?: Quote} & Quote;
			return quote.data ?? quote;
		}
		return undefined;
	}

	async #post(one: Sent, url: string): Promise<Call> {
		const call = await this.#options.calls.ask('execute', url, EXECUTE, one.body);
		one.answers.push(call.status);
		return call;
	}
}

const EXECUTE = '/api/2/bridge/execute';

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
