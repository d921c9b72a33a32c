import {createServer} from 'node:http';
import {entryKey} from '../../source/contract/entry.ts';
import type {LaunchpadEvent} from '../../source/contract/webhook.ts';
import {listenOnLoopback} from '../helpers/loopback.ts';
import {REPLICA_KEYS} from '../helpers/replica-set.ts';

/** A target of webhooks that keeps which launches have arrived, and refuses some of the first tries. */
export interface LaunchReceiver {
	readonly url: string;
	/** Launches whose delivery was taken. */
	readonly tokens: ReadonlySet<string>;
	/** Delivery ids that came, and the body of each. */
	readonly ids: ReadonlyMap<string, string>;
	readonly deliveries: number;
	readonly refused: number;
	/** Events with two ids, and ids with two bodies. */
	readonly problems: readonly string[];
	/** Deliveries that came again after they were taken. */
	readonly takenTwice: number;
	close(): Promise<void>;
}

/** Of the deliveries that come for the first time every tenth is refused, and every tenth cut. */
export async function openLaunchReceiver(): Promise<LaunchReceiver> {
	const ids = new Map<string, string>();
	const idOf = new Map<string, string>();
	const taken = new Set<string>();
	const tokens = new Set<string>();
	const problems: string[] = [];
	const counts = {deliveries: 0, refused: 0, takenTwice: 0};
	const take = (id: string, text: string): void => {
		const {chainId, tokenAddress, action} = JSON.parse(text) as LaunchpadEvent;
		const key = entryKey(chainId, tokenAddress);
		const event = `${key} ${action}`;
		const [other, before] = [idOf.get(event), ids.get(id)];
		if (other !== undefined && other !== id) problems.push(`${event} came as delivery ${other} and as ${id}`);
		if (before !== undefined && before !== text) problems.push(`delivery ${id} came with another body: ${event}`);
		idOf.set(event, id);
		ids.set(id, text);
	};
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', chunk => chunks.push(chunk));
		request.on('error', () => {});
		request.on('end', () => {
			const id = String(request.headers['x-webhook-delivery']);
			const text = Buffer.concat(chunks).toString('utf8');
			const isNew = !ids.has(id);
			take(id, text);
			counts.deliveries++;
			const mood = isNew ? ids.size % 10 : -1;
			if (mood === 3 || mood === 7) {
				counts.refused++;
				if (mood === 3) response.writeHead(500).end();
				else request.socket.destroy();
				return;
			}
			if (taken.has(id)) counts.takenTwice++;
			taken.add(id);
			const {chainId, tokenAddress} = JSON.parse(text) as LaunchpadEvent;
			tokens.add(entryKey(chainId, tokenAddress));
			response.writeHead(200).end();
		});
	});
	const {url, close} = await listenOnLoopback(server);
	return {
		url: `${url}/hook`,
		tokens,
		ids,
		problems,
		get deliveries() {
			return counts.deliveries;
		},
		get refused() {
			return counts.refused;
		},
		get takenTwice() {
			return counts.takenTwice;
		},
		close,
	};
}

/** Makes a webhook of all launches. @param target its address */
export async function makeWebhook(url: string, target: string): Promise<void> {
	const chainIds = ['solana:solana', 'evm:8453', 'evm:56', 'evm:42161', 'evm:137', 'evm:4663'];
	const body = {name: 'launches', chainIds, events: ['launchpad'], apiKey: REPLICA_KEYS[0], url: target};
	const answer = await fetch(`${url}/api/1/webhook`, {
		method: 'POST',
		headers: {authorization: REPLICA_KEYS[0], 'content-type': 'application/json'},
		body: JSON.stringify(body),
	});
	if (!answer.ok) throw new Error(`no webhook: ${answer.status} ${await answer.text()}`);
}
