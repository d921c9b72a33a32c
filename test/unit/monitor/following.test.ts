import {expect, test} from 'vitest';
import {coverageRead, lagText, summaryOf} from '../../../source/monitor/following.ts';
import {initialState} from '../../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../../source/monitor/state.ts';
import {coverageOf} from '../../helpers/coverage.ts';

const NOW_MS = 1_000_000;
const summary = (...coverage: readonly ReturnType<typeof coverageOf>[]) =>
	summaryOf({names: coverage.map(({name}) => name), coverage, readAtMs: NOW_MS}, NOW_MS);

test('chains that are live say how far the worst of them is behind', () => {
	expect(summary(coverageOf('base'), coverageOf('bnb', {lagMs: 3400}))).toEqual({
		tone: 'good',
		isLive: true,
		text: '3.4 s behind',
	});
	expect(summary(coverageOf('base', {lagMs: null}))).toEqual({tone: 'good', isLive: true, text: ''});
});

test.each([
	['behind', coverageOf('bnb', {state: 'behind', why: 'catching up', lagMs: 95_000}), '2 min behind'],
	['gaps', coverageOf('bnb', {gapCount: 2}), '1.2 s behind, 2 gaps'],
	['unknown events', coverageOf('bnb', {unknownEvents: 1}), '1.2 s behind, 1 unknown event'],
	['a start', coverageOf('bnb', {state: 'starting', lagMs: null}), 'bnb starts, 1.2 s behind'],
	['the past', coverageOf('bnb', {state: 'backfilling', lagMs: 1_800_000}), 'bnb reads the past, 30 min behind'],
])('%s of one chain are a warning', (_, chain, text) => {
	expect(summary(coverageOf('base'), chain)).toEqual({tone: 'warn', isLive: true, text});
});

test.each([
	[[coverageOf('base', {lagMs: 40_000, callLimit: 5})], '40 s behind: this node takes 5 calls a second'],
	[[coverageOf('base', {lagMs: 40_000, callLimit: 1})], '40 s behind: this node takes 1 call a second'],
	[[coverageOf('base', {lagMs: 1200, callLimit: 5})], '1.2 s behind'],
	[[coverageOf('base', {lagMs: 40_000, callLimit: null})], '40 s behind'],
	[[coverageOf('base', {lagMs: 9999, callLimit: 5})], '10 s behind'],
	[[coverageOf('base', {lagMs: 10_000, callLimit: 5})], '10 s behind: this node takes 5 calls a second'],
	[[coverageOf('base', {state: 'starting', lagMs: null, callLimit: 5})], 'starts'],
	[
		[coverageOf('bnb', {callLimit: 5}), coverageOf('base', {lagMs: 40_000, callLimit: 12})],
		'40 s behind: the node of base takes 12 calls a second',
	],
])('a chain that is behind because its node takes few calls says so', (coverage, text) => {
	expect(summary(...coverage).text).toBe(text);
});

test('a chain that stands still comes with its reason, and all of them are not live', () => {
	const stalled = coverageOf('bnb', {state: 'stalled', why: 'its head went back below what was final'});
	expect(summary(coverageOf('base', {gapCount: 1}), stalled)).toEqual({
		tone: 'bad',
		isLive: true,
		text: 'bnb is stalled: its head went back below what was final',
	});
	expect(summary(stalled).text).toBe('is stalled: its head went back below what was final');
	const gone = coverageOf('base', {state: 'unreachable', why: null});
	expect(summary(gone, stalled)).toMatchObject({
		isLive: false,
		text: 'base is unreachable; bnb is stalled: its head went back below what was final',
	});
});

test('a report that got old is said to be old, since nothing is known any more', () => {
	const following = {names: ['base'], coverage: [coverageOf('base')], readAtMs: NOW_MS};
	expect(summaryOf(following, NOW_MS + 5000).tone).toBe('good');
	expect(summaryOf(following, NOW_MS + 7000)).toEqual({
		tone: 'bad',
		isLive: false,
		text: 'no word of the chains for 7.0 s',
	});
	expect(summaryOf({names: ['base']}, NOW_MS)).toMatchObject({tone: 'warn', text: 'starting'});
});

test.each([
	[-5, '0.0 s'],
	[9949, '9.9 s'],
	[9950, '10 s'],
	[59_499, '59 s'],
	[59_500, '1 min'],
	[3_560_000, '59 min'],
	[3_569_999, '59 min'],
	[3_570_000, '1 h'],
	[7_200_000, '2 h'],
])('%i ms are %s', (ms, text) => {
	expect(lagText(ms)).toBe(text);
});

function start(service: Partial<MonitorState['service']> = {}): MonitorState {
	return initialState({
		size: {columns: 80, rows: 24},
		nowMs: NOW_MS,
		theme: 'dark',
		service: {label: '', embedded: false, ...service},
	});
}

test('a chain that stalls or comes back is a notice, once', () => {
	const stalled = [coverageOf('base', {state: 'stalled', why: 'its head went back'})];
	const fine = coverageRead(start(), [coverageOf('base')], NOW_MS);
	expect(fine.notice).toBeUndefined();
	const broken = coverageRead(fine, stalled, NOW_MS);
	expect(broken.notice).toMatchObject({text: 'base is stalled: its head went back', tone: 'bad', isEvent: true});
	const {notice: _, ...shown} = broken;
	expect(coverageRead(shown as MonitorState, stalled, NOW_MS).notice).toBeUndefined();
	const back = coverageRead(broken, [coverageOf('base')], NOW_MS);
	expect(back.notice).toMatchObject({text: 'base is live again.', tone: 'good'});
});

test('of several notices at once the bad one is shown', () => {
	const stalled = (name: string) => coverageOf(name, {state: 'stalled', why: null});
	const before = coverageRead(start(), [stalled('base'), coverageOf('bnb')], NOW_MS);
	const after = coverageRead(before, [coverageOf('base'), stalled('bnb')], NOW_MS);
	expect(after.notice).toMatchObject({text: 'bnb is stalled.', tone: 'bad'});
});

test('money keys say why they do nothing at a hosted service that follows chains', () => {
	const hosted = coverageRead(start(), [coverageOf('base')], NOW_MS);
	expect(hosted.service.noMoney).toBe('this market is real, and its service moves no money');
	// The next report does not change who moves the money.
	expect(coverageRead(hosted, [coverageOf('base')], NOW_MS).service.noMoney).toBe(hosted.service.noMoney);
	const beside = coverageRead(start({follow: {names: ['base']}}), [coverageOf('base')], NOW_MS);
	expect(beside.service.noMoney).toBeUndefined();
});
