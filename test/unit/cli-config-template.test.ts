import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {templateText} from '../../source/commands/config-template.ts';
import {loadConfig} from '../../source/config.ts';
import {readConfigText} from '../../source/config-file.ts';
import {SETTINGS, settingsIn} from '../../source/config-settings.ts';

test('the template as it is changes nothing', async () => {
	const {values, problems} = await readConfigText(templateText(), 'template');
	expect(problems).toEqual([]);
	expect([...values.keys()]).toEqual([]);
});

test('the template with every setting taken out of its comment is right, names every setting, and says the defaults', async () => {
	const assignments = templateText().replaceAll(/^# (?=[\w-]+ = )/gm, '');
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
			dataDir: _writtenDir,
			...rest
		} = written;
		const {columns: _columns, service: _service, wallet: _wallet, dataDir: _dir, ...usualRest} = usual;
		expect({...rest, origins: undefined, file: undefined}).toEqual({...usualRest, origins: undefined, file: undefined});
	} finally {
		rmSync(home, {recursive: true});
	}
});
