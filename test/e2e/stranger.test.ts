import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {HOSTILE_STRINGS} from '../fixtures/hostile-strings.ts';
import {listenOnLoopback} from '../helpers/loopback.ts';
import {openPlainService} from '../helpers/plain-service.ts';
import {CLI, runShell} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';
import {foreignBytes} from '../unit/terminal/strict-bytes.ts';

/** Some of them are very long, and an entry holds each in many places. */
const hostile = Object.values(HOSTILE_STRINGS).map(text => text.slice(0, 5000));

function hostileEntry(text: string, at: number): Record<string, unknown> {
	return {
		address: `Hostile${at}${'x'.repeat(30)}`,
		chainId: 'solana:solana',
		blockchain: text,
		symbol: text,
		name: text,
		description: text,
		source: text,
		type: text,
		deployer: text,
		created_at: new Date(Date.now() - at * 1000).toISOString(),
		market_cap: 1000 + at,
		socials: {twitter: text, website: text, telegram: text, others: {[text]: text}},
		exchange: {name: text, logo: text},
		twitterRenameHistory: [{username: text, last_checked: text}],
		livestreamTitle: text,
		liveStatus: text,
		security: {buyTax: text, sellTax: text, locked: text},
		holders_list: [{address: text, balance: 5, balanceUSD: 1, tags: [text]}],
	};
}

/** Entries of the first view alone: a token stands in one column. */
const inNew = (entries: () => Record<string, unknown>[]) => (view: string) => (view === 'new' ? entries() : []);

