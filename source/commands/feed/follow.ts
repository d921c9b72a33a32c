import type {Client} from '../../client/client.ts';
import type {Feed, FeedEvent, FeedRequest} from '../../client/feed/feed-events.ts';
import {explain} from '../../errors.ts';
import {onEndSignal} from '../process/end-signals.ts';

/** Maximum number of bytes waiting for the reader. A full view of a hundred tokens is near one million. */
const MAX_WAITING = 8_000_000;

const STUCK_AFTER_MS = 1_000;

/**
 * Prints every event of the feed as one line of JSON until a signal to end or an error. For a reader that is slower than the
 * feed, the feed pauses and then sends full views: nothing piles up.
 * @throws PulsetopError when the service refuses the request
 */
export async function followFeed(client: Client, request: FeedRequest): Promise<void> {
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	let feed: Feed | undefined;
	let isPaused = false;
	const onEvent = (event: FeedEvent) => {
		if (event.type === 'problem' && event.error.next === 'fix-input') reject(event.error);
		if (event.type === 'link' && event.link.phase === 'refused' && event.link.error) reject(event.link.error);
		const lines = asLines(event);
		if (lines.length === 0) return;
		for (const line of lines) process.stdout.write(`${JSON.stringify(line)}\n`);
		if (isPaused || process.stdout.writableLength < MAX_WAITING) return;
		isPaused = true;
		feed?.pause();
		process.stdout.once('drain', () => {
			isPaused = false;
			feed?.resume();
		});
	};
	const stop = () => {
		unlisten();
		resolve();
		// The program must end even when its reader is stuck.
		setTimeout(() => process.exit(0), STUCK_AFTER_MS).unref();
	};
	const unlisten = onEndSignal(stop);
	try {
		feed = client.openFeed({request, onEvent});
		await promise;
	} finally {
		feed?.close();
		unlisten();
	}
}

/** The JSON lines of an event; none for changes of the connection, whose errors arrive as problems. */
export function asLines(event: FeedEvent): readonly object[] {
	if (event.type !== 'snapshot') return [asLine(event) ?? []].flat();
	const {view, atMs, entries, missed} = event;
	const snapshot = {type: 'snapshot', view, atMs, tokens: entries};
	// They came, and the full view says that they are gone.
	return missed ? [{type: 'change', view, atMs, upserts: missed, removed: []}, snapshot] : [snapshot];
}

function asLine(event: Exclude<FeedEvent, {type: 'snapshot'}>): object | undefined {
	switch (event.type) {
		case 'change':
			return {type: 'change', view: event.view, atMs: event.atMs, upserts: event.upserts, removed: event.removed};
		case 'total':
			return {type: 'total', view: event.view, atMs: event.atMs, total: event.total};
		case 'problem':
			return {type: 'problem', view: event.view, atMs: event.atMs, error: explain(event.error)};
		case 'resumed': {
			const {atMs, movedTo, isRecovered, gapMs} = event;
			return {type: 'resumed', atMs, movedTo, recovered: isRecovered, gapMs};
		}
		case 'link':
			return undefined;
	}
}
