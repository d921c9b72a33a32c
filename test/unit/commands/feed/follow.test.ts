import {Writable} from 'node:stream';
import {expect, test, vi} from 'vitest';
import type {Client} from '../../../../source/client/client.ts';
import type {FeedEvent} from '../../../../source/client/feed/feed-events.ts';
import {followFeed} from '../../../../source/commands/feed/follow.ts';

/** A reader that takes the written bytes on request. */
class SlowReader extends Writable {
	readonly #waiting: (() => void)[] = [];

	override _write(_chunk: unknown, _encoding: string, taken: () => void): void {
		this.#waiting.push(taken);
	}

	/** Takes everything; resolves once the stream has said so. */
	async takeAll(): Promise<void> {
		const drained = new Promise(resolve => this.once('drain', resolve));
		while (this.#waiting.length > 0) this.#waiting.shift()!();
		await drained;
	}
}

test('the feed pauses while the reader has eight megabytes to take, once, and goes on when they are taken', async () => {
	const reader = new SlowReader();
	const stdout = vi.spyOn(process, 'stdout', 'get').mockReturnValue(reader as never);
	const said: string[] = [];
	let onEvent!: (event: FeedEvent) => void;
	const feed = {pause: () => said.push('pause'), resume: () => said.push('resume'), close: () => said.push('close')};
	const client = {
		openFeed: (options: {onEvent: typeof onEvent}) => {
			onEvent = options.onEvent;
			return feed;
		},
	} as unknown as Client;
	/** One line of so many bytes. */
	const line = (bytes: number): void => {
		const event = {type: 'change', view: 'new', atMs: 1, upserts: [''], removed: []};
		const padding = bytes - 1 - JSON.stringify(event).length;
		onEvent({...event, upserts: ['x'.repeat(padding)]} as unknown as FeedEvent);
	};
	try {
		const followed = followFeed(client, {} as never);
		line(4_000_000);
		line(3_999_999);
		expect([reader.writableLength, said]).toEqual([7_999_999, []]);
		await reader.takeAll();
		expect(said).toEqual([]);
		line(4_000_000);
		line(4_000_000);
		line(1000);
		expect([reader.writableLength, said]).toEqual([8_001_000, ['pause']]);
		await reader.takeAll();
		expect(said).toEqual(['pause', 'resume']);
		line(8_000_000);
		expect(said).toEqual(['pause', 'resume', 'pause']);
		// A state of the connection is no line.
		onEvent({type: 'link', link: {phase: 'live'}} as unknown as FeedEvent);
		expect(reader.writableLength).toBe(8_000_000);
		const error = Object.assign(new Error('wrong filter'), {next: 'fix-input'});
		onEvent({type: 'problem', view: 'new', atMs: 1, error} as unknown as FeedEvent);
		await expect(followed).rejects.toBe(error);
		expect(said.at(-1)).toBe('close');
	} finally {
		stdout.mockRestore();
	}
});
