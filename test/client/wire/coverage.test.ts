import {expect, test} from 'vitest';
import {readCoverage} from '../../../source/client/wire/coverage.ts';
import {coverageOf} from '../../helpers/coverage.ts';

test('what has another form than the contract is left out', () => {
	const good = coverageOf('base');
	expect(readCoverage([good, {...good, state: 'happy'}, null, 'base', {...good, head: '1'}])).toEqual([good]);
});

test('texts of a hostile service are cleaned and cut', () => {
	const gap = {fromBlock: 1, toBlock: 2, from: 'a', to: 'b', why: `\u001b[31m${'x'.repeat(1000)}`};
	const [read] = readCoverage([
		coverageOf('base', {
			name: 'ba\u202ese\u001b[2J',
			state: 'stalled',
			why: `a\nb${'c'.repeat(1000)}`,
			gaps: Array.from({length: 500}, () => gap),
			unpriced: Array.from({length: 500}, () => 'y'.repeat(500)),
		}),
	]);
	const text = JSON.stringify(read);
	expect(text).not.toMatch(/\\u001b|\\n|\u202e/);
	expect(read!.why!.length).toBeLessThan(310);
	expect(read!.gaps.length).toBeLessThan(50);
	expect(text.length).toBeLessThan(30_000);
});

test('a service that claims very many chains is read up to a limit', () => {
	expect(readCoverage(Array.from({length: 1000}, () => coverageOf('base'))).length).toBe(32);
});
