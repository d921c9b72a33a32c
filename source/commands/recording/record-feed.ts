import type {Client} from '../../client/client.ts';
import type {Feed, FeedEvent, FeedRequest} from '../../client/feed/feed-events.ts';
import {headerLine} from '../../contract/recording.ts';
import {createRecordingEncoder} from '../../contract/recording-encode.ts';
import type {RecordingWriter} from './recording-writer.ts';

/** What was recorded. */
export interface Recorded {
	/** Unix ms. */
	readonly fromMs: number;
	readonly toMs: number;
	readonly views: readonly string[];
	/** Lines between the first and the last. */
	readonly events: number;
}

/**
 * Writes what the feed tells until `ending` resolves. A service that can't be reached for a while leaves a gap.
 * @throws PulsetopError when the service refuses what is asked, or the file can't be written on
 */
export async function recordFeed(
	client: Client,
	request: FeedRequest,
	{writer, ending, onTrouble}: {writer: RecordingWriter; ending: Promise<void>; onTrouble: (words: string) => void},
): Promise<Recorded> {
	const fromMs = Date.now();
	const encoder = createRecordingEncoder();
	const refused = Promise.withResolvers<never>();
	let events = 0;
	let feed: Feed | undefined;
	let isHeld = false;

	function write(line: string | undefined): void {
		if (line === undefined) return;
		events++;
		if (writer.write(line) || isHeld) return;
		// A slow disk gets full views later instead of all that happened meanwhile: nothing piles up.
		isHeld = true;
		feed?.pause();
		void writer.drained().then(() => {
			isHeld = false;
			feed?.resume();
		});
	}

	function onEvent(event: FeedEvent): void {
		if (event.type === 'snapshot') {
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
	const toMs = Date.now();
	writer.write(encoder.line({type: 'end', atMs: toMs})!);
	return {fromMs, toMs, views: Object.keys(request.views), events};
}
