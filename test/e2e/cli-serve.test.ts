import {mkdtempSync, readdirSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runCli, startServe} from '../helpers/program.ts';

const QUESTION = {
	method: 'POST',
	headers: {'content-type': 'application/json'},
	body: JSON.stringify({assetMode: true, views: [{name: 'new', model: 'new', limit: 2}]}),
};

test('serve prints its address, responds there, and ends with 0 on SIGTERM', async () => {
	const service = await startServe(['--no-auth']);
	expect(service.stdout()).toBe(`listening on ${service.url}\n`);
	const response = await fetch(`${service.url}/api/2/pulse`, QUESTION);
	expect(response.status).toBe(200);
	expect(await service.stop()).toBe(0);
	await expect(fetch(service.url)).rejects.toThrow();
});

test('serve drains after the first signal, and ends at once at the second', async () => {
	const service = await startServe(['--no-auth', '--drain-seconds', '300']);
	const ready = async () => (await fetch(`${service.url}/health/ready`)).json();
	expect(await ready()).toEqual({ready: true});
	const first = service.stop('SIGTERM');
	await expect.poll(ready).toEqual({ready: false, reason: 'draining'});
	const second = service.stop('SIGINT');
	expect(await Promise.all([first, second])).toEqual([null, null]);
});

test('serve accepts several keys and no other', async () => {
	const service = await startServe(['--api-key', 'one', '--api-key=two']);
	try {
		const status = async (key?: string) => {
			const headers = key === undefined ? QUESTION.headers : {...QUESTION.headers, authorization: `Bearer ${key}`};
			return (await fetch(`${service.url}/api/2/pulse`, {...QUESTION, headers})).status;
		};
		expect([await status('one'), await status('two'), await status('three'), await status()]).toEqual([
			200, 200, 401, 401,
		]);
	} finally {
		expect(await service.stop('SIGINT')).toBe(0);
	}
});

test('serve without a key makes one and prints it', async () => {
	const service = await startServe();
	try {
		await expect.poll(() => service.stdout()).toMatch(/^api key: \S+$/m);
		const [, key = ''] = /^api key: (\S+)$/m.exec(service.stdout()) ?? [];
		const outcome = await runCli(['feed', '--base-url', service.url, '--limit', '1'], {env: {PULSETOP_API_KEY: key}});
		expect(outcome).toMatchObject({code: 0, stderr: ''});
	} finally {
		await service.stop();
	}
});

test('a second serve over the same data directory is refused while the first runs, however that ends', async () => {
	const dataDir = mkdtempSync(join(tmpdir(), 'pulsetop-serve-'));
	const first = await startServe(['--no-auth', '--data-dir', dataDir]);
	const refused = await runCli(['serve', '--no-auth', '--port', '0', '--data-dir', dataDir]);
	expect(refused).toMatchObject({code: 1, stdout: ''});
	expect(refused.stderr).toMatch(/Another pulsetop serves from this data directory/);
	expect(refused.stderr).toContain(join(dataDir, 'serve.lock'));
	// A monitor or a command beside it is not refused.
	expect(await runCli(['feed', '--limit', '1', '--data-dir', dataDir])).toMatchObject({code: 0});
	await first.stop('SIGKILL');
	const second = await startServe(['--no-auth', '--data-dir', dataDir]);
	expect(await second.stop()).toBe(0);
	const third = await startServe(['--no-auth', '--data-dir', dataDir]);
	expect(await third.stop()).toBe(0);
});

test('a port in use is reported as text', async () => {
	const service = await startServe(['--no-auth']);
	try {
		const outcome = await runCli(['serve', '--no-auth', '--port', new URL(service.url).port]);
		expect(outcome).toMatchObject({code: 1, stdout: ''});
		expect(outcome.stderr).toContain(`port ${new URL(service.url).port} is already in use`);
		// Before the start: it would wait for this database for ever.
		const noDatabase = 'postgres://nobody@127.0.0.1:1/none';
		const alone = await runCli(['serve', '--no-auth', '--store', noDatabase, '--port', new URL(service.url).port]);
		expect(alone).toMatchObject({code: 1, stdout: '', stderr: outcome.stderr});
	} finally {
		await service.stop();
	}
});

test('serve without keys refuses to listen beyond this machine', async () => {
	const outcome = await runCli(['serve', '--no-auth', '--host', '0.0.0.0', '--port', '0']);
	expect(outcome).toMatchObject({code: 1, stdout: ''});
	expect(outcome.stderr).toContain('A service without keys must stay on this machine');
});

test.each([['70000'], ['-1'], ['http']])('an invalid port is a usage error: %s', async port => {
	expect(await runCli(['serve', `--port=${port}`])).toMatchObject({code: 2, stdout: ''});
});

test('when serve says that it listens, its views are complete', async () => {
	const service = await startServe(['--no-auth']);
	try {
		const health = await (await fetch(`${service.url}/health`)).json();
		expect(health).toMatchObject({status: 'ok', market: 'simulated', history: 'complete'});
		const response = await fetch(`${service.url}/api/2/pulse/pagination`, QUESTION);
		// A whole day, where it begins with some hundreds.
		expect(await response.json()).toMatchObject({new: {pagination: expect.toSatisfy((total: number) => total > 4000)}});
	} finally {
		expect(await service.stop()).toBe(0);
	}
});

test('a data directory that is a file is a usage error, reported at once', async () => {
	const file = join(mkdtempSync(join(tmpdir(), 'pulsetop-')), 'data');
	writeFileSync(file, '');
	for (const path of [file, join(file, 'below')]) {
		const outcome = await runCli(['serve', '--no-auth', '--port', '0', '--data-dir', path]);
		expect(outcome).toMatchObject({code: 2, stdout: ''});
		expect(outcome.stderr).toContain('--data-dir');
	}
});

test('a damaged store is reported at the start and kept aside', async () => {
	const dataDir = mkdtempSync(join(tmpdir(), 'pulsetop-'));
	writeFileSync(join(dataDir, 'service.db'), 'no database '.repeat(500));
	const service = await startServe(['--no-auth', '--data-dir', dataDir]);
	try {
		expect(service.stderr()).toMatch(
			/service\.db is damaged .* kept as service\.db\.damaged-\d+ and a new one started/,
		);
		expect(readdirSync(dataDir).some(name => name.startsWith('service.db.damaged-'))).toBe(true);
	} finally {
		expect(await service.stop()).toBe(0);
	}
});
