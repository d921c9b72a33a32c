import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {lateCode} from '../helpers/late-code.ts';
import {CLI} from '../helpers/program.ts';
import {type Pty, type PtyOptions, withPty} from '../helpers/pty.ts';

/** Opens the monitor on its own service and waits until all three columns have rows. */
async function story(options: PtyOptions, notify: (pty: Pty) => Promise<void>): Promise<void> {
	await withPty({...options, args: [CLI, '--seed', '7', ...(options.args ?? [])]}, async pty => {
		await pty.waitFor(/● live|\* live/);
		await pty.waitFor(screen => /NEW [1-9]/.test(screen.text()));
		await notify(pty);
	});
}

/** What the first column shows as symbols, from its first row of tokens on. */
function symbols(pty: Pty, from = 3): string[] {
	return Array.from({length: 8}, (_, at) =>
		pty
			.row(from + at)
			.slice(2, 10)
			.trim(),
	);
}

const ENTER_ALTERNATE = '\u001b[?1049h';
const LEAVE_ALTERNATE = '\u001b[?1049l';
const SHOW_CURSOR = '\u001b[?25h';

test('three columns fill with tokens from the program’s own service', async () => {
	await story({columns: 160, rows: 40}, async pty => {
		const text = await pty.waitFor(/BONDED [1-9]/);
		expect(text).toMatch(/NEW \d+.*BONDING \d+.*BONDED \d+/);
		expect(text).toContain('PRACTICE  ● live simulated market');
		expect(pty.screenText()).toMatch(/SYMBOL.*AGE.*MCAP/);
	});
});

test('sorting from the menu changes the order and says so; choosing again turns it around', async () => {
	await story({columns: 100, rows: 30}, async pty => {
		pty.type('s');
		await pty.waitFor('Sort NEW by');
		pty.type('holders');
		await pty.waitFor(/holders\s+holders/);
		pty.type('\r');
		await pty.waitFor(/NEW \S+ ▼holders/);
		pty.type('s\r');
		await pty.waitFor(/NEW \S+ ▲holders/);
	});
});

test('a filter is checked while typed, points at the mistake, and is applied by the service', async () => {
	await story({columns: 180, rows: 30}, async pty => {
		pty.type('f');
		await pty.waitFor('filter new:');
		pty.type('mcap>abc');
		await pty.waitFor(/\^ .*abc.* is not a number/);
		pty.type('\r');
		await pty.waitFor('filter new:');
		pty.type('\u0015mcap>8k chain:solana\r');
		await pty.waitFor(/NEW \d+\S* ▼created · 5m mcap>8k chain:solana/);
		await pty.waitFor(screen => !/NEW.*loading/.test(screen.text()));
		pty.type('f\u0015\r');
		await pty.waitFor(screen => !screen.text().includes('mcap>8k'));
	});
});

test('a filter that nothing matches says what it is and how to remove it', async () => {
	await story({columns: 120, rows: 30}, async pty => {
		pty.type('fmcap>900b\r');
		await pty.waitFor('No token matches the filter');
		await pty.waitFor('f changes or removes it');
	});
});

test('the list stands still under the cursor, and goes on when released', async () => {
	await story({columns: 80, rows: 24, args: ['--rate', '5']}, async pty => {
		// The market still loads its history in the first second: the list is long before that has ended.
		await pty.waitFor(screen => symbols(pty).every(symbol => symbol !== '') && screen.columns === 80);
		pty.type('jj');
		await pty.waitFor(/frozen|\+\d+ new/);
		await pty.waitFor(/^▌[ ≈~!★][A-Z$]/m);
		const before = symbols(pty);
		await pty.waitFor(/\+\d+ new/);
		expect(symbols(pty)).toEqual(before);
		pty.type('\u001b');
		await pty.waitFor(screen => !/frozen|\+\d+ new/.test(screen.text()));
		await expect.poll(() => symbols(pty)).not.toEqual(before);
	});
});

