import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest';
import {listenOnLoopback} from '../helpers/loopback.ts';
import {CLI, type RunningServe, runCli, runShell, startServe} from '../helpers/program.ts';
import {isolatedEnvironment, withPty} from '../helpers/pty.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

let service: RunningServe;
beforeAll(async () => {
	service = await startServe(['--no-auth', '--seed', '7']);
});
afterAll(() => service.stop());

const at = () => ['--base-url', service.url];

test('without a terminal the program prints the three views of its own service once, as a table, and ends with 0', async () => {
	const outcome = await runCli([]);
	expect(outcome).toMatchObject({code: 0, stderr: ''});
	const [titles, ...rows] = outcome.stdout.trimEnd().split('\n');
	expect(titles).toMatch(/^VIEW +SYMBOL +NAME +CHAIN +AGE +BONDED +MCAP /);
	expect(new Set(rows.map(row => row.split(' ', 1)[0]))).toEqual(new Set(['new', 'bonding', 'bonded']));
	expect(outcome.stdout).not.toContain('\u001b');
});

test('without a terminal, --json prints one document', async () => {
	const outcome = await runCli(['--json']);
	expect(outcome).toMatchObject({code: 0, stderr: ''});
	const document = JSON.parse(outcome.stdout);
	expect(document.schema).toBe('pulsetop.feed/1');
	expect(Object.keys(document.views)).toEqual(['new', 'bonding', 'bonded']);
	for (const {total, tokens} of Object.values<{total: number; tokens: readonly unknown[]}>(document.views)) {
		expect(tokens.length).toBeGreaterThan(0);
		expect(total).toBeGreaterThanOrEqual(tokens.length);
	}
});

test('the trending view is printed where it is named', async () => {
	const outcome = await runCli(['feed', '--view', 'trending', '--limit', '5', '--json', ...at()]);
	expect(outcome).toMatchObject({code: 0, stderr: ''});
	const {views} = JSON.parse(outcome.stdout);
	expect(Object.keys(views)).toEqual(['trending']);
	const scores = views.trending.tokens.map((token: {trending_score_24h: number}) => token.trending_score_24h);
	expect(scores).toHaveLength(5);
	expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
});

test('feed requests the views, the filter, the order and the limit of the flags', async () => {
	const flags = [
		'--view',
		'bonding',
		'--filter',
		'holders>=5 chain:solana',
		'--sort',
		'mcap asc',
		'--limit',
		'10',
		'--json',
	];
	const outcome = await runCli(['feed', ...at(), ...flags]);
	expect(outcome).toMatchObject({code: 0, stderr: ''});
	const {views} = JSON.parse(outcome.stdout);
	expect(Object.keys(views)).toEqual(['bonding']);
	const tokens: readonly {holders_count: number; chain_id: string; market_cap: number}[] = views.bonding.tokens;
	expect(tokens).toHaveLength(10);
	for (const token of tokens) {
		expect(token.holders_count).toBeGreaterThanOrEqual(5);
		expect(token.chain_id).toBe('solana:solana');
	}
	const caps = tokens.map(token => token.market_cap);
	expect(caps).toEqual(caps.toSorted((a, b) => a - b));
});

test('feed on an embedded market prints all tokens, not only the first ones', async () => {
	const outcome = await runCli(['feed', '--view', 'bonded', '--limit', '1', '--json']);
	// About a thousand tokens of a day have bonded; a few dozen of them are there first.
	expect(JSON.parse(outcome.stdout).views.bonded.total).toBeGreaterThan(500);
});

test('feed prints a line of JSON for each token, or comma separated values', async () => {
	const lines = await runCli(['feed', ...at(), '--limit', '3', '--format', 'jsonl']);
	const tokens = lines.stdout
		.trimEnd()
		.split('\n')
		.map(line => JSON.parse(line));
	expect(tokens.map(({view}) => view)).toEqual(['new', 'bonding', 'bonded'].flatMap(view => [view, view, view]));
	const csv = await runCli(['feed', ...at(), '--limit', '3', '--format', 'csv']);
	expect(csv.stdout.split('\r\n')[0]).toMatch(/^view,chain_id,address,symbol,name,source,created_at,/);
	expect(csv.stdout.trimEnd().split('\r\n')).toHaveLength(10);
});

