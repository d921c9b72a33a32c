import {explain} from '../../errors.ts';
import {FeedBuffer} from '../feed-buffer.ts';
import type {FeedClient} from '../feed-client.ts';
import type {FeedEvent, FeedOptions, LinkState, ViewStatus} from '../feed-events.ts';
import {NewsPacker} from './news-packer.ts';
import type {FeedCommand, FeedNews, FromThread, PackedEvent, PackedLink} from './thread-messages.ts';

/** A feed that runs here and is read in another thread. */
export interface HostedFeed {
	/** Does what the other side asked for; what happened before it is told before. */
	obey(number: number, command: FeedCommand): void;
	/** The other side has taken in what it was sent last. */
	onTaken(): void;
}

/** Changes are sent at most this often: more than the screen shows would be in vain. */
const EVERY_MS = 100;
/** Full states are sent at once, for the first rows and another sort are waited for; but no more than this in a row. */
const QUICK_SENDS = 8;

/**
 * Opens a feed and sends what happens to it: changes gathered, everything else at once. While the other side has not taken
 * in the last message everything is gathered, the newest state of each token alone, however fast a service sends.
 * @param tell is given one message for all that happened since the one before
 */
export function hostFeed(
	client: FeedClient,
	id: number,
	options: Omit<FeedOptions, 'onEvent'>,
	tell: (message: FromThread) => void,
): HostedFeed {
	const buffer = new FeedBuffer();
	const packers = new Map<string, NewsPacker>();
	const names = new Set(Object.keys(options.request.views));
	let events: PackedEvent[] = [];
	let obeyed = 0;
	let toldMs = Number.NEGATIVE_INFINITY;
	let timer: NodeJS.Timeout | undefined;
	let isTaken = true;
	let quickSends = 0;
	const feed = client.openFeed({...options, onEvent});

	const isPending = (): boolean => !buffer.isEmpty || events.length > 0;

	/** Sends what waits when its time has come, if there is room for it. */
	function sendSoon(): void {
		if (isTaken) timer ??= setTimeout(tellNow, Math.max(toldMs + EVERY_MS - performance.now(), 0));
	}

	/** Sends at once what a person waits for, together with what comes in the same turn. */
	function sendAtOnce(): void {
		if (performance.now() - toldMs >= EVERY_MS) quickSends = 0;
		if (!isTaken || quickSends >= QUICK_SENDS) {
			sendSoon();
			return;
		}
		quickSends++;
		queueMicrotask(() => {
			if (isPending() && isTaken) tellNow();
		});
	}

	/** Data of a view show that the trouble is over which was to be reported before them. */
	function gather(event: Extract<FeedEvent, {type: 'change' | 'snapshot'}>): void {
		if (events.length > 0)
			events = events.filter(({type, ...of}) => type !== 'problem' || ('view' in of && of.view !== event.view));
		buffer.add(event.view, event);
	}

	function onEvent(event: FeedEvent): void {
		switch (event.type) {
			case 'change':
				gather(event);
				sendSoon();
				return;
			case 'snapshot':
				gather(event);
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
			case 'problem':
				// Its place among the data counts: data that comes after it shows that it is over.
				events.push({...event, error: explain(event.error)});
				if (isTaken) tellNow();
				return;
		}
		sendAtOnce();
	}

	function tellNow(): void {
		clearTimeout(timer);
		timer = undefined;
		toldMs = performance.now();
		const data = [...buffer.drain()].map(([view, news]) => packerOf(view).pack(view, news));
		const message: FeedNews = {
			kind: 'news',
			feed: id,
			obeyed,
			data,
			events,
			link: packedLink(feed.link),
			views: statuses(),
			clock: client.clock.bounds,
		};
		events = [];
		isTaken = false;
		tell(message);
	}

	function packerOf(view: string): NewsPacker {
		const packer = packers.get(view) ?? new NewsPacker();
		packers.set(view, packer);
		return packer;
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
		tellNow();
		tell({kind: 'refreshed', feed: id, number, error});
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
		obey(number, command) {
			if (isPending()) tellNow();
			obeyed = number;
			perform(number, command);
			if (command.method !== 'close') tellNow();
		},
		onTaken() {
			isTaken = true;
			if (isPending()) sendSoon();
		},
	};
}

function packedLink({error, ...link}: LinkState): PackedLink {
	return {...link, ...(error && {error: explain(error)})};
}
