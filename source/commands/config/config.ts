import {configPath, isAbsent, type Origin, readConfigFile, valueAt} from '../../config/config.ts';
import {ConfigError} from '../../config/config-error.ts';
import {SETTINGS, settingsIn} from '../../config/settings.ts';
import {explain} from '../../errors.ts';
import {clean} from '../../text.ts';
import type {Call} from '../line/command.ts';
import {jsonText, print, screenWidth} from '../output/output.ts';
import {tableText} from '../output/table.ts';
import {meaningProblems} from './meaning.ts';
import {templateText, tomlText} from './template.ts';

/** `pulsetop config path`: prints the path of the configuration file. @returns the exit code */
export async function configPathCommand({flags}: Call): Promise<number> {
	const path = configPath({flags: flags.values(), env: process.env});
	await print(flags.has('json') ? jsonText({path, exists: !isAbsent(path)}) : `${path}\n`);
	return 0;
}

/** `pulsetop config template`: prints a file with the settings that people set first, or with all, all commented out. @returns the exit code */
export async function configTemplate({flags}: Call): Promise<number> {
	const text = templateText({isWhole: flags.has('all')});
	await print(flags.has('json') ? jsonText({template: text}) : text);
	return 0;
}

/** `pulsetop config show`: prints the settings in force; with `--origin`, their origins. Keys are masked. @returns the exit code */
export async function configShow({flags, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const rows = [...settingsIn(SETTINGS)].map(([path, setting]) => {
		const value = valueAt(config, path);
		const origin = config.origins.get(path) as Origin;
		return {
			path,
			value: setting.isSecret && origin.from !== 'default' && value !== undefined ? '(set)' : value,
			origin,
		};
	});
	const {path, exists} = config.file;
	if (flags.has('json'))
		await print(jsonText({schema: 'pulsetop.config-show/1', file: {path, exists}, settings: rows}));
	else {
		const columns = [
			{title: 'SETTING', cell: ({path}: (typeof rows)[number]) => path},
			{title: 'VALUE', cell: ({value}: (typeof rows)[number]) => clean(tomlText(value)), shrinksTo: 12},
			...(flags.has('origin') ? [{title: 'FROM', cell: ({origin}: (typeof rows)[number]) => originText(origin)}] : []),
		];
		await print(tableText(columns, rows, {width: screenWidth(), ascii: config.ui.ascii}));
	}
	return 0;
}

function originText({from, name}: Origin): string {
	return from === 'default' ? 'default' : name;
}

/**
 * `pulsetop config validate [FILE]`: prints every problem of the file, with its line.
 * @returns 0 for a valid file, 2 otherwise
 */
export async function configValidate({flags, operands}: Call): Promise<number> {
	const path = operands[0] ?? configPath({flags: flags.values(), env: process.env});
	const isNamed = operands.length > 0 || flags.has('config') || Boolean(process.env['PULSETOP_CONFIG']);
	const isUnused = !isNamed && isAbsent(path);
	const problems = isUnused ? [] : await problemsOf(path);
	if (flags.has('json'))
		await print(
			jsonText({schema: 'pulsetop.config-validate/1', path, problems: problems.map(problem => explain(problem))}),
		);
	else if (problems.length === 0) await print(`${path}: ${isUnused ? 'not there, all defaults' : 'no problems'}\n`);
	else await print(problems.map(({message, why}) => `${message}\n  ${why}\n`).join(''));
	return problems.length === 0 ? 0 : 2;
}

async function problemsOf(path: string): Promise<readonly ConfigError[]> {
	try {
		const file = await readConfigFile(path);
		return [...file.problems, ...(await meaningProblems(file))];
	} catch (error) {
		if (error instanceof ConfigError) return [error];
		throw error;
	}
}
