import {createServer, type Server} from 'node:http';
import {listenOnLoopback} from './loopback.ts';

/** A foreign service: it answers the pulse over REST alone, with the entries it is given, and knows nothing else. */
export interface PlainService {
	readonly url: string;
	/** Requests, oldest first. */
	readonly asked: {readonly method: string; readonly path: string; readonly body: string}[];
	close(): Promise<void>;
}

/** @param entriesOf the wire entries of a view, called at each request */
export async function openPlainService(
	entriesOf: (view: string) => readonly Record<string, unknown>[],
): Promise<PlainService> {
	const asked: PlainService['asked'] = [];
	const server: Server = createServer((request, response) => {
		let body = '';
		request.setEncoding('utf8').on('data', chunk => {
			body += chunk;
		});
		request.on('end', () => {
			const path = request.url?.split('?')[0] ?? '';
			asked.push({method: request.method ?? '', path, body});
			const views = path === '/api/2/pulse' && request.method === 'POST' ? Object.keys(viewsIn(body)) : undefined;
			response.writeHead(views ? 200 : 404, {'content-type': 'application/json'});
			const answer = views
				? Object.fromEntries(views.map(view => [view, {data: entriesOf(view)}]))
				: {statusCode: 404, message: `Cannot ${request.method} ${path}`, error: 'Not Found'};
			response.end(JSON.stringify(answer));
		});
	});
	return {
		...(await listenOnLoopback(server)),
		asked,
	};
}

function viewsIn(body: string): Record<string, unknown> {
	const {views = []} = JSON.parse(body) as {views?: {name: string}[]};
	return Object.fromEntries(views.map(view => [view.name, view]));
}
