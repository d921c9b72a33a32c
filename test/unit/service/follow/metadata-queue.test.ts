import {expect, onTestFinished, test} from 'vitest';
import {MetadataQueue} from '../../../../source/service/follow/metadata-queue.ts';
import type {Profile, TokenPlace} from '../../../../source/service/market/events.ts';
import {until} from '../../../helpers/until.ts';

interface Asking {
	readonly queue: MetadataQueue;
	/** Addresses in the order in which they were asked for. */
	readonly asked: string[];
	readonly found: (readonly [token: string, description: string | null | undefined])[];
	/** Ends the reading of a document. */
	answer(uri: string, profile?: Profile): void;
	most(): number;
}

function asking(perMinute = 600_000): Asking {
	const asked: string[] = [];
	const found: Asking['found'] = [];
	const open = new Map<string, (profile: Profile | undefined) => void>();
	let most = 0;
	const queue = new MetadataQueue({
		perMinute,
		found: ({token}, {description}) => found.push([token, description]),
		fetch: {
			read: uri => {
				asked.push(uri);
				return new Promise(resolve => {
					open.set(uri, resolve);
					most = Math.max(most, open.size);
				});
			},
			close: async () => {},
		},
	});
	onTestFinished(() => queue.close());
	return {
		queue,
		asked,
		found,
		most: () => most,
		answer: (uri, profile) => {
			open.get(uri)!(profile);
			open.delete(uri);
		},
	};
}

const place = (token: string): TokenPlace => ({chainId: 'solana:solana', token});

test('a document is read once, for all tokens that name it, before and after', async () => {
	const {queue, asked, found, answer} = asking();
	queue.launched(place('A'), 'https://a');
	queue.launched(place('B'), 'https://a');
	await until(() => asked.length === 1);
	queue.launched(place('C'), 'https://a');
	answer('https://a', {description: 'frog'});
	await until(() => found.length === 3);
	queue.launched(place('D'), 'https://a');
	queue.launched(place('E'), 'https://e');
	await until(() => asked.length === 2);
	expect(asked).toEqual(['https://a', 'https://e']);
	expect(found.map(([token]) => token)).toEqual(['A', 'B', 'C', 'D']);
});

test('one that says nothing is not asked for again, and is counted', async () => {
	const {queue, asked, found, answer} = asking();
	queue.launched(place('A'), 'https://a');
	await until(() => asked.length === 1);
	answer('https://a');
	await until(() => queue.counts.unread === 1);
	queue.launched(place('A'), 'https://a');
	queue.launched(place('B'), 'https://b');
	await until(() => asked.length === 2);
	answer('https://b', {description: 'frog'});
	await until(() => found.length === 1);
	expect(asked).toEqual(['https://a', 'https://b']);
	expect(queue.counts).toEqual({read: 1, unread: 1, skipped: 0});
});

test('the newest come first, four at once, and of too many the oldest are left out', async () => {
	const {queue, asked, most, answer} = asking();
	for (let n = 0; n < 210; n++) queue.launched(place(`T${n}`), `https://${n}`);
	await until(() => asked.length === 4);
	expect(asked).toEqual(['https://209', 'https://208', 'https://207', 'https://206']);
	expect(queue.counts.skipped).toBe(10);
	for (let n = 209; n >= 10; n--) {
		await until(() => asked.includes(`https://${n}`));
		answer(`https://${n}`);
	}
	await until(() => queue.counts.unread === 200);
	expect(asked).not.toContain('https://9');
	expect(most()).toBe(4);
});

test('only so many are asked for in a minute, and none after the end', async () => {
	const {queue, asked} = asking(60);
	for (let n = 0; n < 3; n++) queue.launched(place(`T${n}`), `https://${n}`);
	await until(() => asked.length === 1);
	// The next one would come a second after the first.
	await queue.close();
	queue.launched(place('X'), 'https://x');
	await new Promise(resolve => setTimeout(resolve, 20));
	expect(asked).toEqual(['https://2']);
});
