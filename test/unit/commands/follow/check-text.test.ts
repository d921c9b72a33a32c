import {expect, test} from 'vitest';
import {checkText} from '../../../../source/commands/follow/check-text.ts';
import type {NodeCheck} from '../../../../source/service/follow/node-check.ts';

const UNKNOWN: NodeCheck = {
	host: 'node.example.com',
	hasAnswered: false,
	chainNumber: null,
	chain: null,
	head: null,
	blockMs: null,
	finalized: null,
	safe: null,
	calls: [{name: 'eth_chainId', works: null, words: '', ms: null}],
	range: null,
	logsHaveTimes: null,
	sample: null,
	load: null,
	verdict: 'unusable',
	problems: ['it does not answer'],
};

const facts = (check: Partial<NodeCheck>) =>
	checkText({...UNKNOWN, ...check})
		.split('\n')
		.filter(line => /^ {2}(chain|head|block time|final|range|times|load) {2,}/.test(line))
		.map(line => line.trim().replace(/ {2,}/, ': '));

test('of a node that did not answer only that is said', () => {
	const text = checkText(UNKNOWN);
	expect(facts({})).toEqual([]);
	expect(text).toMatch(/^node\.example\.com\n/);
	expect(text).toContain('Not usable:\n  - it does not answer\n');
	expect(text).not.toContain('Events of');
});

test.each<readonly [Partial<NodeCheck>, readonly string[]]>([
	[{chainNumber: 8453, chain: 'base'}, ['chain: base (8453)']],
	[{chainNumber: 5}, ['chain: 5, not one to follow']],
	[{chain: 'solana'}, ['chain: solana']],
	[{blockMs: 250}, ['block time: 0.25 s']],
	[{head: {number: 100, ageMs: 1500}}, ['head: block 100, 1.5 s old', 'final: no finalized block, no safe block']],
	[
		{head: {number: 100, ageMs: -1500}, finalized: 90, safe: 97},
		['head: block 100, 1.5 s in the future', 'final: finalized 10 blocks behind, safe 3 blocks behind'],
	],
	[{head: {number: 100, ageMs: 0}}, ['head: block 100, 0.0 s old', 'final: no finalized block, no safe block']],
	[{range: {blocks: 500, refused: null, why: null}}, ['range: 500 blocks in one eth_getLogs']],
	[{range: {blocks: 500, refused: 1000, why: null}}, ['range: 500 blocks in one eth_getLogs, 1000 were refused']],
	[{logsHaveTimes: true}, ['times: logs have the time of their block']],
	[{logsHaveTimes: false}, ['times: logs have no time: headers are read']],
	[
		{load: {callsPerMinute: 30, bytesPerSecond: 999}},
		['load: about 30 calls a minute and 999 B/s, before tokens are followed'],
	],
	[
		{load: {callsPerMinute: 30, bytesPerSecond: 1000}},
		['load: about 30 calls a minute and 1.0 KB/s, before tokens are followed'],
	],
])('%j is printed as %j', (check, lines) => {
	expect(facts(check)).toEqual(lines);
});

test('calls and events are tables, and what was not tried is neither yes nor no', () => {
	const text = checkText({
		...UNKNOWN,
		verdict: 'good',
		problems: [],
		calls: [
			{name: 'a', works: true, words: 'fine', ms: 12},
			{name: 'b', works: false, words: 'refused', ms: 0},
			{name: 'c', works: null, words: '', ms: null},
		],
		sample: {
			fromBlock: 5,
			toBlock: 9,
			venues: [{venue: 'clanker', name: 'Clanker', known: 7, skipped: 2, unknown: 1, blocksWithUnknown: 1}],
		},
	});
	expect(text).toMatch(/ {2}a +yes +12 +fine\n {2}b +no +0 +refused\n {2}c +-\s*\n/);
	expect(text).toContain('Events of launchpads and exchanges in blocks 5 to 9:');
	expect(text).toMatch(/Clanker +7 +2 +1\n/);
	expect(text).toContain('Good: everything that following needs is there.');
});
