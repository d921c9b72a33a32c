import {describe, expect, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';
import {testTargets} from '../../../source/tools/test-targets.ts';

const THIS = 'test/unit/tools/test-targets.test.ts';
const targets = (...args: string[]) => testTargets(args, ROOT);

test('without names it is all tests, each file on its own', () => {
	expect(targets()).toEqual({paths: [], canShareModules: false, flags: []});
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
		canShareModules: false,
		flags: ['-t', 'the same sources'],
	});
});

test('only unit tests share modules', () => {
	expect(targets('unit', 'test-targets').canShareModules).toBe(true);
	expect(targets('unit', 'ui').canShareModules).toBe(false);
	expect(targets('-t', 'a title').canShareModules).toBe(false);
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
