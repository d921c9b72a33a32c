import {mkdtemp, rename, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {CLI} from '../helpers/program.ts';
import {type Pty, withPty} from '../helpers/pty.ts';
import type {Screen} from '../helpers/screen.ts';

let folder = '';
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'pulsetop-reload-'));
});
afterAll(() => rm(folder, {recursive: true, force: true}));

/** The monitor with a configuration file, and what replaces it as an editor does. */
async function story(
	name: string,
	first: string,
	notify: (pty: Pty, save: (text: string) => Promise<void>) => Promise<void>,
	args: readonly string[] = [],
): Promise<void> {
	const file = join(folder, `${name}.toml`);
	await writeFile(file, first);
	const save = async (text: string): Promise<void> => {
		await writeFile(`${file}.swp`, text);
		await rename(`${file}.swp`, file);
	};
	const all = [CLI, '--seed', '7', '--config', file, '--data-dir', join(folder, name), ...args];
	await withPty({columns: 120, rows: 30, args: all}, async pty => {
		await pty.waitFor(/● live/);
		await pty.waitFor(/NEW [1-9]/);
		await notify(pty, save);
	});
}

/** The colour of the program's name at the top left. */
function brandColor(screen: Screen): string | number | undefined {
	return screen.cellAt(Math.max(screen.row(0).indexOf('pulsetop'), 0), 0).color;
}

test('an edited file changes theme, colors and keys at once; a broken one changes nothing and names its line', async () => {
	await story('edited', '[ui]\ntheme = "dark"\n', async (pty, save) => {
		const dark = brandColor(pty.screen);
		await save('[ui]\ntheme = "light"\n');
		await pty.waitFor(/edited\.toml: ui\.theme applied\./);
		await pty.waitFor(screen => brandColor(screen) !== dark);

		await save('[ui]\ntheme = "light"\n[colors]\nbrand = "#123456"\n[keys]\n"sort.menu" = ["f9"]\n');
		await pty.waitFor(screen => brandColor(screen) === '#123456');
		await pty.waitFor(/edited\.toml: colors, keys applied\./);
		pty.type('\u001b[20~');
		await pty.waitFor(/Sort NEW by/);
		pty.type('\u001b');
		await pty.waitFor(screen => !/Sort NEW by/.test(screen.text()));

		await save('[ui]\ntheme = "light"\nmotion = "some"\n[colors]\nbrand = "#654321"\n');
		await pty.waitFor(/edited\.toml, line 3: The value of ui\.motion can't be used: it must be one of/);
		expect(brandColor(pty.screen)).toBe('#123456');
		// The message stays, and so do the keys.
		pty.type('\u001b[20~');
		await pty.waitFor(/Sort NEW by/);
		expect(pty.screenText()).toMatch(/line 3/);
		pty.type('\u001b');
		await pty.waitFor(screen => !/Sort NEW by/.test(screen.text()));
		expect(pty.screenText()).toMatch(/line 3: The value of ui\.motion/);
		expect(pty.screenText()).toMatch(/ \? help/);

		await save('[ui]\ntheme = "light"\nmotion = "none"\n[colors]\nbrand = "#654321"\n');
		await pty.waitFor(screen => brandColor(screen) === '#654321');
		await pty.waitFor(/edited\.toml: ui\.motion, colors, keys applied\./);
	});
});

test('what needs a restart is named and stays named; flags keep winning; :reload reads again by hand', async () => {
	await story(
		'restart',
		'',
		async (pty, save) => {
			const before = brandColor(pty.screen);
			await save('[ui]\ntheme = "light"\nascii = true\n[service]\nbase-url = "https://api.example.com"\n');
			await pty.waitFor(/service\.base-url, ui\.ascii need a restart\./);
			expect(brandColor(pty.screen)).toBe(before);
			pty.type(':reload\r');
			await pty.waitFor(/service\.base-url, ui\.ascii need a restart\./);
			await save('');
			await pty.waitFor(screen => !/need a restart/.test(screen.text()));
			pty.type(':reload\r');
			await pty.waitFor(/The configuration is as it was\./);
			expect(brandColor(pty.screen)).toBe(before);
		},
		['--theme', 'contrast'],
	);
});

test('a changed column of the file is requested at once', async () => {
	await story('columns', '', async (pty, save) => {
		await save('[columns.new]\nsort = "holders desc"\nfilter = "holders>3"\n');
		await pty.waitFor(/NEW \S+ ▼holders/);
		await pty.waitFor(/columns\.new\.filter, columns\.new\.sort applied/);
		pty.type('f');
		await pty.waitFor(/filter new: holders>3/);
	});
});

test('the plain monitor says the same as sentences', async () => {
	const file = join(folder, 'plain.toml');
	await writeFile(file, '');
	const args = [CLI, '--plain-ui', '--seed', '7', '--config', file, '--data-dir', join(folder, 'plain')];
	await withPty({columns: 160, rows: 30, args}, async pty => {
		await pty.waitFor(/Column new/i);
		await writeFile(file, '[risk]\ndev = [1, 2]\n');
		await pty.waitFor(/plain\.toml: risk\.dev applied\./);
		await writeFile(file, '[risk]\ndev = "low"\n');
		await pty.waitFor(/plain\.toml, line 2: The value of risk\.dev can't be used/);
		await writeFile(file, '[risk]\ndev = [1, 2]\n');
		pty.type('reload\r');
		await pty.waitFor(/The configuration is as it was\./);
	});
});
