import type {Addresses} from '../addresses.ts';
import type {LearningClock} from '../clock.ts';
import {createEventQueue} from '../feed/event-queue.ts';
import {
	type Feed,
	type FeedEvent,
	type FeedOptions,
	FIRST_LINK,
	type LinkState,
	type ViewStatus,
} from '../feed/feed-events.ts';
import {DeltaDecoder} from './delta-encoder.ts';
import {RemoteError} from './remote-error.ts';
import type {
	FeedCommand,
	FeedUpdate,
	FromThread,
	SerializedEvent,
	SerializedLink,
	ToThread,
	ViewDelta,
} from './thread-messages.ts';

/** The proxy of a feed that runs in another thread (see feed-host.ts); `link` and `view` are as of the last message. */
export interface RemoteFeed extends Feed {
	/** Takes a message of the feed host. */
	onMessage(message: FromThread): void;
}

export interface RemoteFeedParts {
	readonly id: number;
	readonly options: FeedOptions;
	readonly send: (message: ToThread) => void;
	readonly clock: LearningClock;
	readonly addresses: Addresses;
	readonly onClose: () => void;
}

/** Opens a feed in the other thread, and returns its proxy. */
export function openRemoteFeed({id, options, send, clock, addresses, onClose}: RemoteFeedParts): RemoteFeed {
	const {onEvent, ...rest} = options;
	const queue = createEventQueue<FeedEvent>(onEvent);
	const decoders = new Map<string, DeltaDecoder>();
	const refreshes = new Map<number, PromiseWithResolvers<void>>();
	/** By view: the last command that replaces the data before it. */
	const validFrom = new Map<string, number>();
	let names: readonly string[] = Object.keys(options.request.views);
	let commands = 0;
	let isClosed = false;
	let link = FIRST_LINK;
	let views: ReadonlyMap<string, ViewStatus> = new Map();
	let learntAtMs: number | undefined;
	send({kind: 'open', feed: id, options: rest});

	function command(what: FeedCommand): number {
		send({kind: 'command', feed: id, number: ++commands, ...what});
		return commands;
	}

	/** Drops data of these views from before the command, data on their way included. */
	function dropBefore(number: number, of: readonly string[]): void {
		for (const view of of) validFrom.set(view, number);
	}

	function applyUpdate({lastCommand, data, events, ...now}: FeedUpdate): void {
		const servedBefore = link.address;
		link = deserializeLink(now.link);
		if (link.address !== undefined && link.address !== servedBefore) addresses.prefer(link.address);
		views = now.views;
		if (now.clock && now.clock.atMs !== learntAtMs) {
			learntAtMs = now.clock.atMs;
			clock.adopt(now.clock);
		}
		for (const part of data) emitData(part, lastCommand);
		for (const event of events) emitEvent(event, lastCommand);
	}

	function emitData(part: ViewDelta, lastCommand: number): void {
		const {view, removed, atMs, source} = part;
		const decoder = decoders.get(view) ?? new DeltaDecoder();
		decoders.set(view, decoder);
		// Stale data is decoded as well: the next deltas build on it.
		const {snapshot, missed, upserts} = decoder.decode(part);
		if (isStale(view, lastCommand)) return;
		if (snapshot && source)
			queue.push({type: 'snapshot', view, entries: snapshot, atMs, source, ...(missed && {missed})});
		if (upserts.length + removed.length > 0) queue.push({type: 'change', view, upserts, removed, atMs});
	}

	function emitEvent(event: SerializedEvent, lastCommand: number): void {
		if (event.type === 'link') queue.push({type: 'link', link});
		else if (event.type === 'resumed') queue.push(event);
		else if (event.view !== undefined && isStale(event.view, lastCommand)) return;
		else if (event.type === 'total') queue.push(event);
		else queue.push({...event, error: new RemoteError(event.error)});
	}

	function isStale(view: string, lastCommand: number): boolean {
		return lastCommand < (validFrom.get(view) ?? 0);
	}

	return {
		get link() {
			return isClosed ? {...link, phase: 'closed' as const} : link;
		},
		view: name => views.get(name),
		setView(view, request) {
			if (isClosed) return;
			if (!names.includes(view)) names = [...names, view];
			dropBefore(command({method: 'setView', view, request}), [view]);
		},
		removeView(view) {
			if (isClosed) return;
			names = names.filter(name => name !== view);
			dropBefore(command({method: 'removeView', view}), [view]);
		},
		pause(paused) {
			if (!isClosed) dropBefore(command({method: 'pause', views: paused}), paused ?? names);
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
		onMessage(message) {
			if (message.kind === 'update') {
				applyUpdate(message);
				if (!isClosed) send({kind: 'received', feed: id});
				return;
			}
			const waiting = refreshes.get(message.number);
			refreshes.delete(message.number);
			if (message.error) waiting?.reject(new RemoteError(message.error));
			else waiting?.resolve();
		},
	};
}

function deserializeLink({error, ...link}: SerializedLink): LinkState {
	return {...link, ...(error && {error: new RemoteError(error)})};
}
