import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {parentPort, workerData} from 'node:worker_threads';
import {WebSocketServer} from 'ws';

/*
 * A service that sends a given number of updates a second, of tokens that are on screen: entries as the embedded service
 * writes them, each with new figures. Runs in a worker, so that what it costs is not counted as the monitor's.
 */

type WireEntry = Record<string, unknown>;

const {entries, perSecond} = workerData as {entries: Readonly<Record<string, WireEntry[]>>; perSecond: number};
const EVERY_MS = 50;

/** One trade: price and all that follows from it. */
function traded(entry: WireEntry): WireEntry {
	const factor = 1 + (Math.random() - 0.5) / 50;
	for (const name of ['price', 'latest_price', 'market_cap', 'marketCap', 'latest_market_cap'])
		entry[name] = Number(entry[name]) * factor;
	for (const window of ['1min', '5min', '15min', '1h', '4h', '6h', '12h', '24h']) {
		for (const name of ['volume', 'trades', 'buys'])
			entry[`${name}_${window}`] = Math.round(Number(entry[`${name}_${window}`])) + 1;
		entry[`price_change_${window}`] = (Number(entry[`price_change_${window}`]) || 0) + Math.random() - 0.5;
	}
	return entry;
}

const server = createServer((request, response) => {
	request.resume().on('end', () => {
		const path = request.url?.split('?')[0];
		response.writeHead(200, {'content-type': 'application/json'});
		const answer =
			path === '/api/2/pulse' ? Object.fromEntries(Object.entries(entries).map(([view, data]) => [view, {data}])) : {};
		response.end(JSON.stringify(answer));
	});
});

/** Names of the views that a subscription asks for. */
function viewsIn(payload: {views?: {name: string}[]}): string[] {
	return (payload.views ?? []).map(view => view.name).filter(name => entries[name] !== undefined);
}

new WebSocketServer({server}).on('connection', socket => {
	const subscriptions = new Map<string, string>();
	let due = 0;
	const timer = setInterval(() => {
		const views = [...subscriptions];
		if (views.length === 0) return;
		for (due += (perSecond * EVERY_MS) / 1000; due >= 1; due--) {
			const [viewName, subscriptionId] = views[Math.floor(Math.random() * views.length)]!;
			const data = entries[viewName]!;
			const token = traded(data[Math.floor(Math.random() * data.length)]!);
			socket.send(JSON.stringify({type: 'update-token', payload: {viewName, token}, subscriptionId}));
		}
	}, EVERY_MS);
	socket.on('message', raw => {
		const frame = JSON.parse(String(raw)) as {
			type?: string;
			event?: string;
			payload?: {subscriptionId?: string; views?: {name: string}[]};
		};
		if (frame.event === 'ping') socket.send('{"event":"pong"}');
		if (frame.type !== 'pulse-v2' || frame.payload?.subscriptionId === undefined) return;
		const {subscriptionId} = frame.payload;
		const names = viewsIn(frame.payload);
		for (const name of names) subscriptions.set(name, subscriptionId);
		socket.send(JSON.stringify({event: 'subscribed', type: 'pulse-v2', subscriptionId}));
		const payload = Object.fromEntries(names.map(name => [name, {data: entries[name]}]));
		socket.send(JSON.stringify({type: 'init', payload, subscriptionId}));
	});
	socket.on('close', () => clearInterval(timer));
});

server.listen(0, '127.0.0.1', () =>
	parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
