import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';
import {processesUnder} from '../../helpers/processes.ts';

/** `npm test -- NAMES` with a temporary directory of its own. */
function startRun(...names: string[]) {
	const directory = mkdtempSync(join(tmpdir(), 'run-'));
	onTestFinished(() => rmSync(directory, {recursive: true, force: true}));
	const env = {...process.env, TMPDIR: directory};
	const child = spawn(process.execPath, ['source/tools/test-run.ts', ...names], {cwd: ROOT, env, stdio: 'pipe'});
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		output += text;
	});
	return {directory, child, ended: once(child, 'close'), output: () => output};
}

test.skipIf(process.platform !== 'linux')(
	'an interrupted run ends at once with all that it started, and leaves nothing in the temporary directory',
	async () => {
		const {directory, child, ended} = startRun('test/service/chain/anvil.test.ts');
		await expect
			.poll(() => processesUnder(directory).map(({line}) => line))
			.toContainEqual(expect.stringMatching(/anvil --/));
		child.kill('SIGINT');
		expect(await ended).toEqual([130, null]);
		await expect.poll(() => processesUnder(directory)).toEqual([]);
		expect(readdirSync(directory)).toEqual([]);
	},
);

test('a whole run leaves nothing in the temporary directory, and ends with the count', async () => {
	const {directory, ended, output} = startRun('test/unit/errors.test.ts', '-t', 'no such title');
	expect(await ended).toEqual([expect.any(Number), null]);
	expect(output().trimEnd().split('\n').at(-1)).toMatch(/^\d+ passed, \d+ failed$/);
	expect(readdirSync(directory)).toEqual([]);
});
