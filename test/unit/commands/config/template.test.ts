import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {templateText} from '../../../../source/commands/config/template.ts';
import {loadConfig} from '../../../../source/config/config.ts';
import {readConfigText} from '../../../../source/config/config-file.ts';
import {SETTINGS, settingsIn} from '../../../../source/config/settings.ts';
import type {Binding} from '../../../../source/ui/keymap/binding.ts';
import {readKeyName} from '../../../../source/ui/keymap/key-names.ts';
import {keymap} from '../../../../source/ui/keymap/keymap.ts';
import {rebind} from '../../../../source/ui/keymap/rebinding.ts';

/** What a terminal sends alike has two names: Ctrl+H is Backspace. */
const keysOf = ({id, keys}: Binding) => ({id, keys: [...new Set(keys.map(readKeyName))]});

test('the unedited template changes nothing', async () => {
	const {values, problems} = await readConfigText(templateText({isWhole: true}), 'template');
	expect(problems).toEqual([]);
	expect([...values.keys()]).toEqual([]);
});

test('the template says of which settings a running monitor needs a restart, and of no other', () => {
	const settings = templateText({isWhole: true}).split('\n\n');
	const of = (name: string) => settings.filter(text => text.includes(`# ${name} = `));
	for (const name of ['data-dir', 'ca-file', 'base-url', 'seed', 'ascii', 'max-loss'])
		expect(of(name)[0], name).toContain('needs a restart');
	for (const name of ['theme', 'motion', 'desktop', 'top10', 'sort'])
		expect(of(name)[0], name).not.toContain('restart');
});

test('the template with every setting taken out of its comment is right, names every setting, and says the defaults', async () => {
	const assignments = templateText({isWhole: true}).replaceAll(/^# (?=[\w.-]+ = |\[keys\])/gm, '');
	const home = mkdtempSync(join(tmpdir(), 'pulsetop-template-'));
	try {
		const file = join(home, 'config.toml');
		writeFileSync(file, assignments);
		const {values, problems} = await readConfigText(assignments, file);
		expect(problems).toEqual([]);
		expect(new Set(values.keys())).toEqual(new Set([...settingsIn(SETTINGS)].map(([path]) => path)));
		const written = await loadConfig({env: {PULSETOP_CONFIG: file, HOME: '/home/a'}});
		const usual = await loadConfig({env: {HOME: '/home/a'}});
		const {
			columns: _writtenColumns,
			service: _writtenService,
			wallet: _writtenWallet,
			follow: writtenFollow,
			dataDir: _writtenDir,
			caFile: _writtenFile,
			keys,
			...rest
		} = written;
		const {
			columns: _columns,
			service: _service,
			wallet: _wallet,
			follow: _follow,
			dataDir: _dir,
			caFile: _file,
			keys: _keys,
			...usualRest
		} = usual;
		expect(writtenFollow.base).toEqual({urls: ['wss://node.example.com']});
		const {bindings, problems: ofKeys} = rebind(keymap, keys);
		expect(ofKeys).toEqual([]);
		expect(bindings.map(keysOf)).toEqual(keymap.map(keysOf));
		// What has no default stands there with an example.
		expect(rest.ui.columns).toEqual(['new', 'bonding', 'bonded', 'trending']);
		const ui = {...rest.ui, columns: usualRest.ui.columns};
		expect({...rest, ui, origins: undefined, file: undefined}).toEqual({
			...usualRest,
			origins: undefined,
			file: undefined,
		});
	} finally {
		rmSync(home, {recursive: true});
	}
});

test('without --all the template has the settings that people set first, on two screens, and says where the others are', async () => {
	const text = templateText({isWhole: false});
	expect(text.split('\n').length).toBeLessThan(110);
	expect(text).toContain('pulsetop config template --all');
	const assignments = text.replaceAll(/^# (?=[\w.-]+ = )/gm, '');
	expect((await readConfigText(assignments, 'template')).problems).toEqual([]);
	const names = (whole: string) => whole.match(/^# [\w.-]+ = /gm) ?? [];
	expect(names(text)).toHaveLength(20);
	expect(text.match(/^\[[\w.]+\]$/gm)).toEqual([
		'[service]',
		'[follow]',
		'[ui]',
		'[alerts]',
		'[columns.new]',
		'[columns.bonding]',
		'[columns.bonded]',
		'[risk]',
		'[wallet]',
		'[trade]',
	]);
});
