import type {LearningClock} from '../clock.ts';
import {createEventQueue} from '../event-queue.ts';
import type {Feed, FeedEvent, FeedOptions, LinkState, ViewStatus} from '../feed-events.ts';
import {NewsUnpacker} from './news-packer.ts';
import type {
	FeedCommand,
	FeedNews,
	FromThread,
	PackedEvent,
	PackedLink,
	PackedNews,
	ToThread,
} from './thread-messages.ts';
import {ToldError} from './told-error.ts';

/** A feed that runs in another thread; `link` and `view` are as of its last message. */
export interface DistantFeed extends Feed {
	/** A message of the feed over there. */
	hear(message: FromThread): void;
}

export interface DistantFeedParts {
	readonly id: number;
	readonly options: FeedOptions;
	readonly send: (message: ToThread) => void;
	readonly clock: LearningClock;
	readonly onClose: () => void;
}

const NOT_YET: LinkState = {
	phase: 'connecting',
	attempt: 0,
	bytesIn: 0,
	bytesPerSecond: 0,
	framesIn: 0,
	framesPerSecond: 0,
	droppedEntries: 0,
	badFrames: 0,
	lateFrames: 0,
	reconnects: 0,
};

/** Opens a feed in the other thread. */
export function distantFeed({id, options, send, clock, onClose}: DistantFeedParts): DistantFeed {
	const {onEvent, ...rest} = options;
	const queue = createEventQueue<FeedEvent>(onEvent);
	const unpackers = new Map<string, NewsUnpacker>();
	const refreshes = new Map<number, PromiseWithResolvers<void>>();
	/** By view: the last command that makes what was told before it void. */
	const voidBefore = new Map<string, number>();
	let names: readonly string[] = Object.keys(options.request.views);
	let commands = 0;
	let isClosed = false;
	let link = NOT_YET;
	let views: ReadonlyMap<string, ViewStatus> = new Map();
	let learntAtMs: number | undefined;
	send({kind: 'open', feed: id, options: rest});

	function command(what: FeedCommand): number {
		send({kind: 'command', feed: id, number: ++commands, ...what});
		return commands;
	}

	/** What the views told before the command does not count any more, also if it is on its way. */
	function voidUntil(number: number, of: readonly string[]): void {
		for (const view of of) voidBefore.set(view, number);
	}

	function news({obeyed, data, events, ...now}: FeedNews): void {
		link = unpackedLink(now.link);
		views = now.views;
		if (now.clock && now.clock.atMs !== learntAtMs) {
			learntAtMs = now.clock.atMs;
			clock.adopt(now.clock);
		}
		for (const part of data) tellData(part, obeyed);
		for (const event of events) tellEvent(event, obeyed);
	}

	function tellData(part: PackedNews, obeyed: number): void {
		const {view, removed, atMs, source} = part;
		const unpacker = unpackers.get(view) ?? new NewsUnpacker();
		unpackers.set(view, unpacker);
		// Also what is void is taken in: the next changes build on it.
		const {snapshot, upserts} = unpacker.unpack(part);
		if (isVoid(view, obeyed)) return;
		if (snapshot && source) queue.push({type: 'snapshot', view, entries: snapshot, atMs, source});
		if (upserts.length + removed.length > 0) queue.push({type: 'change', view, upserts, removed, atMs});
	}

	function tellEvent(event: PackedEvent, obeyed: number): void {
		if (event.type === 'link') queue.push({type: 'link', link});
		else if (event.view !== undefined && isVoid(event.view, obeyed)) return;
		else if (event.type === 'total') queue.push(event);
		else queue.push({...event, error: new ToldError(event.error)});
	}

	function isVoid(view: string, obeyed: number): boolean {
		return obeyed < (voidBefore.get(view) ?? 0);
	}

	return {
		get link() {
			return isClosed ? {...link, phase: 'closed' as const} : link;
		},
		view: name => views.get(name),
		setView(view, request) {
			if (isClosed) return;
			if (!names.includes(view)) names = [...names, view];
			voidUntil(command({method: 'setView', view, request}), [view]);
		},
		removeView(view) {
			if (isClosed) return;
			names = names.filter(name => name !== view);
			voidUntil(command({method: 'removeView', view}), [view]);
		},
		pause(paused) {
			if (!isClosed) voidUntil(command({method: 'pause', views: paused}), paused ?? names);
		},
		resume(resumed) {
			if (!isClosed) command({method: 'resume', views: resumed});
		},
		retryNow() {
			if (!isClosed) command({method: 'retryNow'});
		},
		async refresh(refreshed) {
			if (isClosed) return;
			const waiting = Promise.withResolvers<void>();
			refreshes.set(command({method: 'refresh', views: refreshed}), waiting);
			await waiting.promise;
		},
		close() {
			if (isClosed) return;
			isClosed = true;
			queue.close();
			for (const {resolve} of refreshes.values()) resolve();
			command({method: 'close'});
			onClose();
		},
		hear(message) {
			if (message.kind === 'news') {
				news(message);
				if (!isClosed) send({kind: 'taken', feed: id});
				return;
			}
			const waiting = refreshes.get(message.number);
			refreshes.delete(message.number);
			if (message.error) waiting?.reject(new ToldError(message.error));
			else waiting?.resolve();
		},
	};
}

function unpackedLink({error, ...link}: PackedLink): LinkState {
	return {...link, ...(error && {error: new ToldError(error)})};
}
