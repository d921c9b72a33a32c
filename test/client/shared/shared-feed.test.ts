import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {
	type Feed,
	type FeedEvent,
	type FeedOptions,
	FIRST_LINK,
	type ViewRequest,
	type ViewStatus,
} from '../../../source/client/feed/feed-events.ts';
import {type SharedFeeds, shareFeeds} from '../../../source/client/shared/shared-feed.ts';
import {type Entry, entryKey} from '../../../source/contract/entry.ts';
import {entryOf} from '../../helpers/entries.ts';
import {fc} from '../../helpers/properties.ts';

/** A service that is played by hand: what it is asked for, and what it says. */
class PlayedService {
	readonly views = new Map<string, ViewRequest>();
	readonly opened: FeedOptions[] = [];
	retries = 0;
	closed = 0;
	refreshed: readonly string[] = [];

	readonly openFeed = (options: FeedOptions): Feed => {
		this.opened.push(options);
		for (const [name, request] of Object.entries(options.request.views)) this.views.set(name, request);
		const service = this;
		return {
			link: {...FIRST_LINK, phase: 'live'},
			view: name => (service.views.has(name) ? ({isPending: false, isPaused: false} as ViewStatus) : undefined),
			setView: (name, request) => void service.views.set(name, request),
			removeView: name => void service.views.delete(name),
			pause() {},
			resume() {},
			retryNow: () => void service.retries++,
			refresh: async (names = []) => {
				service.refreshed = names;
			},
			close: () => void service.closed++,
		};
	};

	/** The service's name for the view of a model. */
	nameOf(model: string, sortBy?: string): string {
		return [...this.views].find(([, view]) => view.model === model && view.sortBy === sortBy)![0];
	}

	async say(event: FeedEvent): Promise<void> {
		this.opened[0]!.onEvent(event);
		await Promise.resolve();
		await Promise.resolve();
	}

	async snapshot(model: string, entries: readonly Entry[], sortBy?: string): Promise<void> {
		await this.say({type: 'snapshot', view: this.nameOf(model, sortBy), entries, atMs: 5, source: 'sync'});
	}
}

let service: PlayedService;
let feeds: SharedFeeds;
beforeEach(() => {
	service = new PlayedService();
	feeds = shareFeeds(service.openFeed);
});
afterEach(() => {
	feeds.close();
	vi.useRealTimers();
});

/** A reader, with the events of each of its views. */
function read(views: Readonly<Record<string, ViewRequest>>) {
	const heard: FeedEvent[] = [];
	const rows = new Map<string, Map<string, Entry>>();
	const feed = feeds.open({
		request: {assetMode: true, views},
		onEvent: event => {
			heard.push(event);
			if (event.type === 'snapshot') rows.set(event.view, new Map(event.entries.map(entry => [entry.key, entry])));
			if (event.type !== 'change') return;
			for (const key of event.removed) rows.get(event.view)?.delete(key);
			for (const entry of event.upserts) rows.get(event.view)?.set(entry.key, entry);
		},
	});
	const symbols = (view: string) => [...(rows.get(view)?.values() ?? [])].map(({symbol}) => symbol);
	return {feed, heard, symbols, rows};
}

const NEW = {model: 'new', limit: 50};
const A = entryOf('0x1', {symbol: 'A'});
const B = entryOf('0x2', {symbol: 'B'});
const turn = () => new Promise<void>(resolve => setImmediate(resolve));

test('equal requests are one view of the service, in whatever order they are written, and entries are shared', async () => {
	const one = read({new: NEW});
	const other = read({fresh: {limit: 50, model: 'new'}});
	expect([feeds.views, service.views.size, service.opened.length]).toEqual([1, 1, 1]);
	await service.snapshot('new', [A]);
	expect([one.symbols('new'), other.symbols('fresh')]).toEqual([['A'], ['A']]);
	expect(one.rows.get('new')!.get(A.key)).toBe(other.rows.get('fresh')!.get(A.key));
});

test('a later reader gets at once all that is known: rows with their changes, the total, the connection', async () => {
	read({new: NEW});
	await service.snapshot('new', [A]);
	const view = service.nameOf('new');
	await service.say({type: 'change', view, upserts: [B], removed: [A.key], atMs: 6});
	await service.say({type: 'total', view, total: 7, atMs: 6});
	const late = read({new: NEW});
	expect(late.heard).toEqual([]);
	await turn();
	expect(late.heard.map(({type}) => type)).toEqual(['link', 'snapshot', 'total']);
	expect(late.symbols('new')).toEqual(['B']);
	expect(late.feed.view('new')).toMatchObject({isPending: false, isPaused: false});
	expect(late.feed.link.phase).toBe('live');
});

