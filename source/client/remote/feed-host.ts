import {explain} from '../../errors.ts';
import {PACING_MS} from '../../pacing.ts';
import {FeedBuffer} from '../feed/feed-buffer.ts';
import type {FeedClient} from '../feed/feed-client.ts';
import type {FeedEvent, FeedOptions, LinkState, ViewStatus} from '../feed/feed-events.ts';
import {DeltaEncoder} from './delta-encoder.ts';
import type {FeedCommand, FeedUpdate, FromThread, SerializedEvent, SerializedLink} from './thread-messages.ts';

/** A feed of this thread that another thread reads through a remote feed (see remote-feed.ts). */
export interface FeedHost {
	/** Performs a command of the reader; events before the command are sent before it is acknowledged. */
	handleCommand(number: number, command: FeedCommand): void;
	/** The reader has received the last message. */
	onReceived(): void;
}

/** Snapshots are sent at once, since the user waits for first rows and another sort; but no more than this many in a row. */
const QUICK_SENDS = 8;

/**
 * Opens a feed and sends its events to another thread: changes conflated, every other event at once. Until the reader has
 * received the last message, changes are conflated to the newest state of each token, however fast a service sends.
 * @param post sends one message with everything since the message before
 */
export function createFeedHost(
	client: FeedClient,
	id: number,
	options: Omit<FeedOptions, 'onEvent'>,
	post: (message: FromThread) => void,
): FeedHost {
	const buffer = new FeedBuffer();
	const encoders = new Map<string, DeltaEncoder>();
	const names = new Set(Object.keys(options.request.views));
	let events: SerializedEvent[] = [];
	let lastCommand = 0;
	let sentMs = Number.NEGATIVE_INFINITY;
	let timer: NodeJS.Timeout | undefined;
	let isReceived = true;
	let quickSends = 0;
	const feed = client.openFeed({...options, onEvent});

	const isPending = (): boolean => !buffer.isEmpty || events.length > 0;

	/** Sends pending events when PACING_MS.feedThread has passed, if the reader has received the last message. */
	function sendSoon(): void {
		if (isReceived) timer ??= setTimeout(sendNow, Math.max(sentMs + PACING_MS.feedThread - performance.now(), 0));
	}

	/** Sends pending events at the end of this turn of the event loop, in one message. */
	function sendAtOnce(): void {
		if (performance.now() - sentMs >= PACING_MS.feedThread) quickSends = 0;
		if (!isReceived || quickSends >= QUICK_SENDS) {
			sendSoon();
			return;
		}
		quickSends++;
		queueMicrotask(() => {
			if (isPending() && isReceived) sendNow();
		});
	}

	/** Buffers data of a view; the data supersede an unsent problem of that view. */
	function bufferData(event: Extract<FeedEvent, {type: 'change' | 'snapshot'}>): void {
		if (events.length > 0)
			events = events.filter(({type, ...of}) => type !== 'problem' || ('view' in of && of.view !== event.view));
		buffer.add(event.view, event);
	}

	function onEvent(event: FeedEvent): void {
		switch (event.type) {
			case 'change':
				bufferData(event);
				sendSoon();
				return;
			case 'snapshot':
				bufferData(event);
				break;
			case 'link':
				events = [...events.filter(({type}) => type !== 'link'), {type: 'link'}];
				break;
			case 'total':
				events = [
					...events.filter(({type, ...of}) => type !== 'total' || !('view' in of) || of.view !== event.view),
					event,
				];
				break;
			case 'resumed':
				events.push(event);
				break;
			case 'problem':
				// Sent before later data of the view: those data show that the problem is over.
				events.push({...event, error: explain(event.error)});
				if (isReceived) sendNow();
				return;
		}
		sendAtOnce();
	}

	function sendNow(): void {
		clearTimeout(timer);
		timer = undefined;
		sentMs = performance.now();
		const data = [...buffer.drain()].map(([view, changes]) => encoderOf(view).encode(view, changes));
		const message: FeedUpdate = {
			kind: 'update',
			feed: id,
			lastCommand,
			data,
			events,
			link: serializeLink(feed.link),
			views: statuses(),
			clock: client.clock.bounds,
		};
		events = [];
		isReceived = false;
		post(message);
	}

	function encoderOf(view: string): DeltaEncoder {
		const encoder = encoders.get(view) ?? new DeltaEncoder();
		encoders.set(view, encoder);
		return encoder;
	}

	function statuses(): ReadonlyMap<string, ViewStatus> {
		return new Map(
			[...names].flatMap(name => {
				const status = feed.view(name);
				return status ? [[name, status]] : [];
			}),
		);
	}

	async function refresh(number: number, views: readonly string[] | undefined): Promise<void> {
		const error = await feed.refresh(views).then(() => undefined, explain);
		sendNow();
		post({kind: 'refreshed', feed: id, number, error});
	}

	function perform(number: number, command: FeedCommand): void {
		switch (command.method) {
			case 'setView':
				names.add(command.view);
				feed.setView(command.view, command.request);
				break;
			case 'removeView':
				names.delete(command.view);
				feed.removeView(command.view);
				break;
			case 'pause':
				feed.pause(command.views);
				break;
			case 'resume':
				feed.resume(command.views);
				break;
			case 'refresh':
				void refresh(number, command.views);
				break;
			case 'retryNow':
				feed.retryNow();
				break;
			case 'close':
				clearTimeout(timer);
				feed.close();
		}
	}

	return {
		handleCommand(number, command) {
			if (isPending()) sendNow();
			lastCommand = number;
			perform(number, command);
			if (command.method !== 'close') sendNow();
		},
		onReceived() {
			isReceived = true;
			if (isPending()) sendSoon();
		},
	};
}

function serializeLink({error, ...link}: LinkState): SerializedLink {
	return {...link, ...(error && {error: explain(error)})};
}
