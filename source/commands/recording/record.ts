import type {FeedRequest, ViewRequest} from '../../client/feed/feed-events.ts';
import type {Config} from '../../config/config.ts';
import {DEFAULT_SAVED_VIEW} from '../../monitor/saved-views/saved-view.ts';
import {PHASES, VIEWS, type ViewName} from '../../monitor/views.ts';
import {requestFor} from '../feed/view-request.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {oneOperand} from '../line/operands.ts';
import {jsonText, print} from '../output/output.ts';
import {keepHeapsSmall} from '../process/small-heaps.ts';
import {untilInterrupted} from '../process/until-interrupted.ts';
import {withClient} from '../service/with-client.ts';
import {type Recorded, recordFeed} from './record-feed.ts';
import {createRecording} from './recording-writer.ts';

/** The largest window of a service: a replay filters and sorts the recorded tokens. */
const LIMIT = 100;

/**
 * `pulsetop record FILE`: writes the feed to a file until it is interrupted or the time is over.
 * @returns the exit code
 * @throws UsageError; RecordingNotWritten; the errors of the client
 */
export async function record({flags, operands, readConfig}: Call): Promise<number> {
	keepHeapsSmall();
	const path = oneOperand(operands, 'FILE');
	const config = await readConfig();
	const names = flags.has('view') ? VIEWS.filter(view => flags.all('view').includes(view)) : PHASES;
	const request: FeedRequest = {
		assetMode: true,
		views: Object.fromEntries(names.map(name => [name, requestOf(name, config, flags)])),
	};
	const forMs = flags.duration('for');
	const interruption = untilInterrupted();
	const writer = await createRecording(path, {replaces: flags.has('force')});
	const say = (text: string): void => void process.stderr.write(`pulsetop: ${text}\n`);
	if (process.stderr.isTTY) say(`recording to ${path}; Ctrl+C ends it.`);
	try {
		const write = (client: Parameters<typeof recordFeed>[0]) => {
			// The start of an embedded service does not count.
			interruption.startTimer(forMs);
			return recordFeed(client, request, {writer, ending: interruption.interrupted, onTrouble: say});
		};
		const recorded = await withClient(config, write, {isLive: true});
		await writer.close();
		await print((flags.has('json') ? asJson : asText)(path, recorded, writer.bytes));
	} catch (error) {
		// The part that was recorded stays readable.
		await writer.close().catch(() => {});
		throw error;
	} finally {
		interruption.dispose();
	}
	return 0;
}

/** The requests of the monitor's columns, unless flags or configuration change them: a replay shows what the monitor would have shown. */
function requestOf(view: ViewName, config: Config, flags: Flags): ViewRequest {
	const {sortBy, sortOrder} = DEFAULT_SAVED_VIEW.columns[view];
	const isSorted = flags.has('sort') || config.columns[view].sort !== undefined;
	const limit = flags.wholeNumber('limit', {from: 1, to: 100}) ?? LIMIT;
	return {...requestFor(view, config, flags), ...(!isSorted && {sortBy, sortOrder}), limit};
}

function asJson(file: string, {fromMs, toMs, views, events}: Recorded, bytes: number): string {
	return jsonText({schema: 'pulsetop.record/1', file, fromMs, toMs, views, events, bytes});
}

function asText(file: string, {fromMs, toMs, views, events}: Recorded, bytes: number): string {
	const seconds = Math.round((toMs - fromMs) / 1000);
	return `${file}: ${seconds} s of ${views.join(', ')}; ${events} lines in ${Math.ceil(bytes / 1000)} kB\n`;
}