test('a refused filter reaches its readers, and the next one who takes it, until there are rows', async () => {
	const own = {...NEW, filters: {mcap: 'x'}};
	const wrong = read({new: own});
	const right = read({new: NEW});
	const error = new Error('refused') as never;
	const [bad] = [...service.views].find(([, request]) => request.filters !== undefined)!;
	await service.say({type: 'problem', view: bad, error, atMs: 5});
	expect(wrong.heard.at(-1)).toMatchObject({type: 'problem', view: 'new', error});
	expect(right.heard.some(({type}) => type === 'problem')).toBe(false);
	const next = read({mine: own});
	await turn();
	expect(next.heard.at(-1)).toMatchObject({type: 'problem', view: 'mine'});
	await service.say({type: 'snapshot', view: bad, entries: [A], atMs: 6, source: 'sync'});
	const last = read({mine: own});
	await turn();
	expect(last.heard.map(({type}) => type)).toEqual(['link', 'snapshot']);
});

test('another sort of one reader changes nothing for the others', async () => {
	const one = read({new: NEW});
	const other = read({new: NEW});
	await service.snapshot('new', [A]);
	one.feed.setView('new', {...NEW, sortBy: 'market_cap'});
	expect(feeds.views).toBe(2);
	await service.snapshot('new', [B]);
	expect([one.symbols('new'), other.symbols('new')]).toEqual([['A'], ['B']]);
	await service.snapshot('new', [A, B], 'market_cap');
	expect([one.symbols('new'), other.symbols('new')]).toEqual([['A', 'B'], ['B']]);
});

test('a paused view stands still, and goes on with what is known by then', async () => {
	const one = read({new: NEW});
	const other = read({new: NEW});
	await service.snapshot('new', [A]);
	one.feed.pause();
	expect(one.feed.view('new')).toBeUndefined();
	await service.snapshot('new', [B]);
	expect([one.symbols('new'), other.symbols('new')]).toEqual([['A'], ['B']]);
	one.feed.resume();
	await turn();
	expect(one.symbols('new')).toEqual(['B']);
});

test('a view without readers is kept for half a minute, and then ends', async () => {
	vi.useFakeTimers();
	const one = read({new: NEW});
	one.feed.close();
	vi.advanceTimersByTime(29_999);
	expect(service.views.size).toBe(1);
	const back = read({new: NEW});
	vi.advanceTimersByTime(60_000);
	expect(service.views.size).toBe(1);
	back.feed.removeView('new');
	vi.advanceTimersByTime(30_000);
	expect([service.views.size, feeds.views]).toEqual([0, 0]);
});

test('the end of one reader is not that of another, and a closed one hears nothing', async () => {
	const one = read({new: NEW});
	const other = read({new: NEW});
	one.feed.close();
	await service.snapshot('new', [A]);
	expect([one.heard, other.symbols('new')]).toEqual([[], ['A']]);
});

test('a feed carries ninety views, and four feeds all: the next view is refused in words, unless one is no longer read', async () => {
	const own = (at: number) => ({...NEW, filters: {mcap: at}});
	const readers = Array.from({length: 90}, (_, at) => read({new: own(at)}));
	expect(service.opened).toHaveLength(1);
	readers.push(...Array.from({length: 270}, (_, at) => read({new: own(90 + at)})));
	expect([service.opened.length, service.views.size, feeds.views]).toEqual([4, 360, 360]);
	const late = read({new: own(360)});
	await turn();
	expect(late.heard.find(({type}) => type === 'problem')).toMatchObject({view: 'new', error: {code: 'too-many-views'}});
	readers[3]!.feed.close();
	const lucky = read({new: own(361)});
	await turn();
	expect(lucky.heard.some(({type}) => type === 'problem')).toBe(false);
	expect(service.views.size).toBe(360);
});

test('views of a further feed reach their readers, the connection is said once, and a feed without views ends', async () => {
	vi.useFakeTimers();
	for (let at = 0; at < 90; at++) read({new: {...NEW, filters: {mcap: at}}});
	const far = read({new: {...NEW, filters: {mcap: 90}}});
	const second = service.opened[1]!;
	const [view] = Object.keys(second.request.views);
	second.onEvent({type: 'snapshot', view: view!, entries: [A], atMs: 5, source: 'init'});
	second.onEvent({type: 'link', link: {...FIRST_LINK, phase: 'offline'}});
	await vi.advanceTimersByTimeAsync(1);
	expect(far.symbols('new')).toEqual(['A']);
	expect(far.feed.view('new')).toMatchObject({isPending: false});
	expect(far.heard.map(event => event.type === 'link' && event.link.phase)).not.toContain('offline');
	await far.feed.refresh();
	expect(service.refreshed).toEqual([view]);
	far.feed.close();
	await vi.advanceTimersByTimeAsync(30_000);
	expect(service.closed).toBe(1);
	// A further one is opened again when it is needed.
	read({new: {...NEW, filters: {mcap: 91}}});
	expect(service.opened).toHaveLength(3);
});

