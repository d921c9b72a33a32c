import {mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {CLI} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';

let folder = '';
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'pulsetop-report-'));
});
afterAll(() => rm(folder, {recursive: true, force: true}));

test('M b writes a report and says where: what is on screen, what the doctor finds, and a feed that can be replayed', async () => {
	const dataDir = join(folder, 'data');
	const env = {PULSETOP_API_KEY: 'canary-that-must-not-leave'};
	await withPty({columns: 160, rows: 30, args: [CLI, '--seed', '7', '--data-dir', dataDir], env}, async pty => {
		await pty.waitFor(/● live/);
		await pty.waitFor(/NEW [1-9]/);
		pty.type('Mb');
		await pty.waitFor(/Report without keys or secrets, to read before you send it: /);
		const [name = ''] = (await readdir(dataDir)).filter(entry => entry.startsWith('bug-report-'));
		const report = join(dataDir, name);
		expect((await readdir(report)).toSorted()).toEqual([
			'config.json',
			'doctor.txt',
			'feed.pulse',
			'frame.txt',
			'state.json',
			'terminal.json',
		]);
		expect(await readFile(join(report, 'frame.txt'), 'utf8')).toMatch(/NEW [1-9]/);
		const doctor = await readFile(join(report, 'doctor.txt'), 'utf8');
		expect(doctor).toMatch(/^ok {4}program +pulsetop \d/);
		expect(doctor).toMatch(/this machine's clock is 0\.\d s /);
		for (const file of ['config.json', 'doctor.txt', 'frame.txt', 'state.json', 'terminal.json'])
			expect(await readFile(join(report, file), 'utf8')).not.toContain('canary');
		await withPty({columns: 160, rows: 30, args: [CLI, 'replay', join(report, 'feed.pulse')]}, async replay => {
			await replay.waitFor(/RECORDING/);
			await replay.waitFor(/NEW [1-9]/);
		});
	});
});

test('t in the list of alerts rings a test alert and says what it did', async () => {
	const config = join(folder, 'alerts.toml');
	const out = join(folder, 'alert.json');
	const script = `require('node:fs').writeFileSync(${JSON.stringify(out)}, JSON.stringify(process.env))`;
	const command = [process.execPath, '-e', script].map(word => JSON.stringify(word)).join(', ');
	await writeFile(config, `[alerts]\nrules = ["@new mcap>100m"]\ncommand = [${command}]\n`);
	const args = [CLI, '--seed', '7', '--config', config, '--data-dir', join(folder, 'alerts')];
	await withPty({columns: 160, rows: 30, args}, async pty => {
		await pty.waitFor(/● live/);
		pty.type('A');
		await pty.waitFor(/rule {2}@new mcap>100m/);
		const rung = pty.heard('\u0007');
		pty.type('t');
		await rung;
		await pty.waitFor(/bell, command /);
		// What is said covers no key of the list.
		expect(pty.screenText()).toMatch(/Esc cancel/);
		await expect.poll(() => readFile(out, 'utf8').catch(() => '')).toMatch(/"PULSETOP_TEST":"1"/);
	});
});