test('Enter opens everything about a token, with labels of its deployer and a price line; Esc closes it', async () => {
	await story({columns: 160, rows: 45}, async pty => {
		pty.type('\t\r');
		await pty.waitFor('DEVELOPER');
		await pty.waitFor(/[⠁-⣿]{5,}/);
		await pty.waitFor(/\d+[smh] ago .* now/);
		// The present price stands in the heading and at the end of the line.
		await pty.waitFor(screen => {
			const [, price] = /PRICE (\$\S+)/.exec(screen.text()) ?? [];
			return price !== undefined && screen.text().split(price).length === 3;
		});
		await pty.waitFor(/DEVELOPER[\s\S]*dev/);
		await pty.waitFor(/TOP HOLDERS of [\d,]+ ─+ share, value, profit/);
		pty.type('t');
		await pty.waitFor(/(6h|24h|7d) {2}t: timeframe/);
		pty.type('ii');
		await pty.waitFor(/5s {2}t: timeframe/);
		await pty.waitFor(/[┃╻╹│┇]+ +\$0\.\S+[\s\S]*volume/);
		pty.type('\u001b');
		await pty.waitFor(screen => !screen.text().includes('DEVELOPER'));
	});
});

test('quick search narrows at once, and Esc brings everything back', async () => {
	await story({columns: 80, rows: 24}, async pty => {
		pty.type('/zzzzqqq');
		await pty.waitFor('No token here has “zzzzqqq”');
		pty.type('\u001b');
		await pty.waitFor(screen => !screen.text().includes('zzzzqqq') && /NEW [1-9]/.test(screen.text()));
	});
});

test('every size works while it runs, too small ones say so, and the columns come back', async () => {
	await story({columns: 200, rows: 60}, async pty => {
		for (const [columns, rows] of [
			[80, 24],
			[40, 12],
			[120, 40],
			[41, 13],
			[200, 60],
		] as const) {
			pty.resize(columns, rows);
			await pty.waitFor(
				screen =>
					screen.columns === columns && /NEW [1-9]/.test(screen.text()) && screen.row(rows - 1).includes('open'),
			);
			expect(pty.row(0)).toContain('pulsetop');
		}
		pty.resize(18, 10);
		await pty.waitFor(/20x6/);
		pty.resize(100, 30);
		await pty.waitFor(/NEW [1-9]/);
	});
});

test('help lists every key, the palette finds an action by name and runs it', async () => {
	await story({columns: 100, rows: 30}, async pty => {
		pty.type('?');
		await pty.waitFor('WHAT THE SCREEN SHOWS');
		pty.type('\u001b');
		await pty.waitFor(screen => !screen.text().includes('WHAT THE SCREEN SHOWS'));
		pty.type(':');
		await pty.waitFor('Commands');
		pty.type('reverse sort');
		await pty.waitFor(/Reverse the order of the column/);
		pty.type('\r');
		await pty.waitFor('▲created');
	});
});

test('hidden tokens go and come back, and pinned ones stand first', async () => {
	await story({columns: 80, rows: 24}, async pty => {
		pty.type('\u001b[Bx');
		await pty.waitFor(/Hid /);
		pty.type('u');
		await pty.waitFor(/is shown again/);
		// A sign of warning goes before the star, so a token without one is pinned.
		const rows = Array.from({length: 18}, (_, at) => pty.row(at + 3));
		const at = rows.findIndex(row => row[1] === ' ' && row[2] !== ' ');
		pty.type(`g${at > 0 ? `${at}j` : ''}P`);
		await pty.waitFor('★');
	});
});

test('pause stops the figures and says so', async () => {
	await story({columns: 120, rows: 30}, async pty => {
		pty.type('p');
		await pty.waitFor('PAUSED');
		pty.type('p');
		await pty.waitFor(screen => !screen.text().includes('PAUSED'));
	});
});

test('a copied address goes to the terminal’s clipboard', async () => {
	await story({columns: 100, rows: 30}, async pty => {
		pty.type('jy');
		const shown = await pty.waitFor(/sent to your terminal; not confirmed/);
		const payload = /\u001b\]52;c;([A-Za-z0-9+/=]+)\u0007/.exec(pty.bytes().toString('latin1'))?.[1];
		const address = Buffer.from(payload ?? '', 'base64').toString();
		expect(address.length).toBeGreaterThan(30);
		expect(shown).toContain(address);
	});
});

test.each([
	['q', 'q', 0],
	['Ctrl+C in a menu', 's\u0003', 0],
])('%s quits and restores the terminal', async (_, keys, code) => {
	await story({columns: 80, rows: 24}, async pty => {
		pty.type(keys);
		expect(await pty.exit).toEqual({code, signal: undefined});
		expectRestored(pty);
	});
});

