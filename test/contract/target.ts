import {setTimeout as sleep} from 'node:timers/promises';
import {startService} from '../../source/service/server.ts';
import {PATIENCE_MS} from '../helpers/patience.ts';
import {StreamClient} from '../service/helpers/stream-client.ts';
import type {Knows} from './published-entries.ts';

/*
 * The service that the contract is checked on. PULSETOP_CONTRACT_URL, PULSETOP_CONTRACT_STREAM_URL and
 * PULSETOP_CONTRACT_KEY name any; without them the embedded service is started, with its own market. followed.test.ts runs all
 * of it on a service that follows chains.
 */

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape are what is being checked
export type Json = any;
export type Entry = Record<string, Json>;

export interface Reply {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	readonly body: Json;
}

/** Where a service is, and what can be asked of its market. */
export interface Service {
	readonly url: string;
	readonly streamUrl: string;
	/** Empty when the service needs none. */
	readonly key: string;
	/** The market has more tokens than this, if not at once. */
	readonly tokens: number;
	readonly knows: Knows;
}

export interface Target extends Service {
	post(path: string, body: unknown): Promise<Reply>;
	get(path: string): Promise<Reply>;
	/** One view of POST /api/2/pulse, which must succeed. */
	view(view: Record<string, unknown>, body?: Record<string, unknown>): Promise<Entry[]>;
	/** The count of one view. */
	count(view: Record<string, unknown>, body?: Record<string, unknown>): Promise<number>;
	stream(): Promise<StreamClient>;
	close(): Promise<void>;
}

/** The service that stands in for the embedded one. */
let another: Service | undefined;

/** The tests of this file run on another service than the embedded one; who opened it closes it. */
export function checkInstead(service: Service): void {
	another = service;
}

export async function openTarget(): Promise<Target> {
	if (another !== undefined) return targetOf(another, async () => {});
	const simulated = {tokens: 1000, knows: 'everything'} as const;
	const {PULSETOP_CONTRACT_URL, PULSETOP_CONTRACT_STREAM_URL, PULSETOP_CONTRACT_KEY: key = ''} = process.env;
	if (PULSETOP_CONTRACT_URL) {
		const url = PULSETOP_CONTRACT_URL.replace(/\/$/, '');
		const streamUrl = PULSETOP_CONTRACT_STREAM_URL ?? url.replace(/^http/, 'ws');
		return targetOf({url, streamUrl, key, ...simulated}, async () => {});
	}
	const service = await startService({seed: 11});
	const {url, streamUrl, apiKeys} = service;
	return targetOf({url, streamUrl, key: apiKeys[0]!, ...simulated}, () => service.close());
}

function targetOf(service: Service, close: () => Promise<void>): Target {
	const {url, streamUrl, key} = service;
	const clients: StreamClient[] = [];
	const send = async (path: string, init: RequestInit): Promise<Reply> => {
		const headers = {...(key ? {authorization: key} : {}), ...init.headers};
		const response = await fetch(url + path, {...init, headers});
		const text = await response.text();
		if (response.status === 429) {
			// A service may be rate limited; it says how long.
			await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
			return send(path, init);
		}
		return {status: response.status, headers: response.headers, text, body: parsed(text)};
	};
	const post = (path: string, body: unknown) =>
		send(path, {
			method: 'POST',
			headers: {'content-type': 'application/json'},
			body: typeof body === 'string' ? body : JSON.stringify(body),
		});
	const ofView = async (path: string, view: Record<string, unknown>, body: Record<string, unknown>) => {
		const reply = await post(path, {assetMode: true, ...body, views: [{name: 'v', ...view}]});
		if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${reply.text.slice(0, 300)}`);
		return (reply.body.payload ?? reply.body).v;
	};
	return {
		...service,
		post,
		get: path => send(path, {method: 'GET'}),
		view: async (view, body = {}) => (await ofView('/api/2/pulse', view, body)).data,
		count: async (view, body = {}) => (await ofView('/api/2/pulse/pagination', view, body)).pagination,
		stream: async () => {
			const client = await StreamClient.open(streamUrl);
			clients.push(client);
			return client;
		},
		close: async () => {
			for (const client of clients) await client.close();
			await close();
		},
	};
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const POLL_MS = 250;

/** Requests until the response passes, for state that changes by itself. The last response when none does. */
export async function until<T>(
	ask: () => Promise<T>,
	holds: (answer: T) => boolean,
	withinMs = PATIENCE_MS,
): Promise<T> {
	const end = Date.now() + withinMs;
	for (;;) {
		const answer = await ask();
		if (holds(answer) || Date.now() > end) return answer;
		await sleep(POLL_MS);
	}
}
