import {execFileSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';
import {MAIN_STORIES, REST} from '../../suites.ts';
import {filesOf, testFiles} from '../../test-files.ts';

/** The files that vitest would run. */
function listed(suite: string): readonly string[] {
	const args = ['list', '-c', 'test/vitest.config.ts', '--filesOnly', '--json'];
	const text = execFileSync('vitest', args, {
		cwd: ROOT,
		encoding: 'utf8',
		env: {...process.env, PATH: `${ROOT}/node_modules/.bin:${process.env['PATH']}`, PULSETOP_TEST_SUITE: suite},
	});
	const found = JSON.parse(text.slice(text.indexOf('['))) as readonly {readonly file: string}[];
	return found.map(({file}) => file.slice(ROOT.length + 1)).toSorted();
}

test('each test file is in one of the two lists, and vitest runs it once', () => {
	const all = filesOf(['test/**/*.test.{ts,tsx}', 'source/**/*.test.{ts,tsx}']);
	const [main, rest] = [listed('main'), listed('rest')];
	expect([...main, ...rest].toSorted()).toEqual(all);
	expect(main).toEqual([...testFiles('main')].toSorted());
});

test('each line of the lists names a file that is there', () => {
	for (const pattern of [...REST, ...MAIN_STORIES]) expect(filesOf([pattern]), pattern).not.toEqual([]);
	expect(REST.filter(pattern => pattern.includes('/e2e/'))).toEqual([]);
});