describe('tokens that readers keep in their views', () => {
	const C = entryOf('0x3', {symbol: 'C'});
	const D = entryOf('0x4', {symbol: 'D'});
	const keeping = (...tokens: readonly Entry[]) => ({...NEW, includeTokens: tokens.map(({address}) => address)});
	const known = (...entries: readonly Entry[]) =>
		service.say({type: 'snapshot', view: 'tokens', entries, atMs: 6, source: 'sync'});
	const changed = (model: string, upserts: readonly Entry[], removed: readonly Entry[] = []) =>
		service.say({
			type: 'change',
			view: model === 'tokens' ? model : service.nameOf(model),
			upserts,
			removed: removed.map(({key}) => key),
			atMs: 7,
		});

	test('a hundred readers with a token each are two views of the service', async () => {
		const tokens = Array.from({length: 100}, (_, at) => entryOf(`0xa${at}`, {symbol: `T${at}`}));
		const readers = tokens.map(token => read({new: keeping(token)}));
		expect([feeds.views, service.views.size]).toEqual([2, 2]);
		expect(service.views.get('tokens')!.includeTokens).toEqual(tokens.map(({address}) => address));
		await service.snapshot('new', [A]);
		await known(...tokens);
		expect(readers.map(({symbols}) => symbols('new'))).toEqual(tokens.map(({symbol}) => ['A', symbol]));
		expect(readers.flatMap(({heard}) => heard).filter(({type}) => type === 'problem')).toEqual([]);
	});

	test('stay when the view drops them, come with each full view, and go when nobody keeps them', async () => {
		const one = read({new: keeping(C)});
		const other = read({new: NEW});
		// No row before the rows of the view.
		await known(C);
		expect(one.symbols('new')).toEqual([]);
		await service.snapshot('new', [A, C]);
		await changed('new', [B], [C]);
		expect([one.symbols('new'), other.symbols('new')]).toEqual([
			['A', 'C', 'B'],
			['A', 'B'],
		]);
		await service.snapshot('new', [B]);
		expect([one.symbols('new'), other.symbols('new')]).toEqual([['B', 'C'], ['B']]);
		await changed('tokens', [{...C, symbol: 'C2'} as Entry]);
		expect(one.symbols('new')).toEqual(['B', 'C2']);
		// Another token in its place; the rows that are there stay.
		const snapshots = one.heard.filter(({type}) => type === 'snapshot').length;
		one.feed.setView('new', keeping(D));
		await turn();
		expect(one.symbols('new')).toEqual(['B']);
		expect(service.views.get('tokens')!.includeTokens).toEqual([C.address, D.address]);
		await known(C, D);
		expect(one.symbols('new')).toEqual(['B', 'D']);
		expect(one.heard.filter(({type}) => type === 'snapshot')).toHaveLength(snapshots);
		// The view has the token, too.
		await changed('new', [D]);
		one.feed.setView('new', NEW);
		await turn();
		expect(one.symbols('new')).toEqual(['B', 'D']);
	});

	test('that the service forgets go, and those on other chains never come', async () => {
		const far = {...C, symbol: 'FAR', chain_id: 'evm:56', key: entryKey('evm:56', C.address)} as Entry;
		const all = read({new: keeping(C)});
		const here = read({here: {...keeping(C), chainId: [C.chain_id]}});
		await service.snapshot('new', [A]);
		await service.say({
			type: 'snapshot',
			view: [...service.views.keys()].find(name => service.views.get(name)!.chainId)!,
			entries: [A],
			atMs: 5,
			source: 'sync',
		});
		await known(C, far);
		expect([all.symbols('new'), here.symbols('here')]).toEqual([
			['A', 'C', 'FAR'],
			['A', 'C'],
		]);
		await changed('tokens', [], [C]);
		expect([all.symbols('new'), here.symbols('here')]).toEqual([['A', 'FAR'], ['A']]);
	});

	test('are asked for as long as someone keeps them and half a minute longer, and not while a view is paused', async () => {
		vi.useFakeTimers();
		const one = read({new: keeping(C, D)});
		const other = read({new: keeping(D)});
		one.feed.pause();
		vi.advanceTimersByTime(30_000);
		expect(service.views.get('tokens')!.includeTokens).toEqual([D.address]);
		one.feed.resume();
		expect(service.views.get('tokens')!.includeTokens).toEqual([D.address, C.address]);
		one.feed.close();
		other.feed.close();
		vi.advanceTimersByTime(29_999);
		expect(service.views.has('tokens')).toBe(true);
		vi.advanceTimersByTime(1);
		expect([service.views.has('tokens'), feeds.views]).toEqual([false, 0]);
	});

	test('a view of nothing but tokens stays a view of its own', () => {
		read({token: {includeTokens: [C.address], limit: 1, filters: {}}});
		expect([...service.views.values()]).toEqual([{includeTokens: [C.address], limit: 1, filters: {}}]);
	});
});

