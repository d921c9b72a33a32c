import {expect, test} from 'vitest';
import type {Hit} from '../../../../source/commands/watch/hit.ts';
import {watchRecording} from '../../../../source/commands/watch/watch-recording.ts';
import {readAlertRule} from '../../../../source/monitor/alerts/alert-rules.ts';
import {LAUNCHES, LAUNCHES_MS, recordingOf} from '../../../helpers/recordings.ts';

const HEADER = {type: 'pulsetop-recording', version: 1, atMs: LAUNCHES_MS, views: {new: {}, bonded: {}}};

function token(symbol: string, marketCap: number): Record<string, unknown> {
	const address = symbol.padEnd(40, 'x');
	return {key: `solana:solana|${address}`, chain_id: 'solana:solana', address, symbol, market_cap: marketCap};
}

const snapshot = (view: string, seconds: number, tokens: readonly unknown[]) => ({
	type: 'snapshot',
	view,
	atMs: LAUNCHES_MS + seconds * 1000,
	tokens,
});
const change = (seconds: number, upserts: readonly unknown[], removed: readonly string[] = []) => ({
	type: 'change',
	view: 'new',
	atMs: LAUNCHES_MS + seconds * 1000,
	upserts,
	removed,
});
const end = (seconds: number) => ({type: 'end', atMs: LAUNCHES_MS + seconds * 1000});

interface Tried {
	readonly hits: readonly string[];
	readonly said: readonly string[];
}

/** The hits as `symbol second`, and the words beside them. */
async function tryRules(
	path: string,
	lines: readonly string[],
	{forMs, max = Number.POSITIVE_INFINITY}: {forMs?: number; max?: number} = {},
): Promise<Tried> {
	const hits: Hit[] = [];
	const said: string[] = [];
	await watchRecording({
		path,
		rules: lines.map(line => {
			const read = readAlertRule(line);
			if (!read.ok) throw new Error(read.problem);
			return read.rule;
		}),
		forMs,
		ending: new Promise(() => {}),
		say: text => void said.push(text),
		onHits: fresh => {
			hits.push(...fresh);
			return hits.length >= max ? 'enough' : 'more';
		},
	});
	return {
		hits: hits.map(({token: {symbol, market_cap: cap}, atMs}) => `${symbol} ${cap} at ${(atMs - LAUNCHES_MS) / 1000}`),
		said,
	};
}

const DAY = [
	HEADER,
	snapshot('new', 0.1, [token('OLD', 9000), token('GROWS', 10)]),
	snapshot('bonded', 0.2, [token('DONE', 9000)]),
	change(1.1, [token('FIRST', 8000)]),
	change(5, [token('GROWS', 6000)]),
	change(7.3, [token('BRIEF', 7000)]),
	change(7.4, [], [token('BRIEF', 7000)['key'] as string]),
	change(9000, [token('LATE', 5001), token('SMALL', 4999)]),
	end(9001),
];

test('each hit has the recorded moment, however long ago and however short its token stayed', async () => {
	const path = await recordingOf(DAY);
	expect(await tryRules(path, ['mcap>5k'])).toEqual({
		hits: ['GROWS 6000 at 5', 'BRIEF 7000 at 7.3', 'LATE 5001 at 9000'],
		said: [],
	});
});

test('a rule of one column hits there alone, and the time to watch is recorded time', async () => {
	const path = await recordingOf(DAY);
	expect((await tryRules(path, ['@bonded mcap>5k'])).hits).toEqual([]);
	expect((await tryRules(path, ['@new mcap>5k'], {forMs: 7300})).hits).toEqual([
		'GROWS 6000 at 5',
		'BRIEF 7000 at 7.3',
	]);
	expect((await tryRules(path, ['@new mcap>5k'], {forMs: 7299})).hits).toEqual(['GROWS 6000 at 5']);
	expect((await tryRules(path, ['@new mcap>5k'], {max: 1})).hits).toEqual(['GROWS 6000 at 5']);
});

test('ages count from the recorded clock', async () => {
	const born = {...token('YOUNG', 1), created_at: LAUNCHES_MS + 1000};
	const path = await recordingOf([
		HEADER,
		snapshot('new', 0.1, []),
		change(2, [born]),
		change(70, [{...born, symbol: 'AGED'}]),
		end(71),
	]);
	expect((await tryRules(path, ['age<10s'])).hits).toEqual(['YOUNG 1 at 2']);
	expect((await tryRules(path, ['age>60s'])).hits).toEqual(['AGED 1 at 70']);
});

test('a recording that was cut off or is damaged says so behind the hits before, another file is refused', async () => {
	const cut = await recordingOf(DAY.slice(0, 5));
	expect(await tryRules(cut, ['mcap>5k'])).toEqual({
		hits: ['GROWS 6000 at 5'],
		said: ['The recording was cut off here.'],
	});
	const damaged = await recordingOf([...DAY.slice(0, 5), {type: 'change', view: 'new', atMs: 'soon'}]);
	expect(await tryRules(damaged, ['mcap>5k'])).toEqual({
		hits: ['GROWS 6000 at 5'],
		said: [expect.stringMatching(/^The recording is damaged from here on: line 6, after 12:00:05 UTC: /)],
	});
	await expect(tryRules(await recordingOf([{}]), ['mcap>5k'])).rejects.toMatchObject({code: 'recording-unreadable'});
});

test('the same recording gives the same hits each time', async () => {
	const first = await tryRules(LAUNCHES, ['mcap>5k', '@bonded mcap>1']);
	expect(first.hits.length).toBeGreaterThan(2);
	expect(await tryRules(LAUNCHES, ['mcap>5k', '@bonded mcap>1'])).toEqual(first);
});
