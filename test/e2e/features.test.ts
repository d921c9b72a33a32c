import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {CLI} from '../helpers/program.ts';
import {type Pty, type PtyOptions, withPty} from '../helpers/pty.ts';

let folder = '';
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'pulsetop-features-'));
});
afterAll(() => rm(folder, {recursive: true, force: true}));

async function story(options: PtyOptions, notify: (pty: Pty) => Promise<void>): Promise<void> {
	await withPty({...options, args: [CLI, '--seed', '7', ...(options.args ?? [])]}, async pty => {
		await pty.waitFor(/● live/);
		await pty.waitFor(screen => /NEW [1-9]/.test(screen.text()));
		await notify(pty);
	});
}

test('a view that was saved is there the next time, and its number loads it', async () => {
	const args = ['--data-dir', join(folder, 'views')];
	await story({columns: 120, rows: 30, args}, async pty => {
		pty.type(':sort holders\r');
		await pty.waitFor(/NEW \S+ ▼holders/);
		pty.type("'s");
		await pty.waitFor('name of view 1:');
		pty.type('Crowded\r');
		await pty.waitFor(/1 Crowded/);
		pty.type('\u001bq');
		expect((await pty.exit).code).toBe(0);
	});
	await story({columns: 120, rows: 30, args}, async pty => {
		expect(pty.screenText()).toMatch(/NEW \S+ ▼created/);
		pty.type("'");
		await pty.waitFor(/Saved views[\s\S]*1 +Crowded/);
		pty.type('1');
		await pty.waitFor(/NEW \S+ ▼holders/);
		pty.type("''");
		await pty.waitFor(/NEW \S+ ▼created/);
	});
});

test('a configured rule rings, notifies the desktop, and runs the command without the API key', async () => {
	const heard = join(folder, 'heard.txt');
	const config = join(folder, 'alerts.toml');
	const script = `require('node:fs').writeFileSync(${JSON.stringify(heard)}, JSON.stringify(process.env))`;
	await writeFile(
		config,
		[
			'[alerts]',
			'rules = ["@new mcap>0"]',
			'desktop = true',
			`command = [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(script)}]`,
		].join('\n'),
	);
	const env = {PULSETOP_API_KEY: 'not for children'};
	await story({columns: 120, rows: 30, args: ['--config', config, '--rate', '5'], env}, async pty => {
		await pty.waitFor(/Alert: .* \(NEW\) matches @new mcap>0/);
		await expect.poll(() => readFile(heard, 'utf8').catch(() => '')).toContain('PULSETOP_SYMBOL');
		const told = JSON.parse(await readFile(heard, 'utf8')) as Record<string, string>;
		expect(told).toMatchObject({PULSETOP_RULE: '@new mcap>0', PULSETOP_COLUMN: 'new'});
		expect(told['PULSETOP_ADDRESS']).toMatch(/^\w{30,}$/);
		expect(told).not.toHaveProperty('PULSETOP_API_KEY');
		expect(pty.bytes().toString('utf8')).toMatch(/\u001b\]9;pulsetop: [^\u0007]* matches @new mcap>0\u0007/);
		pty.type('A');
		await pty.waitFor(/rule {2}@new mcap>0\s+on, from the configuration/);
		pty.type('\u001b');
		await pty.waitFor(screen => !screen.row(0).includes(' alert '));
	});
});

test('the mouse selects and opens, is given back at the end, and can be left to the terminal', async () => {
	await story({columns: 160, rows: 40}, async pty => {
		expect(pty.screen.modes().mouse).not.toBe('none');
		const click = '\u001b[<0;5;6M\u001b[<0;5;6m';
		pty.type(click);
		await pty.waitFor(/frozen|\+\d+ new/);
		pty.type(click);
		await pty.waitFor('DEVELOPER');
		pty.type('\u001bq');
		await pty.exit;
		expect(pty.screen.modes().mouse).toBe('none');
	});
	const config = join(folder, 'mouse.toml');
	await writeFile(config, '[ui]\nmouse = false\n');
	await story({columns: 100, rows: 30, args: ['--config', config]}, async pty => {
		expect(pty.screen.modes().mouse).toBe('none');
	});
});

test('an address of the clipboard is explained, from the palette', async () => {
	await story({columns: 140, rows: 40}, async pty => {
		pty.type('j:why ');
		await pty.waitFor('why ADDRESS [CHAIN]');
		pty.type('\u001b[200~0x0000000000000000000000000000000000000001 base\u001b[201~\r');
		await pty.waitFor(/The service does not know this token: it was searched on evm:8453/);
		pty.type('e');
		await pty.waitFor(/BONDED {2}✗ not here/);
	});
});
