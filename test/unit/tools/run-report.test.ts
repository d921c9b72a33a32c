import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';
import {lastLines, REPORT_FILE} from '../../../source/tools/run-report.ts';

test('the last lines of a run name every failure with its clock and reason, then count', () => {
	const today = {passed: 7, failures: [{name: 'parts test/a.test.ts > adds', why: 'expected 1 to be 2'}]};
	const later = {passed: 3, failures: [{name: 'whole test/b.test.ts > draws', why: 'not shown', clock: 'leap-day'}]};
	expect(lastLines([{passed: 0, failures: [{name: 'lint', why: ''}]}, today, later])).toBe(
		[
			'FAIL lint',
			'FAIL parts test/a.test.ts > adds',
			'     expected 1 to be 2',
			'FAIL on leap-day: whole test/b.test.ts > draws',
			'     not shown',
			'10 passed, 3 failed',
		].join('\n'),
	);
	expect(lastLines([{passed: 2, failures: []}])).toBe('2 passed, 0 failed');
});

test('a run of vitest is reported with its failed tests, hooks, files and errors outside the tests', () => {
	const directory = mkdtempSync(join(tmpdir(), 'pulsetop-report-'));
	onTestFinished(() => rmSync(directory, {recursive: true, force: true}));
	const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
	write('fine.test.ts', "test('passes', () => {}); test.skip('is skipped', () => {});");
	write(
		'tests.test.ts',
		"describe('group', () => { test('fails', () => { throw new Error('first line\\nsecond line'); }); });",
	);
	write(
		'hook.test.ts',
		"describe('group', () => { beforeAll(() => { throw new Error('no service'); }); test('waits', () => {}); });",
	);
	write('file.test.ts', "throw new Error('no module');");
	write('late.test.ts', "test('leaves a promise', () => { void Promise.reject(new Error('unseen')); });");
	write('vitest.config.ts', "export default {test: {name: 'parts', globals: true}};");
	const report = join(directory, 'report.json');
	const reporter = join(ROOT, 'source/tools/run-report.ts');
	const {status} = spawnSync(join(ROOT, 'node_modules/.bin/vitest'), ['run', `--reporter=${reporter}`], {
		cwd: directory,
		env: {...process.env, [REPORT_FILE]: report},
	});
	expect(status).toBe(1);
	const {passed, failures} = JSON.parse(readFileSync(report, 'utf8'));
	expect(passed).toBe(2);
	expect(failures.toSorted((a: {name: string}, b: {name: string}) => (a.name < b.name ? -1 : 1))).toEqual([
		{name: 'outside the tests', why: 'unseen'},
		{name: 'parts file.test.ts', why: 'no module'},
		{name: 'parts hook.test.ts > group', why: 'no service'},
		{name: 'parts tests.test.ts > group > fails', why: 'first line'},
	]);
});
