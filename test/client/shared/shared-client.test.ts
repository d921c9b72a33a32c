import {expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import type {Feed} from '../../../source/client/feed/feed-events.ts';
import {FIRST_LINK} from '../../../source/client/feed/feed-events.ts';
import {shareClient} from '../../../source/client/shared/shared-client.ts';

/** A service that counts what it is asked. */
function played() {
	const asked: string[] = [];
	const feed = {link: FIRST_LINK, view: () => undefined, setView() {}, removeView() {}, close() {}} as unknown as Feed;
	const client = {
		clock: {nowMs: () => 0, skewMs: 0},
		call: async (id: string) => void asked.push(id),
		facts: async () => void asked.push('facts'),
		sparkline: async ({address}: {address: string}) => {
			asked.push(address);
			if (address === 'bad') throw new Error('no');
			return {address};
		},
		openFeed: () => feed,
		close: async () => {},
	} as unknown as Client;
	return {asked, shared: shareClient(client)};
}

const line = (address: string) => ({address}) as never;

test('equal look-ups of several viewers are one, and count for the first only', async () => {
	const {asked, shared} = played();
	let left = 1;
	const one = shared.forViewer(() => left-- > 0);
	const other = shared.forViewer(() => false);
	expect(await one.sparkline(line('a'))).toEqual(await other.sparkline(line('a')));
	expect(asked).toEqual(['a']);
	await expect(other.sparkline(line('b'))).rejects.toMatchObject({code: 'too-fast'});
	await expect(one.sparkline(line('b'))).rejects.toMatchObject({code: 'too-fast'});
	expect(asked).toEqual(['a']);
});

test('a failure is not kept for the next', async () => {
	const {asked, shared} = played();
	const viewer = shared.forViewer(() => true);
	await expect(viewer.sparkline(line('bad'))).rejects.toThrow('no');
	await expect(viewer.sparkline(line('bad'))).rejects.toThrow('no');
	expect(asked).toEqual(['bad', 'bad']);
});

test('only calls that read the market go to the service', async () => {
	const {asked, shared} = played();
	const {call} = shared.forViewer(() => true);
	await call('systemMetadata', {} as never);
	for (const id of ['bridgeExecute', 'webhookCreate', 'webhookList', 'webhookDelete', 'perpCancel', 'walletLabels'])
		await expect(call(id as never, {} as never)).rejects.toMatchObject({code: 'not-for-viewers'});
	expect(asked).toEqual(['systemMetadata']);
});

test('a feed that is opened after its viewer has left is closed at once', async () => {
	const {shared} = played();
	const viewer = shared.forViewer(() => true);
	await viewer.close();
	const events: unknown[] = [];
	viewer.openFeed({request: {views: {new: {model: 'new'}}}, onEvent: event => events.push(event)});
	const other = shared.forViewer(() => true).openFeed({request: {views: {new: {model: 'new'}}}, onEvent: () => {}});
	await Promise.resolve();
	expect(events).toEqual([]);
	expect(shared.views).toBe(1);
	other.close();
	await shared.close();
});
