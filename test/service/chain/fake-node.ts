import {createServer, type Server, type ServerResponse} from 'node:http';
import {listenOnLoopback} from '../../helpers/loopback.ts';

/** What a node does with one call: a result, an error, or a fault of the connection. */
export type Reaction =
	| {result: unknown}
	| {error: {code: number; message: string}}
	| 'silence'
	| 'cut'
	| {status: number};

export interface FakeNode {
	readonly url: string;
	readonly calls: {method: string; params: unknown[]}[];
	close(): Promise<void>;
}

/** A node that behaves as a test wants it to: real ones do not fail on command. */
export async function fakeNode(react: (method: string, params: unknown[]) => Reaction): Promise<FakeNode> {
	const calls: FakeNode['calls'] = [];
	const server: Server = createServer(async (request, response) => {
		let text = '';
		for await (const chunk of request) text += chunk;
		const body = JSON.parse(text);
		const reactions = [body].flat().map(({id, method, params}) => {
			calls.push({method, params});
			return {id, reaction: react(method, params)};
		});
		answer(response, reactions, Array.isArray(body));
	});
	const {url, close} = await listenOnLoopback(server);
	return {
		url,
		calls,
		close,
	};
}

function answer(response: ServerResponse, reactions: {id: number; reaction: Reaction}[], isBatch: boolean): void {
	const odd = reactions
		.map(({reaction}) => reaction)
		.find(reaction => typeof reaction === 'string' || 'status' in reaction);
	if (odd === 'silence') return;
	if (odd === 'cut') return void response.socket?.destroy();
	if (odd !== undefined) return void response.writeHead((odd as {status: number}).status).end('no');
	const answers = reactions.map(({id, reaction}) => ({jsonrpc: '2.0', id, ...(reaction as object)}));
	response.setHeader('content-type', 'application/json').end(JSON.stringify(isBatch ? answers : answers[0]));
}
