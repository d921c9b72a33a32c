import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {fileProblem} from '../file-problem.ts';
import {encodingOf} from '../text-encoding.ts';
import {ConfigError} from './config-error.ts';
import {type ConfigFile, type FileValue, readConfigText} from './config-file.ts';
import {assertPaired} from './service-addresses.ts';
import {
	directory,
	type Environment,
	fileName,
	isSetting,
	SETTINGS,
	type Section,
	type Setting,
	type SettingValues,
	settingsIn,
} from './settings.ts';

/** Where a value came from. `name` is the flag, the variable, or the file's line. */
export interface Origin {
	readonly from: 'flag' | 'env' | 'file' | 'default';
	readonly name: string;
}

/** How the program is to behave: every setting (see settings.ts), frozen, with the origin of each. */
export interface Config extends SettingValues {
	/** By the setting's path in the file: `service.base-url`. */
	readonly origins: ReadonlyMap<string, Origin>;
	/** The configuration file: its path, whether the file exists, and its values. */
	readonly file: {readonly path: string; readonly exists: boolean; readonly values: ReadonlyMap<string, FileValue>};
}

/** Values of flags by name; a flag that takes no value is true. */
export type FlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

interface Sources {
	readonly flags: FlagValues;
	readonly env: Environment;
	readonly file: ConfigFile | undefined;
}

/**
 * Reads the configuration: flags before environment before file before default.
 * @param sources.flags `config` names the file; otherwise flags are those that SETTINGS names
 * @throws ConfigError for an unknown name (with the nearest and the line), a value that does not fit, a named file that is
 *   absent, addresses that do not pair
 */
export async function loadConfig({
	flags = {},
	env = process.env,
}: {
	flags?: FlagValues;
	env?: Environment;
} = {}): Promise<Config> {
	const path = configPath({flags, env});
	const exists = !isAbsent(path);
	if (!exists && path !== usualPath(env)) {
		throw new ConfigError('There is no such configuration file', `${path} was named, but it does not exist.`);
	}
	const file = exists ? await readConfigFile(path) : undefined;
	if (file?.problems[0]) throw file.problems[0];
	const origins = new Map<string, Origin>();
	const values = valuesOf(SETTINGS, '', {flags, env, file}, origins) as unknown as SettingValues;
	assertPaired(values.service);
	return Object.freeze({...values, origins, file: Object.freeze({path, exists, values: file?.values ?? new Map()})});
}

/** The path of the configuration file, whether it exists or not. */
export function configPath({flags, env}: {flags: FlagValues; env: Environment}): string {
	const named = flags['config'] ?? env['PULSETOP_CONFIG'];
	return typeof named === 'string' && named !== '' ? named : usualPath(env);
}

function usualPath(env: Environment): string {
	return join(directory(env, 'XDG_CONFIG_HOME', '.config'), 'pulsetop', 'config.toml');
}

/**
 * Whether there is no file. One that can't be reached is not taken for none: the limits and the service in it would be replaced
 * by the defaults, without a word. Reading it says why it can't be reached.
 */
export function isAbsent(path: string): boolean {
	try {
		return statSync(path, {throwIfNoEntry: false}) === undefined;
	} catch {
		return false;
	}
}

/**
 * Reads a configuration file, its problems included.
 * @throws ConfigError where it can't be read or is not TOML
 */
export async function readConfigFile(path: string): Promise<ConfigFile> {
	let text: string;
	try {
		const bytes = readFileSync(path);
		text = new TextDecoder(encodingOf(bytes)).decode(bytes);
	} catch (error) {
		throw new ConfigError('The configuration file could not be read', `${path}: ${fileProblem(error)}.`, error);
	}
	return readConfigText(text, path);
}

function valuesOf(section: Section, prefix: string, sources: Sources, origins: Map<string, Origin>): object {
	const values = Object.entries(section).map(([name, entry]) => {
		const path = prefix + fileName(name);
		if (!isSetting(entry)) return [name, valuesOf(entry, `${path}.`, sources, origins)];
		const [value, origin] = settle(entry, path, sources);
		origins.set(path, origin);
		return [name, value];
	});
	return Object.freeze(Object.fromEntries(values));
}

function settle(setting: Setting<unknown>, path: string, {flags, env, file}: Sources): readonly [unknown, Origin] {
	const flag = setting.flag === undefined ? undefined : flags[setting.flag];
	if (flag !== undefined && flag !== false) {
		const name = `--${setting.flag}`;
		const texts = [flag].flat().filter(text => typeof text === 'string');
		// `feed --follow` without a value is no setting.
		if (setting.fromTexts && texts.length > 0) return [setting.fromTexts(texts, name), {from: 'flag', name}];
		if (!setting.fromTexts) return [readFlag(setting, flag, name), {from: 'flag', name}];
	}
	const variable = setting.env === undefined ? '' : (env[setting.env] ?? '');
	if (variable !== '') {
		const name = setting.env as string;
		const {fromTexts} = setting;
		if (fromTexts) return [fromTexts(variable.trim().split(/\s+/), name), {from: 'env', name}];
		return [setting.envMeans ?? fromText(setting, variable, name), {from: 'env', name}];
	}
	const inFile = file?.values.get(path);
	if (inFile !== undefined) {
		return [inFile.value, {from: 'file', name: `${file?.path}:${inFile.line}`}];
	}
	const {byDefault} = setting;
	return [typeof byDefault === 'function' ? byDefault(env) : byDefault, {from: 'default', name: 'default'}];
}

function readFlag(setting: Setting<unknown>, flag: string | boolean | readonly string[], name: string): unknown {
	if (setting.flagMeans !== undefined) return setting.flagMeans;
	const last = Array.isArray(flag) ? flag.at(-1) : flag;
	return fromText(setting, String(last), name);
}

function fromText({kind}: Setting<unknown>, given: string, name: string): unknown {
	const value = kind.read(kind.fromText ? kind.fromText(given) : given);
	if (value === undefined) throw new ConfigError(`The value of ${name} can't be used`, `It must be ${kind.form}.`);
	return value;
}

/** The value of a setting, by its path in the file. */
export function valueAt(config: Config, path: string): unknown {
	let section: Section = SETTINGS;
	let value: unknown = config;
	for (const part of path.split('.')) {
		const name = part.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
		value = (value as Readonly<Record<string, unknown>>)[name];
		const entry = section[name];
		if (entry !== undefined && !isSetting(entry)) section = entry;
	}
	return value;
}

/** A configuration with some settings of another one, by their paths. */
export function withSettings(config: Config, other: Config, takes: (path: string) => boolean): Config {
	const from = (path: string): Config => (takes(path) ? other : config);
	const values = (section: Section, prefix: string): object =>
		Object.freeze(
			Object.fromEntries(
				Object.entries(section).map(([name, entry]) => {
					const path = prefix + fileName(name);
					return [name, isSetting(entry) ? valueAt(from(path), path) : values(entry, `${path}.`)];
				}),
			),
		);
	const origins = new Map([...config.origins].map(([path, origin]) => [path, from(path).origins.get(path) ?? origin]));
	return Object.freeze({...(values(SETTINGS, '') as SettingValues), origins, file: other.file});
}

/** The paths of the settings in which two configurations differ, in the order of the table. */
export function differingSettings(a: Config, b: Config): readonly string[] {
	const paths = Array.from(settingsIn(SETTINGS), ([path]) => path);
	return paths.filter(path => !isDeepStrictEqual(valueAt(a, path), valueAt(b, path)));
}