test('addresses of the service do not reach a reader', async () => {
	const one = read({new: NEW});
	const addresses = [{name: 'secret.example', isDown: false}] as never;
	await service.say({type: 'link', link: {...FIRST_LINK, phase: 'live', address: 'secret.example', addresses}});
	await service.say({type: 'resumed', missed: [], atMs: 9, movedTo: 'secret.example'});
	expect(one.heard).toHaveLength(2);
	expect(JSON.stringify([one.heard, one.feed.link])).not.toContain('secret');
});

test('many who press retry are one attempt', () => {
	const readers = Array.from({length: 20}, () => read({new: NEW}));
	for (const {feed} of readers) feed.retryNow();
	expect(service.retries).toBe(1);
});

test('entries missed while the stream was lost come under the names of each reader, and to its own readers only', async () => {
	const one = read({new: NEW});
	const other = read({mine: NEW, bonded: {model: 'bonded'}});
	const none = read({bonding: {model: 'bonding'}});
	const missed = [{view: service.nameOf('new'), entry: A}];
	await service.say({type: 'resumed', missed, atMs: 9, gapMs: 100});
	const last = ({heard}: ReturnType<typeof read>) => heard.findLast(({type}) => type === 'resumed');
	expect(last(one)).toMatchObject({missed: [{view: 'new', entry: A}]});
	expect(last(other)).toMatchObject({missed: [{view: 'mine', entry: A}]});
	expect(last(none)).toMatchObject({missed: []});
});

describe('any comings, goings, changes and pauses', () => {
	const models = ['new', 'bonding'] as const;
	const action = fc.oneof(
		fc.record({kind: fc.constant('open' as const), model: fc.constantFrom(...models)}),
		fc.record({kind: fc.constantFrom('close' as const, 'pause' as const, 'resume' as const), at: fc.nat(20)}),
		fc.record({kind: fc.constant('set' as const), at: fc.nat(20), model: fc.constantFrom(...models)}),
		fc.record({
			kind: fc.constantFrom('snapshot' as const, 'change' as const),
			model: fc.constantFrom(...models),
			tokens: fc.uniqueArray(fc.integer({min: 1, max: 6}), {maxLength: 4}),
			gone: fc.uniqueArray(fc.integer({min: 1, max: 6}), {maxLength: 3}),
		}),
	);

	test('leave each reader that is not paused with what the service last said of its view', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(action, {maxLength: 40}), async actions => {
				const played = new PlayedService();
				service = played;
				feeds = shareFeeds(played.openFeed);
				const said = new Map<string, Map<string, string>>();
				const readers: {reader: ReturnType<typeof read>; model: string; isPaused: boolean}[] = [];
				for (const step of actions) {
					if (step.kind === 'open')
						readers.push({reader: read({v: {model: step.model}}), model: step.model, isPaused: false});
					else if ('tokens' in step) {
						if (![...played.views.values()].some(({model}) => model === step.model)) continue;
						const entries = step.tokens.map(n => entryOf(`0x${n}`, {symbol: `T${n}`}));
						const view = played.nameOf(step.model);
						if (step.kind === 'snapshot') {
							said.set(step.model, new Map(entries.map(({key, symbol}) => [key, symbol!])));
							await played.say({type: 'snapshot', view, entries, atMs: 1, source: 'sync'});
						} else if (said.has(step.model)) {
							const gone = step.gone
								.map(n => entryOf(`0x${n}`, {}).key)
								.filter(key => !entries.some(e => e.key === key));
							for (const key of gone) said.get(step.model)!.delete(key);
							for (const {key, symbol} of entries) said.get(step.model)!.set(key, symbol!);
							await played.say({type: 'change', view, upserts: entries, removed: gone, atMs: 1});
						}
					} else if ('at' in step) {
						const one = readers[step.at % Math.max(readers.length, 1)];
						if (!one) continue;
						if (step.kind === 'close') {
							one.reader.feed.close();
							readers.splice(readers.indexOf(one), 1);
						} else if (step.kind === 'pause') {
							one.reader.feed.pause();
							one.isPaused = true;
						} else if (step.kind === 'resume') {
							one.reader.feed.resume();
							one.isPaused = false;
						} else if ('model' in step) {
							one.reader.feed.setView('v', {model: step.model});
							one.model = step.model;
						}
					}
				}
				await turn();
				for (const {reader, model, isPaused} of readers) {
					const known = said.get(model);
					if (!isPaused && known) expect(reader.symbols('v').toSorted()).toEqual([...known.values()].toSorted());
				}
				feeds.close();
			}),
			{numRuns: 200},
		);
	});
});
