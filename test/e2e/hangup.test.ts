import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {CLI, startServe} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';

/* Commands that run until they are told to stop: a hangup without a terminal, as after nohup, and with one. */

let service: Awaited<ReturnType<typeof startServe>>;
beforeAll(async () => {
	service = await startServe(['--api-key', 'one', '--allow-private-webhooks']);
});
afterAll(() => service?.stop());

const home = mkdtempSync(join(tmpdir(), 'pulsetop-'));
const recording = join(home, 'recording.jsonl');
afterAll(() => rmSync(home, {recursive: true, force: true, maxRetries: 10}));
const OF_SERVICE = () => ['--base-url', service.url, '--api-key', 'one'];

/** The commands, and a sign that each works: it grows, or it answers. */
const COMMANDS: readonly (readonly [string, () => readonly string[], (output: string) => boolean])[] = [
	['feed --follow', () => ['feed', '--follow', '--json', ...OF_SERVICE()], output => output.split('\n').length > 5],
	['watch', () => ['watch', '--rule', 'mcap>0', ...OF_SERVICE()], output => output !== ''],
	['record', () => ['record', recording, ...OF_SERVICE()], () => existsSync(recording) && statSync(recording).size > 0],
	['serve', () => ['serve', '--no-auth', '--port', '0'], output => output.includes('listening on')],
	[
		'webhook listen',
		() => ['webhook', 'listen', '--event', 'launchpad', '--chain', 'base', ...OF_SERVICE()],
		output => output !== '',
	],
];

const env = {PATH: process.env['PATH']!, HOME: home};

test.each(COMMANDS)(
	'%s goes on after a hangup where it has no terminal, and ends at SIGTERM',
	async (_, args, isWorking) => {
		const child: ChildProcess = spawn(process.execPath, [CLI, ...args()], {env, stdio: ['ignore', 'pipe', 'pipe']});
		const ended = once(child, 'exit');
		let output = '';
		for (const stream of [child.stdout!, child.stderr!])
			stream.setEncoding('utf8').on('data', text => (output += text));
		try {
			await expect.poll(() => isWorking(output)).toBe(true);
			for (let n = 0; n < 3; n++) child.kill('SIGHUP');
			const url = /listening on (\S+)/.exec(output)?.[1];
			if (url !== undefined) expect((await fetch(`${url}/health/live`)).status).toBe(200);
			child.kill('SIGTERM');
			expect(await ended).toEqual([0, null]);
		} finally {
			child.kill('SIGKILL');
		}
	},
);

test.each(COMMANDS)('%s ends when its terminal hangs up', async (name, args, isWorking) => {
	await withPty({args: [CLI, ...args()], columns: 120, rows: 40}, async pty => {
		await pty.waitFor(() => isWorking(pty.bytes().toString()));
		pty.kill('SIGHUP');
		expect([name, (await pty.exit).code]).toEqual([name, 0]);
	});
});

test('what was recorded up to a hangup can be played', () => {
	expect(readFileSync(recording, 'utf8').length).toBeGreaterThan(100);
});
