import {describe, expect, test} from 'vitest';
import {lossEnded, lossText, withLoss} from '../../../source/monitor/resumed.ts';
import {noticed} from '../../../source/monitor/transitions/screen.ts';
import {entryOf} from '../../helpers/entries.ts';
import {startState} from '../../helpers/start-state.ts';

const START_MS = 1_800_000_000_000;
const START = startState({nowMs: START_MS});
const missed = (...views: readonly string[]) => views.map((view, at) => ({view, entry: entryOf(`t${at}`)}));
const back = {type: 'resumed', missed: [], atMs: START_MS} as const;

test.each([
	[{}, 'Connected again · how much is missing is unknown'],
	[{gapMs: 12_000}, 'Connected again · 12 s are missing'],
	[{gapMs: 12_000, isRecovered: false}, 'Connected again · 12 s are missing'],
	[{gapMs: 12_000, isRecovered: true}, 'Connected again · nothing was missed'],
	[{movedTo: 'b:4010', isRecovered: true}, 'Moved to b:4010 · nothing was missed'],
	[{isRecovered: true, missed: missed('new')}, 'Connected again · 1 launch came and went meanwhile'],
	[{isRecovered: true, missed: missed('new', 'new')}, 'Connected again · 2 launches came and went meanwhile'],
	[{isRecovered: true, missed: missed('bonding')}, 'Connected again · 1 token came and went meanwhile'],
	[{isRecovered: true, missed: missed('new', 'bonded')}, 'Connected again · 2 tokens came and went meanwhile'],
	[{isRecovered: true, missed: missed('other')}, 'Connected again · nothing was missed'],
])('a loss with %j: %s', (facts, text) => {
	const state = lossEnded(START, {...back, ...facts});
	expect(state.notice).toMatchObject({
		text: `${text}.`,
		tone: 'isRecovered' in facts && facts.isRecovered ? 'good' : 'warn',
	});
	expect(lossText(state.lastLoss!)).toBe(text);
});

test('a token that several columns missed counts once, in the first', () => {
	const entry = entryOf('a');
	const both = [
		{view: 'new', entry},
		{view: 'bonding', entry},
	];
	const {lastLoss} = lossEnded(START, {...back, isRecovered: true, missed: both});
	expect(lastLoss?.missed).toEqual([{view: 'new', entry}]);
});

describe('an alert and a loss within two seconds are said together', () => {
	const alert = {text: 'Alert: PEPE matches mcap>5.', tone: 'warn', hint: 'see', isEvent: true} as const;

	test.each([
		[1999, true],
		[2000, false],
	])('an alert %i ms before: %s', (agoMs, isTogether) => {
		const state = noticed(START, {...alert, atMs: START_MS - agoMs});
		const {notice} = lossEnded(state, {...back, isRecovered: true});
		expect(notice?.text.includes('Alert: PEPE')).toBe(isTogether);
		expect(notice?.hint).toBe(isTogether ? 'see' : undefined);
	});

	test('another notice is replaced', () => {
		const state = noticed(START, {text: 'Copied.', tone: 'info', atMs: START_MS});
		expect(lossEnded(state, {...back, isRecovered: true}).notice?.text).not.toContain('Copied');
		const made = noticed(START, {text: 'Alert: none', tone: 'info', atMs: START_MS});
		expect(lossEnded(made, {...back, isRecovered: true}).notice?.text).not.toContain('Alert');
	});

	test('an alert behind the report of a loss, while it is shown', () => {
		const state = lossEnded(START, {...back, isRecovered: true});
		expect(withLoss(state, 'Alert: A.', START_MS + 3999)).toBe('Connected again · nothing was missed. Alert: A.');
		expect(withLoss(state, 'Alert: A.', START_MS + 4000)).toBe('Alert: A.');
		expect(withLoss(noticed(state, {...alert, atMs: START_MS}), 'Alert: A.', START_MS + 1)).toBe('Alert: A.');
		expect(withLoss(START, 'Alert: A.', START_MS)).toBe('Alert: A.');
	});
});