test('feed --follow prints changes as lines of JSON until it is interrupted, and ends with 0', async () => {
	const outcome = await runCli(['feed', ...at(), '--follow', '--limit', '5'], {
		onStdout: (text, {stop}) => {
			if (text.includes('"type":"change"')) stop();
		},
	});
	expect(outcome).toMatchObject({code: 0, stderr: ''});
	const events = outcome.stdout
		.trimEnd()
		.split('\n')
		.map(line => JSON.parse(line));
	expect(events[0]).toMatchObject({type: 'snapshot', view: expect.any(String), tokens: expect.any(Array)});
	expect(events.map(({type}) => type)).toContain('change');
});

test('a reader that has stopped reading does not keep the program from ending', async () => {
	const child = spawn(process.execPath, [CLI, 'feed', ...at(), '--follow', '--limit', '100'], {
		stdio: ['ignore', 'pipe', 'inherit'],
		env: isolatedEnvironment(temporaryDirectory()),
	});
	try {
		// One line is read, and then nothing more.
		await once(child.stdout, 'readable');
		child.stdout.read(1);
		const written = () => Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${child.pid}/io`, 'utf8'))?.[1]);
		await expect.poll(written).toBeGreaterThan(50_000);
		child.kill('SIGTERM');
		const [code] = await once(child, 'exit');
		expect(code).toBe(0);
	} finally {
		child.kill('SIGKILL');
	}
});

test('a reader that takes one line ends the feed without a message, followed or not', async () => {
	for (const flags of ['', '--follow']) {
		const outcome = await runShell(`pulsetop feed --base-url ${service.url} ${flags} | head -1 | cut -c1-4`);
		expect(outcome).toMatchObject({code: 0, stderr: ''});
		expect(outcome.stdout.trim()).toMatch(/^(VIEW|\{"ty)$/);
	}
});

test('on a terminal the table of the feed is no wider than the terminal', async () => {
	await withPty({args: [CLI, 'feed', ...at(), '--limit', '4'], columns: 130, rows: 40}, async pty => {
		expect((await pty.exit).code).toBe(0);
		expect(pty.row(0)).toMatch(/^VIEW .* ADDRESS$/);
		const rows = pty.screenText().split('\n').filter(Boolean);
		expect(rows).toHaveLength(13);
		const end = pty.row(0).indexOf('ADDRESS');
		// By cells: names may hold letters that take two.
		for (let y = 1; y < rows.length; y++) expect(pty.cellAt(end, y).text.trim()).not.toBe('');
	});
});

test('a service that is not there ends with exit code 69 and says so', async () => {
	const outcome = await runCli(['feed', '--base-url', 'http://127.0.0.1:1']);
	expect(outcome).toMatchObject({code: 69, stdout: ''});
	expect(outcome.stderr).toContain('pulsetop: The service cannot be reached\n');
});

test('a service that needs a key and gets none is a failed action, not an unavailable service', async () => {
	const guarded = await startServe(['--api-key', 'the-key']);
	try {
		const without = await runCli(['feed', '--base-url', guarded.url]);
		expect(without).toMatchObject({code: 1, stdout: ''});
		const wrong = await runCli(['feed', '--base-url', guarded.url, '--api-key', 'hunter2']);
		expect(wrong).toMatchObject({code: 1, stdout: ''});
		expect(wrong.stderr).not.toContain('hunter2');
		const right = await runCli(['feed', '--base-url', guarded.url, '--limit', '1'], {
			env: {PULSETOP_API_KEY: 'the-key'},
		});
		expect(right).toMatchObject({code: 0, stderr: ''});
	} finally {
		await guarded.stop();
	}
});

test('token prints a token of the feed as text and as JSON', async () => {
	const listed = await runCli([
		'feed',
		...at(),
		'--view',
		'bonded',
		'--filter',
		'chain:base',
		'--limit',
		'1',
		'--json',
	]);
	const [wanted] = JSON.parse(listed.stdout).views.bonded.tokens;
	const words = await runCli(['token', ...at(), wanted.address, '--chain', 'base']);
	expect(words).toMatchObject({code: 0, stderr: ''});
	expect(words.stdout).toMatch(new RegExp(`^address +${wanted.address}$`, 'm'));
	expect(words.stdout).toMatch(/^volume +\S+/m);
	const json = await runCli(['token', ...at(), wanted.address, '--chain', 'base', '--json']);
	expect(JSON.parse(json.stdout)).toMatchObject({schema: 'pulsetop.token/1', tokens: [{key: wanted.key}]});
});

test('an EVM address without a chain is a usage error, an unknown token a failed action', async () => {
	const address = `0x${'12'.repeat(20)}`;
	expect(await runCli(['token', ...at(), address])).toMatchObject({code: 2, stdout: ''});
	const unknown = await runCli(['token', ...at(), address, '--chain', 'evm:8453']);
	expect(unknown).toMatchObject({code: 1, stdout: ''});
	expect(unknown.stderr).toContain('The service does not know the token');
});

test('labels reads addresses from stdin and prints a row for each', async () => {
	const listed = await runCli(['feed', ...at(), '--view', 'bonded', '--limit', '1', '--json']);
	const [token] = JSON.parse(listed.stdout).views.bonded.tokens;
	const wallets: readonly string[] = [token.deployer, token.address];
	const outcome = await runShell(
		`printf '%s\\n' ${wallets.join(' ')} | pulsetop labels - --base-url ${service.url} --token ${token.address} --json`,
	);
	expect(outcome).toMatchObject({code: 0, stderr: ''});
	const document = JSON.parse(outcome.stdout);
	expect(document.wallets.map(({address}: {address: string}) => address)).toEqual(wallets);
	expect(document.wallets[0].labels).toEqual(expect.any(Array));
});

test('sparkline prints no prices where the picture of the service has no scale', async () => {
	const svg = '<svg xmlns="http://www.w3.org/2000/svg"><polyline points="0,4 1,2 2,0 3,4"/></svg>';
	const server = createServer((request, response) => {
		const isLine = request.url === '/line.svg';
		response.setHeader('content-type', isLine ? 'image/svg+xml' : 'application/json');
		response.end(isLine ? svg : JSON.stringify({url: `http://${request.headers.host}/line.svg`}));
	});
	const {url, close} = await listenOnLoopback(server);
	onTestFinished(close);
	const drawn = await runCli(['sparkline', 'BTC', '--base-url', url]);
	expect(drawn).toMatchObject({code: 0, stderr: ''});
	expect(drawn.stdout.trimEnd().split('\n').at(-1)).toBe('The service gives no scale.');
});

test('sparkline draws the line of a token with its figures, and gives it as values', async () => {
	const listed = await runCli(['feed', ...at(), '--view', 'bonded', '--limit', '1', '--json']);
	const [token] = JSON.parse(listed.stdout).views.bonded.tokens;
	const where = [token.address, '--chain', token.chain_id, ...at()];
	const drawn = await runCli(['sparkline', ...where]);
	expect(drawn).toMatchObject({code: 0, stderr: ''});
	expect(drawn.stdout).toMatch(/[\u2801-\u28ff]/);
	expect(drawn.stdout.trimEnd().split('\n').at(-1)).toMatch(/^min \$\S+ {2}max \$\S+ {2}last \$\S+$/);
	const ascii = await runCli(['sparkline', ...where, '--ascii']);
	expect(ascii.stdout).toMatch(/^[\x20-\x7e\n]+$/);
	const csv = await runCli(['sparkline', ...where, '--format', 'csv']);
	expect(csv.stdout).toMatch(/^index,value\r\n0,[\d.e-]+\r\n1,/);
});
