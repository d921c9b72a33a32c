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
}

/** Changes are told at most this often: more than the screen shows would be in vain. */
const EVERY_MS = 100;

/**
 * Opens a feed and tells what happens to it: changes gathered, everything else at once.
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
	const feed = client.openFeed({...options, onEvent});

	function onEvent(event: FeedEvent): void {
		switch (event.type) {
			case 'change':
				buffer.add(event.view, event);
				timer ??= setTimeout(tellNow, Math.max(toldMs + EVERY_MS - performance.now(), 0));
				return;
			case 'snapshot':
				buffer.add(event.view, event);
				break;
			case 'link':
				events = [...events.filter(({type}) => type !== 'link'), {type: 'link'}];
				break;
			case 'total':
				events.push(event);
				break;
			case 'problem':
				// Its place among the data counts: data that comes after it shows that it is over.
				events.push({...event, error: explain(event.error)});
				tellNow();
				return;
		}
		// Together with what comes in the same breath.
		queueMicrotask(() => {
			if (!buffer.isEmpty || events.length > 0) tellNow();
		});
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
			if (!buffer.isEmpty || events.length > 0) tellNow();
			obeyed = number;
			perform(number, command);
			if (command.method !== 'close') tellNow();
		},
	};
}

function packedLink({error, ...link}: LinkState): PackedLink {
	return {...link, ...(error && {error: explain(error)})};
}