test.each([
	['SIGTERM', 143],
	['SIGHUP', 129],
])('%s gives the terminal back', async (signal, code) => {
	await story({columns: 80, rows: 24}, async pty => {
		pty.kill(signal);
		expect((await pty.exit).code).toBe(code);
		expectRestored(pty);
	});
});

test('an uncaught error restores the terminal, is reported and ends with 70', async () => {
	const bomb = lateCode("throw new Error('boom')");
	await story({columns: 100, rows: 30, env: bomb.env}, async pty => {
		const kept = readCrashFile(pty.home);
		bomb.run(pty);
		expect((await pty.exit).code).toBe(70);
		expectRestored(pty);
		expect(pty.screenText()).toContain('boom');
		expect(await kept).toContain('boom');
	});
});

test('Ctrl+Z gives the terminal back, and going on draws everything again', async () => {
	await story({columns: 80, rows: 24}, async pty => {
		pty.type('\u001a');
		await expect.poll(() => pty.bytes().toString('latin1').includes(LEAVE_ALTERNATE)).toBe(true);
		process.kill(pty.pid, 'SIGCONT');
		await expect.poll(() => pty.bytes().toString('latin1').split(ENTER_ALTERNATE).length).toBeGreaterThanOrEqual(3);
		await pty.waitFor(/NEW [1-9]/);
	});
});

test('without colours and with ASCII alone the screen still shows everything', async () => {
	await story({columns: 120, rows: 30, args: ['--ascii', '--no-color'], env: {FORCE_COLOR: undefined}}, async pty => {
		await pty.waitFor(/BONDED [1-9]/);
		pty.type('j\r');
		await pty.waitFor('DEVELOPER');
		// Beside the title of the column stands the name of the token, which is other people's text.
		const chrome = pty.row(0) + pty.row(1).split('|')[0] + pty.row(29);
		expect(chrome).toMatch(/^[ -~]+$/);
		expect(pty.bytes().toString('latin1')).not.toMatch(/\u001b\[[0-9;]*[34]8;[25];/);
	});
});

test('a warning on stderr does not reach the screen, and is kept in the log', async () => {
	const warnings = lateCode("process.emitWarning('unseen warning'); console.error('unseen error');");
	await story({columns: 100, rows: 30, env: {...warnings.env, NO_COLOR: '1', FORCE_COLOR: '0'}}, async pty => {
		warnings.run(pty);
		const log = join(pty.home, 'data/pulsetop/pulsetop.log');
		await expect.poll(() => readFile(log, 'utf8').catch(() => '')).toMatch(/unseen error[\s\S]*unseen warning/);
		pty.type('?');
		await pty.waitFor('WHAT THE SCREEN SHOWS');
		expect(pty.row(0)).toContain('pulsetop');
		expect(pty.bytes().toString()).not.toContain('unseen');
	});
});

test('an unavailable service is reported, with what to do', async () => {
	await withPty({columns: 120, rows: 30, args: [CLI, '--base-url', 'http://127.0.0.1:9']}, async pty => {
		await pty.waitFor('The service cannot be reached');
		await pty.waitFor('R tries again');
		pty.type('q');
		expect((await pty.exit).code).toBe(0);
	});
});

function expectRestored(pty: Pty): void {
	const bytes = pty.bytes().toString('latin1');
	expect(bytes.lastIndexOf(LEAVE_ALTERNATE)).toBeGreaterThan(bytes.lastIndexOf(ENTER_ALTERNATE));
	expect(bytes.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(bytes.lastIndexOf('\u001b[?25l'));
	expect(bytes).not.toContain('\u001b[3J');
}

/** The home is removed when the program has ended, so its crash file is read as soon as it appears. */
async function readCrashFile(home: string): Promise<string> {
	const folder = join(home, 'data/pulsetop');
	for (;;) {
		const names = await readdir(folder).catch(() => []);
		const name = names.find(candidate => candidate.startsWith('crash-'));
		const text = name === undefined ? '' : await readFile(join(folder, name), 'utf8').catch(() => '');
		if (text !== '') return text;
		await new Promise(resolve => setTimeout(resolve, 10));
	}
}
