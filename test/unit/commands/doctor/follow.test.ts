import {expect, test} from 'vitest';
import {followFindings} from '../../../../source/commands/doctor/follow.ts';
import {coverageOf} from '../../../helpers/coverage.ts';

const words = (...chains: Parameters<typeof followFindings>[0]) =>
	followFindings(chains).map(({state, text}) => `${state}: ${text}`);

test('a chain that is live says how far behind it is and what it costs its node', () => {
	expect(words(coverageOf('base', {block: 48_112_903}))).toEqual([
		'good: base is live: block 48,112,903 is read, 1.2 s behind; 60 calls a minute to its node, 1.0 kB a second; 3 of at most 1000 tokens are followed',
	]);
});

test('a chain that stands still is bad, one that is behind a note, each with its reason', () => {
	expect(
		words(
			coverageOf('base', {state: 'stalled', why: 'its head went back'}),
			coverageOf('bnb', {state: 'behind', why: 'catching up', lagMs: 90_000, nodes: 2, callsPerMinute: 12.6}),
			coverageOf('polygon', {state: 'starting', block: null, lagMs: null, tokens: 0}),
		),
	).toEqual([
		'bad: base is stalled: its head went back',
		'note: bnb is behind: catching up: block 100 is read, 2 min behind; 13 calls a minute to its 2 nodes, 1.0 kB a second; 3 of at most 1000 tokens are followed',
		'note: polygon is starting: no block is read yet; 60 calls a minute to its node, 1.0 kB a second; 0 of at most 1000 tokens are followed',
	]);
});

test('what was missed is a note each', () => {
	const gap = {fromBlock: 5, toBlock: 9, from: '', to: '', why: 'the node keeps no logs so old'};
	const chain = coverageOf('base', {
		gapCount: 2,
		gaps: [gap],
		unknownEvents: 3,
		unknownBlocks: 2,
		droppedTokens: 7,
		unpriced: ['FOO', 'BAR'],
	});
	const notes = followFindings([chain]).slice(1);
	expect(notes.map(({text}) => text)).toEqual([
		'base has 2 gaps that could not be read; the newest is blocks 5 to 9: the node keeps no logs so old',
		'base: 3 events of launchpads, in 2 blocks, are unknown here',
		'base: 7 tokens are followed no more, to make room for newer ones',
		'base: the price of FOO, BAR in USD is not known, so neither is what is traded in it',
	]);
	expect(notes.every(({state, subject}) => state === 'note' && subject === 'chains')).toBe(true);
});

test('a report that is pasted names no node', () => {
	const why = 'node.example.com: it answered HTTP 401';
	const chain = coverageOf('base', {
		node: 'node.example.com',
		state: 'unreachable',
		why,
		block: null,
		unpriced: ['WETH'],
	});
	expect(words(chain)).toEqual(['bad: base is unreachable: its node: it answered HTTP 401']);
	expect(JSON.stringify(followFindings([chain, coverageOf('bnb')]))).not.toContain('example');
});
