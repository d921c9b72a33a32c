import {expect, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';
import {testRunOptions} from '../../../source/tools/test-run-options.ts';

const THIS = 'test/unit/tools/test-run-options.test.ts';
const options = (...args: string[]) => testRunOptions(args, ROOT);

test('without arguments the main tests run, with any seed', () => {
	expect(options()).toEqual({paths: [], flags: [], part: 'main', clock: undefined, seed: undefined});
});

test('the rest and all tests have a flag each', () => {
	expect([options('--rest').part, options('--all').part]).toEqual(['rest', 'all']);
});

test('a clock and a seed come before names and flags of vitest', () => {
	expect(options('--clock', 'leap-day', '--seed', '17', THIS, '-t', 'a title')).toEqual({
		paths: [THIS],
		flags: ['-t', 'a title'],
		part: 'main',
		clock: 'leap-day',
		seed: 17,
	});
});

test.each([
	[['--clock', 'yesterday'], /--clock is one of leap-day, /],
	[['--clock'], /--clock/],
	[['--seed', 'many'], '--seed is a whole number'],
	[['--seed', '-1'], /--seed/],
	[['--rest', 'no-such-test'], 'no-such-test'],
])('%j is refused by its name', (args, message) => {
	expect(() => options(...args)).toThrow(message);
});
