import {type ChildProcess, spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, test} from 'vitest';
import {CLI} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';

const directory = mkdtempSync(join(tmpdir(), 'pulsetop-addresses-'));
afterAll(() => rmSync(directory, {recursive: true, force: true, maxRetries: 5}));

const services: ChildProcess[] = [];
afterEach(() => {
	for (const service of services.splice(0)) service.kill('SIGKILL');
});

/** `pulsetop serve` on a free port and a data directory of its own, ready. */
async function serve(name: string): Promise<{process: ChildProcess; url: string}> {
	const options = ['--port', '0', '--api-key', 'k', '--seed', '3', '--rate', '0.2'];
	const child = spawn(process.execPath, [CLI, 'serve', ...options, '--data-dir', join(directory, name)], {
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	services.push(child);
	let said = '';
	for await (const chunk of child.stdout!) {
		said += String(chunk);
		const url = /listening on (http:\S+)/.exec(said)?.[1];
		if (url !== undefined) return {process: child, url};
	}
	throw new Error(`the service did not start: ${said}`);
}

test('when the address in use is killed the monitor goes on at the other, says so, and lists both', {}, async () => {
	const both = await Promise.all([serve('first'), serve('second')]);
	const hosts = both.map(({url}) => new URL(url).host);
	const args = [CLI, '--base-url', both.map(({url}) => url).join(','), '--api-key', 'k'];
	await withPty({columns: 120, rows: 30, args}, async pty => {
		await pty.waitFor('● live');
		await pty.waitFor(/NEW [1-9]/);
		const used = hosts.findIndex(host => pty.row(0).includes(`live ${host}`));
		const [dead, other] = [hosts[used]!, hosts[1 - used]!];
		both[used]!.process.kill('SIGKILL');
		await pty.waitFor(new RegExp(`Moved to ${other} · .* are missing`));
		await pty.waitFor(() => pty.row(0).includes(`live ${other}`) && !/ \d+s /.test(pty.row(1)));
		pty.type('Ms');
		await pty.waitFor(new RegExp(`${dead} +failed at [\\d:]+: (nothing listens|the (stream|connection) was cut)`));
		await pty.waitFor(new RegExp(`${other} +serves now`));
	});
});
