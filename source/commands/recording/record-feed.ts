import type {Client} from '../../client/client.ts';
import type {Feed, FeedEvent, FeedRequest} from '../../client/feed/feed-events.ts';
import {headerLine} from '../../contract/recording.ts';
import {createRecordingEncoder} from '../../contract/recording-encode.ts';
import {steadyNow} from '../../steady-clock.ts';
import type {RecordingWriter} from './recording-writer.ts';

/** A summary of a finished recording. */
export interface Recorded {
	/** Unix ms. */
	readonly fromMs: number;
	readonly toMs: number;
	readonly views: readonly string[];
	/** Lines between the first and the last. */
	readonly events: number;
}

/**
 * Writes the events of the feed until `ending` resolves. An outage of the service leaves a gap.
 * @throws PulsetopError when the service refuses the request; RecordingNotWritten
 */
export async function recordFeed(
	client: Client,
	request: FeedRequest,
	{writer, ending, onTrouble}: {writer: RecordingWriter; ending: Promise<void>; onTrouble: (text: string) => void},
): Promise<Recorded> {
	const fromMs = steadyNow();
	const encoder = createRecordingEncoder();
	const refused = Promise.withResolvers<never>();
	let events = 0;
	let feed: Feed | undefined;
	let isPaused = false;

	function write(line: string | undefined): void {
		if (line === undefined) return;
		events++;
		if (writer.write(line) || isPaused) return;
		// For a slow disk the feed pauses and then sends full views: nothing piles up.
		isPaused = true;
		feed?.pause();
		void writer.drained().then(() => {
			isPaused = false;
			feed?.resume();
		});
	}

	function onEvent(event: FeedEvent): void {
		if (event.type === 'snapshot') {
			const {view, atMs, missed: upserts} = event;
			// They came, and the full view says that they are gone.
			if (upserts) write(encoder.line({type: 'change', view, atMs, upserts, removed: []}));
			write(encoder.line({type: 'snapshot', view: event.view, atMs: event.atMs, tokens: event.entries}));
		}
		if (event.type === 'change') write(encoder.line(event));
		if (event.type === 'link' && event.link.phase === 'refused' && event.link.error) refused.reject(event.link.error);
		if (event.type !== 'problem') return;
		if (event.error.next === 'fix-input') refused.reject(event.error);
		else onTrouble(`${event.error.message}: ${event.error.why}`);
	}

	writer.write(headerLine({atMs: fromMs, views: request.views}));
	try {
		feed = client.openFeed({request, onEvent, totalsEveryMs: 0});
		await Promise.race([ending, refused.promise, writer.failure]);
	} finally {
		feed?.close();
	}
	const toMs = steadyNow();
	writer.write(encoder.line({type: 'end', atMs: toMs})!);
	return {fromMs, toMs, views: Object.keys(request.views), events};
}
