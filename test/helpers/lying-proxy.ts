import {createServer, type IncomingMessage} from 'node:http';
import {type RawData, WebSocket, WebSocketServer} from 'ws';
import {listenOnLoopback} from './loopback.ts';

/** How often a node lies; 0 to 1. */
export interface Lies {
	/** `eth_getLogs` is answered with no logs, as balanced nodes do for blocks that they don't have yet. */
	readonly emptyLogs?: number;
	/** A call is refused as one too many. */
	readonly refuse?: number;
	/** The connection is cut in place of an answer. */
	readonly cut?: number;
}

/** A node in front of another one, over HTTP and websocket, that lies. */
export interface LyingProxy {
	readonly url: string;
	readonly wsUrl: string;
	/** How it lies from now on. */
	set(lies: Lies): void;
	/** How often it lied. */
	readonly lied: number;
	close(): Promise<void>;
}

interface Message {
	readonly id?: number;
	readonly method?: string;
	readonly result?: unknown;
}

/**
 * Starts a proxy that is honest at first.
 * @param chance gives numbers from 0 to 1
 */
export async function startLyingProxy(
	node: {readonly url: string; readonly wsUrl: string},
	chance: () => number,
): Promise<LyingProxy> {
	let lies: Lies = {};
	let lied = 0;
	const strikes = (part = 0) => {
		if (part === 0 || chance() >= part) return false;
		lied++;
		return true;
	};
	/** The answer to a call; undefined: the connection is cut. */
	const retold = (method: string | undefined, answer: Message): Message | undefined => {
		if (strikes(lies.cut)) return undefined;
		if (strikes(lies.refuse)) {
			const {result, ...rest} = answer;
			return {...rest, error: {code: -32005, message: 'limit exceeded'}} as Message;
		}
		if (method === 'eth_getLogs' && Array.isArray(answer.result) && strikes(lies.emptyLogs)) {
			return {...answer, result: []};
		}
		return answer;
	};
	const methodsOf = (body: Message | Message[]) => new Map([body].flat().map(({id, method}) => [id, method]));
	const retoldAll = (asked: ReadonlyMap<number | undefined, string | undefined>, answer: Message | Message[]) => {
		const answers = [answer].flat().map(each => retold(asked.get(each.id), each));
		if (answers.includes(undefined)) return undefined;
		return JSON.stringify(Array.isArray(answer) ? answers : answers[0]);
	};

	const server = createServer(async (request, response) => {
		try {
			const body = await textOf(request);
			const answer = await fetch(node.url, {method: 'POST', headers: {'content-type': 'application/json'}, body});
			const text = retoldAll(methodsOf(JSON.parse(body)), (await answer.json()) as Message | Message[]);
			if (text === undefined) return void request.socket.destroy();
			response.writeHead(200, {'content-type': 'application/json'}).end(text);
		} catch {
			request.socket.destroy();
		}
	});
	const sockets = new WebSocketServer({server});
	sockets.on('connection', client => {
		const upstream = new WebSocket(node.wsUrl);
		const asked = new Map<number | undefined, string | undefined>();
		const waiting: string[] = [];
		const end = () => {
			client.terminate();
			upstream.terminate();
		};
		for (const socket of [client, upstream]) socket.on('close', end).on('error', end);
		upstream.on('open', () => {
			for (const text of waiting.splice(0)) upstream.send(text);
		});
		client.on('message', data => {
			const text = String(data);
			for (const [id, method] of methodsOf(JSON.parse(text))) asked.set(id, method);
			if (upstream.readyState === WebSocket.OPEN) upstream.send(text);
			else waiting.push(text);
		});
		upstream.on('message', (data: RawData) => {
			const message = JSON.parse(String(data)) as Message | Message[];
			// What was not asked for is a notice of a new head.
			const isNotice = !Array.isArray(message) && message.id === undefined;
			const text = isNotice ? String(data) : retoldAll(asked, message);
			if (text === undefined) end();
			else client.send(text);
		});
	});
	const {port, url, close} = await listenOnLoopback(server);
	return {
		url,
		wsUrl: `ws://127.0.0.1:${port}`,
		set(next) {
			lies = next;
		},
		get lied() {
			return lied;
		},
		async close() {
			for (const client of sockets.clients) client.terminate();
			sockets.close();
			await close();
		},
	};
}

async function textOf(request: IncomingMessage): Promise<string> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	return Buffer.concat(parts).toString();
}
