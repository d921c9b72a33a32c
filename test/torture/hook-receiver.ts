import {createServer} from 'node:http';
import {listenOnLoopback} from '../helpers/loopback.ts';

/** A webhook's target that keeps count: what was tried, and what it has taken. */
export interface HookReceiver {
	readonly url: string;
	/** Deliveries that came at all, and how often. */
	readonly tried: ReadonlyMap<string, number>;
	/** Deliveries that were answered with 200. */
	readonly taken: ReadonlySet<string>;
	close(): Promise<void>;
}

const SLOW_MS = 200;

/** Of the deliveries that come for the first time every tenth is refused, every tenth cut, every tenth cut late. */
export async function openHookReceiver(): Promise<HookReceiver> {
	const tried = new Map<string, number>();
	const taken = new Set<string>();
	const server = createServer((request, response) => {
		request.resume().on('end', () => {
			const id = String(request.headers['x-webhook-delivery']);
			const times = (tried.get(id) ?? 0) + 1;
			tried.set(id, times);
			const mood = times === 1 ? tried.size % 10 : -1;
			if (mood === 0) response.writeHead(500).end();
			else if (mood === 1) request.socket.destroy();
			else if (mood === 2) setTimeout(() => request.socket.destroy(), SLOW_MS);
			else {
				taken.add(id);
				response.writeHead(200).end();
			}
		});
	});
	const {url, close} = await listenOnLoopback(server);
	return {
		url: `${url}/hook`,
		tried,
		taken,
		close,
	};
}
