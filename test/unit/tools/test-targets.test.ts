import {describe, expect, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';
import {testTargets} from '../../../source/tools/test-targets.ts';

const THIS = 'test/unit/tools/test-targets.test.ts';
const targets = (...args: string[]) => testTargets(args, ROOT);

test('no names mean all tests', () => {
	expect(targets()).toEqual({paths: [], flags: []});
});

test.each([
	['unit', 'test/unit/'],
	['test/unit', 'test/unit/'],
	['./test/unit/tools/', 'test/unit/tools/'],
	['unit/tools', 'test/unit/tools/'],
	[THIS, THIS],
	['unit/tools/test-targets.test.ts', THIS],
	['test-targets', THIS],
])('%s is %s', (name, path) => {
	expect(targets(name).paths).toEqual([path]);
});

test('several names are run together, and flags go to vitest', () => {
	expect(targets('unit/tools', 'release', '-t', 'the same sources')).toEqual({
		paths: ['test/unit/tools/', 'test/release.test.ts'],
		flags: ['-t', 'the same sources'],
	});
});

describe('a name that leads to no test is refused', () => {
	test('with the nearest one and the folders', () => {
		expect(() => targets('untit')).toThrow(
			/^No test file or folder is named untit. Did you mean unit\? Folders: .*\bui, unit\. Paths below them/,
		);
	});

	test('with the folders alone when none is near', () => {
		expect(() => targets('unit', 'xylophone')).toThrow(/^No test file or folder is named xylophone. Folders: /);
	});

	test('also when its folder exists', () => {
		expect(() => targets('helpers')).toThrow(/^test\/helpers\/ holds no tests. /);
		expect(() => targets('source/ui')).toThrow(/^source\/ui\/ holds no tests. /);
	});
});
