import {setTimeout as sleep} from 'node:timers/promises';
import {expect, test, vi} from 'vitest';
import {createClock} from '../../../source/client/clock.ts';
import type {FeedClient} from '../../../source/client/feed/feed-client.ts';
import type {FeedEvent, LinkState} from '../../../source/client/feed/feed-events.ts';
import {ServiceTimeout} from '../../../source/client/http/service-errors.ts';
import {createFeedHost} from '../../../source/client/remote/feed-host.ts';
import type {FeedUpdate, FromThread} from '../../../source/client/remote/thread-messages.ts';
import {entryOf} from '../../helpers/entries.ts';

/* A feed whose other side is slow: what happens meanwhile is merged, not queued. */

function openHost() {
	const sent: FeedUpdate[] = [];
	let emit: (event: FeedEvent) => void = () => {};
	const link = {phase: 'live'} as LinkState;
	const client = {
		clock: createClock(),
		openFeed: ({onEvent}: {onEvent: (event: FeedEvent) => void}) => {
			emit = onEvent;
			return {link, view: () => undefined, pause() {}, setView() {}};
		},
	} as unknown as FeedClient;
	const host = createFeedHost(client, 1, {request: {views: {new: {}, bonded: {}}}}, (message: FromThread) => {
		if (message.kind === 'update') sent.push(message);
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

test('while the last message is not received nothing is sent, and then only the newest state', async () => {
	const {sent, host, emit} = openHost();
	emit(snapshot('new', 1));
	await vi.waitFor(() => expect(sent).toHaveLength(1));
	for (let cap = 2; cap <= 500; cap++) emit(snapshot('new', cap));
	await sleep(250);
	expect(sent).toHaveLength(1);
	host.onReceived();
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
		host.onReceived();
	}
	// If the machine was paused in between, more of them were due.
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
	host.onReceived();
	await vi.waitFor(() => expect(sent).toHaveLength(2));
	expect(sent[1]!.events.filter(({type}) => type === 'problem')).toMatchObject([{view: 'bonded'}]);
});

test('changes buffered before a command are sent as before it, whether the last message was received or not', async () => {
	const {sent, host, emit} = openHost();
	emit(snapshot('new', 1));
	await vi.waitFor(() => expect(sent).toHaveLength(1));
	emit(snapshot('bonded', 2));
	host.handleCommand(1, {method: 'pause', views: undefined});
	expect(sent.find(({data}) => data.some(({view}) => view === 'bonded'))?.lastCommand).toBe(0);
	expect(sent.at(-1)!.lastCommand).toBe(1);
});
