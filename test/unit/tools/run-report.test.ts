import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';
import {lastLines, REPORT_FILE} from '../../../source/tools/run-report.ts';

test('the last lines of a run name every failure with its reason, load and repetition, then count', () => {
	const why = 'expected 1 to be 2';
	const today = {
		passed: 7,
		failures: [{name: 'parts test/a.test.ts > adds', why, file: 'test/a.test.ts', load: 23.46}],
	};
	const later = {
		passed: 3,
		failures: [{name: 'whole test/b.test.ts > draws', why: '', file: 'test/b.test.ts', load: 1, clock: 'leap-day'}],
	};
	expect(lastLines([{passed: 0, failures: [{name: 'lint', why: ''}]}, today, later], 99)).toBe(
		[
			'FAIL lint',
			'FAIL parts test/a.test.ts > adds',
			'     expected 1 to be 2',
			'     at a load of 23.5',
			'     again: npm test -- --seed 99 test/a.test.ts',
			'FAIL on leap-day: whole test/b.test.ts > draws',
			'     at a load of 1.0',
			'     again: npm test -- --clock leap-day --seed 99 test/b.test.ts',
			'10 passed, 3 failed',
		].join('\n'),
	);
	expect(lastLines([{passed: 2, failures: []}], 99)).toBe('2 passed, 0 failed');
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
	write(
		'reason.test.ts',
		"test('is refused', () => { throw Object.assign(new Error('The service refused the request'), {why: 'status 400; it said: no\\nmore'}); });",
	);
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
	const load = expect.any(Number);
	expect(failures.toSorted((a: {name: string}, b: {name: string}) => (a.name < b.name ? -1 : 1))).toEqual([
		{name: 'outside the tests', why: 'unseen'},
		{name: 'parts file.test.ts', why: 'no module', file: 'file.test.ts', load},
		{name: 'parts hook.test.ts > group', why: 'no service', file: 'hook.test.ts', load},
		{
			name: 'parts reason.test.ts > is refused',
			why: 'The service refused the request: status 400; it said: no',
			file: 'reason.test.ts',
			load,
		},
		{name: 'parts tests.test.ts > group > fails', why: 'first line', file: 'tests.test.ts', load},
	]);
});
