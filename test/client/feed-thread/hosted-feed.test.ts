import {setTimeout as sleep} from 'node:timers/promises';
import {expect, test, vi} from 'vitest';
import {createClock} from '../../../source/client/clock.ts';
import type {FeedClient} from '../../../source/client/feed-client.ts';
import type {FeedEvent, LinkState} from '../../../source/client/feed-events.ts';
import {hostFeed} from '../../../source/client/feed-thread/hosted-feed.ts';
import type {FeedNews, FromThread} from '../../../source/client/feed-thread/thread-messages.ts';
import {ServiceTimeout} from '../../../source/client/service-errors.ts';
import {entryOf} from '../../helpers/entries.ts';

/* A feed whose other side takes its time: what happens meanwhile is gathered, not queued. */

function openHost() {
	const sent: FeedNews[] = [];
	let emit: (event: FeedEvent) => void = () => {};
	const link = {phase: 'live'} as LinkState;
	const client = {
		clock: createClock(),
		openFeed: ({onEvent}: {onEvent: (event: FeedEvent) => void}) => {
			emit = onEvent;
			return {link, view: () => undefined, pause() {}, setView() {}};
		},
	} as unknown as FeedClient;
	const host = hostFeed(client, 1, {request: {views: {new: {}, bonded: {}}}}, (message: FromThread) => {
		if (message.kind === 'news') sent.push(message);
	});
	return {sent, host, emit: (event: FeedEvent) => emit(event)};
}

const snapshot = (view: string, cap: number): FeedEvent => ({
	type: 'snapshot',
	view,
	entries: [entryOf('first', {market_cap: cap})],
	atMs: cap,
	source: 'init',
});

test('while the last message was not taken nothing is sent, and then the newest state alone', async () => {
	const {sent, host, emit} = openHost();
	emit(snapshot('new', 1));
	await vi.waitFor(() => expect(sent).toHaveLength(1));
	for (let cap = 2; cap <= 500; cap++) emit(snapshot('new', cap));
	await sleep(250);
	expect(sent).toHaveLength(1);
	host.onTaken();
	await vi.waitFor(() => expect(sent).toHaveLength(2));
	expect(sent[1]!.data).toMatchObject([{view: 'new', atMs: 500, snapshot: [{key: expect.any(String)}]}]);
	expect(sent[1]!.data[0]!.snapshot![0]!.values).toContain(500);
});

test('full states that come one after another are sent at once only a few times in a row', async () => {
	const {sent, host, emit} = openHost();
	const startedMs = performance.now();
	for (let cap = 1; cap <= 50; cap++) {
		emit(snapshot('new', cap));
		await Promise.resolve();
		host.onTaken();
	}
	// On a machine that stood still in between, more of them were due.
	expect(sent.length).toBeLessThanOrEqual(9 + Math.ceil((performance.now() - startedMs) / 100) * 8);
	expect(sent.length).toBeGreaterThan(1);
	await vi.waitFor(() => expect(sent.at(-1)!.data[0]!.atMs).toBe(50));
});

test('trouble that data show to be over is not sent after them', async () => {
	const {sent, host, emit} = openHost();
	emit(snapshot('new', 1));
	await vi.waitFor(() => expect(sent).toHaveLength(1));
	const problem = (view: string): FeedEvent => ({type: 'problem', view, error: new ServiceTimeout('gone'), atMs: 2});
	emit(problem('new'));
	emit(problem('bonded'));
	emit(snapshot('new', 3));
	host.onTaken();
	await vi.waitFor(() => expect(sent).toHaveLength(2));
	expect(sent[1]!.events.filter(({type}) => type === 'problem')).toMatchObject([{view: 'bonded'}]);
});

test('what was gathered before a command is sent as before it, taken or not', async () => {
	const {sent, host, emit} = openHost();
	emit(snapshot('new', 1));
	await vi.waitFor(() => expect(sent).toHaveLength(1));
	emit(snapshot('bonded', 2));
	host.obey(1, {method: 'pause', views: undefined});
	expect(sent.find(({data}) => data.some(({view}) => view === 'bonded'))?.obeyed).toBe(0);
	expect(sent.at(-1)!.obeyed).toBe(1);
});