/** What the program itself switches or queries when it takes and gives back the terminal. */
const MODES =
	/\u001b\]11;\?(?=\u001b\\)|\u001b\[\?\d+(?:;\d+)*[hl]|\u001b\[8[hl]|\u001b\\|\u001b>|\u001b\[[05]?n|\u001b\[6n|\u001b\[>?c|\u001b\[>q|\u001b\[>4m|\u001b\[=0u|\u001b\[\?2004\$p/g;
/** The program switches on only these private modes: keys, wrapping, cursor, alternate screen, mouse, focus, paste, whole frames. */
const OUR_MODES = new Set(['1', '7', '25', '1000', '1002', '1004', '1006', '1049', '2004', '2026']);

test('hostile names neither control the terminal nor move a neighbour, in the list and in the pane', async () => {
	const service = await openPlainService(inNew(() => hostile.map(hostileEntry)));
	try {
		await withPty({columns: 120, rows: 45, args: [CLI, '--base-url', service.url, '--api-key', 'k']}, async pty => {
			await pty.waitFor(/NEW \d\d/);
			const rules = () =>
				Array.from({length: 43}, (_, at) => {
					const row = Array.from({length: 120}, (_, x) => pty.cellAt(x, at + 1).text);
					return row.flatMap((cell, x) => (cell === '│' ? [x] : [])).join();
				});
			// Each line has them where the first one has.
			expect(new Set(rules()).size).toBe(1);
			expect(rules()[0]).toMatch(/^\d+,\d+$/);
			for (let at = 0; at < hostile.length; at++) {
				pty.type('j');
				if (at % 5 === 0) {
					pty.type('\r');
					await pty.waitFor('DEVELOPER');
					pty.type('  ');
					pty.type('\u001b');
					await pty.waitFor(screen => !screen.text().includes('DEVELOPER'));
				}
			}
			pty.type('q');
			expect((await pty.exit).code).toBe(0);
			const all = pty.bytes().toString('utf8');
			for (const [, modes] of all.matchAll(/\u001b\[\?([\d;]+)h/g)) {
				for (const mode of modes!.split(';')) expect(OUR_MODES).toContain(mode);
			}
			// After that comes the line that it leaves with, on the person's own screen. A terminal that reads slowly may get the
			// last frame cut in the middle of a style: the way out ends it.
			const bytes = all
				.slice(0, all.lastIndexOf('\u001b[?1049l'))
				.replace(MODES, '')
				.replace(/\u001b\[[\d;]*\u001b\[m$/, '');
			expect(foreignBytes(bytes).slice(0, 60)).toBe('');
		});
	} finally {
		await service.close();
	}
});

test('a foreign service without a stream is polled, and the screen says so', async () => {
	let round = 0;
	const service = await openPlainService(inNew(() => [{...hostileEntry('PLAIN', 1), market_cap: 1000 * ++round}]));
	try {
		await withPty({columns: 120, rows: 30, args: [CLI, '--base-url', service.url, '--api-key', 'k']}, async pty => {
			await pty.waitFor('polling');
			await pty.waitFor(screen => (/PLAIN\s+\w+\s+\d+s\s+.?(\d+)/.exec(screen.text()) ?? [])[0] !== undefined);
			const before = service.asked.length;
			await expect.poll(() => service.asked.length).toBeGreaterThan(before + 2);
			expect(pty.row(0)).not.toContain('PRACTICE');
		});
	} finally {
		await service.close();
	}
});

test('a refused key is shown with the reason, and the program goes on', async () => {
	const {createServer} = await import('node:http');
	const server = createServer((_, response) => {
		response.writeHead(401, {'content-type': 'application/json'});
		response.end('{"statusCode":401,"message":"Invalid API key","error":"Unauthorized"}');
	});
	const {url, close} = await listenOnLoopback(server);
	try {
		await withPty(
			{columns: 120, rows: 30, args: [CLI, '--base-url', url, '--api-key', 'secret-canary-key']},
			async pty => {
				const text = await pty.waitFor(/refused/);
				expect(text).toMatch(/key/i);
				pty.type('?');
				await pty.waitFor('WHAT THE SCREEN SHOWS');
				expect(pty.bytes().toString()).not.toContain('secret-canary-key');
			},
		);
	} finally {
		await close();
	}
});

test('fields with other names are read by the aliases of the configuration, on the screen and by commands', async () => {
	const entry = {address: `Named${'x'.repeat(38)}`, chainId: 'solana:solana', symbol: 'NAMED', cap: 4321, owners: 77};
	const service = await openPlainService(inNew(() => [entry]));
	const env = {PULSETOP_BASE_URL: service.url, PULSETOP_API_KEY: 'k', PULSETOP_CONFIG: 'names.toml'};
	const write = `cd "$HOME"; printf '[provider.aliases]\\nmarket_cap = "cap"\\nholders_count = "owners"\\n' > names.toml; `;
	try {
		const printed = await runShell(`${write} pulsetop feed --view new --json`, {env});
		expect(printed).toMatchObject({code: 0, stderr: ''});
		expect(printed.stdout).toMatch(/"market_cap": ?4321/);
		expect(printed.stdout).toMatch(/"holders_count": ?77/);
		const command = `${write} exec '${process.execPath}' '${CLI}'`;
		await withPty({columns: 118, rows: 45, command: 'bash', args: ['-c', command], env}, async pty => {
			await pty.waitFor(/NAMED .*4\.32K/);
		});
	} finally {
		await service.close();
	}
});

test('an unavailable hosted service is shown with its last rows and their age', async () => {
	const dataDir = await mkdtemp(join(tmpdir(), 'pulsetop-'));
	const service = await openPlainService(inNew(() => [{...hostileEntry('LASTSEEN', 1), market_cap: 5000}]));
	const options = {
		columns: 120,
		rows: 30,
		args: [CLI, '--base-url', service.url, '--api-key', 'k', '--data-dir', dataDir],
	};
	try {
		await withPty(options, async pty => {
			await pty.waitFor('LASTSEEN');
			pty.type('q');
			expect((await pty.exit).code).toBe(0);
		});
		await service.close();
		await withPty(options, async pty => {
			await pty.waitFor('LASTSEEN');
			await pty.waitFor('offline');
			expect(pty.screenText()).toMatch(/LASTSEEN[\s\S]*q quit/);
			pty.type('q');
			expect((await pty.exit).code).toBe(0);
		});
	} finally {
		await service.close().catch(() => {});
		await rm(dataDir, {recursive: true, force: true});
	}
});
