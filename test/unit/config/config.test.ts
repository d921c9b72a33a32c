import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {startOf} from '../../../source/commands/config/start.ts';
import {type Config, isAbsent, loadConfig} from '../../../source/config/config.ts';
import {explain} from '../../../source/errors.ts';
import {type Choices, NO_CHOICES} from '../../../source/monitor/choices.ts';
import {initialState} from '../../../source/monitor/initial-state.ts';

let home: string;
const configFile = () => join(home, '.config/pulsetop/config.toml');

beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'pulsetop-config-'));
});
afterEach(() => rmSync(home, {recursive: true}));

function writeConfig(text: string | Buffer, path = configFile()): void {
	mkdirSync(dirname(path), {recursive: true});
	writeFileSync(path, text);
}

/** The whole text of the failure, as a person reads it. */
async function failure(work: Promise<unknown>): Promise<string> {
	const error = await work.then(
		() => expect.fail('it was accepted'),
		reason => reason,
	);
	const {code, what, why, next} = explain(error);
	return `${code}/${next}: ${what}. ${why}`.replaceAll(home, '~');
}

test('a machine without any configuration gets the defaults', async () => {
	const config = await loadConfig({env: {HOME: home}});
	expect(config.service.baseUrl).toBeUndefined();
	expect(config.dataDir).toBe(join(home, '.local/share/pulsetop'));
	expect(config.ui).toEqual({
		theme: 'auto',
		color: 'auto',
		ascii: false,
		plain: false,
		motion: 'full',
		keys: 'usual',
		mouse: true,
		tour: true,
		ambiguousWidth: 'narrow',
	});
	expect(config.provider.domainName).toBe('ServiceBatchExecutor');
	expect(config.file).toEqual({path: configFile(), exists: false, values: new Map()});
	expect(config.origins.get('service.base-url')).toEqual({from: 'default', name: 'default'});
});

test('a flag comes before the environment, the environment before the file, the file before the default', async () => {
	writeConfig('[service]\nbase-url = "http://file.example"\nstream-url = "ws://file.example"\n[embedded]\nrate = 3\n');
	const env = {HOME: home, PULSETOP_BASE_URL: 'http://env.example', PULSETOP_STREAM_URL: 'ws://env.example'};
	const config = await loadConfig({flags: {'base-url': 'http://flag.example'}, env});
	expect(config.service).toMatchObject({baseUrl: 'http://flag.example', streamUrl: 'ws://env.example'});
	expect(config.embedded).toEqual({rate: 3, seed: 1});
	expect(Object.fromEntries(config.origins)).toMatchObject({
		'service.base-url': {from: 'flag', name: '--base-url'},
		'service.stream-url': {from: 'env', name: 'PULSETOP_STREAM_URL'},
		'embedded.rate': {from: 'file', name: `${configFile()}:5`},
		'embedded.seed': {from: 'default'},
	});
});

test('the columns that are shown: a flag before the file, the file before what was chosen last time', async () => {
	const env = {HOME: home};
	const choices: Choices = {...NO_CHOICES, shownViews: ['bonded']};
	const shown = (config: Config): readonly string[] =>
		initialState(startOf(config, choices, {columns: 160, rows: 45})).shownViews;
	expect(shown(await loadConfig({env}))).toEqual(['bonded']);
	writeConfig('[ui]\ncolumns = ["trending", "new"]\n');
	expect(shown(await loadConfig({env}))).toEqual(['trending', 'new']);
	const flagged = await loadConfig({env, flags: {columns: 'bonding, trending'}});
	expect(shown(flagged)).toEqual(['bonding', 'trending']);
	expect(initialState(startOf(flagged, choices, {columns: 160, rows: 45})).focus).toBe('bonding');
	expect(await failure(loadConfig({env, flags: {columns: 'new,old'}}))).toBe(
		"config/fix-input: The value of --columns can't be used. It must be a list of columns, each once, from " +
			'"new", "bonding", "bonded", "trending".',
	);
});

test('every section of the file reaches its value', async () => {
	writeConfig(`
read-only = true
data-dir = "/var/lib/pulsetop"
ui = {theme = "light", ambiguous-width = "wide"}

[columns.new]
filter = "mcap>50k"
sort = "volume_1h desc"
limit = 20
chains = ["evm:8453"]

[risk]
dev = [2, 8.5]

[provider]
domain-name = "Executor"
aliases.vaultAddress = "safeAddress"

[keys]
"cursor.down" = ["n", "downArrow"]
`);
	const config = await loadConfig({env: {HOME: home}});
	expect(config).toMatchObject({
		readOnly: true,
		dataDir: '/var/lib/pulsetop',
		ui: {theme: 'light', ambiguousWidth: 'wide'},
		columns: {new: {filter: 'mcap>50k', sort: 'volume_1h desc', limit: 20, chains: ['evm:8453']}, bonded: {limit: 50}},
		risk: {dev: {warn: 2, bad: 8.5}},
		provider: {domainName: 'Executor', aliases: {vaultAddress: 'safeAddress'}},
		keys: {'cursor.down': ['n', 'downArrow']},
	});
});

test('the loaded configuration cannot be changed afterwards', async () => {
	const config = await loadConfig({env: {HOME: home}});
	const change = config as unknown as {ui: {theme: string}; dataDir: string; risk: {dev: {bad: number}}};
	expect(() => (change.dataDir = '')).toThrow(TypeError);
	expect(() => (change.ui.theme = 'light')).toThrow(TypeError);
	expect(() => (change.risk.dev.bad = 100)).toThrow(TypeError);
});

test('NO_COLOR removes the colours with any value but the empty one', async () => {
	expect((await loadConfig({env: {HOME: home, NO_COLOR: '0'}})).ui.color).toBe('never');
	expect((await loadConfig({env: {HOME: home, NO_COLOR: ''}})).ui.color).toBe('auto');
	expect((await loadConfig({env: {HOME: home}, flags: {'no-color': true}})).ui.color).toBe('never');
});

test('XDG directories are followed when they are absolute', async () => {
	writeConfig('read-only = true', join(home, 'xdg/pulsetop/config.toml'));
	const config = await loadConfig({env: {HOME: home, XDG_CONFIG_HOME: join(home, 'xdg'), XDG_DATA_HOME: 'relative'}});
	expect(config.readOnly).toBe(true);
	expect(config.dataDir).toBe(join(home, '.local/share/pulsetop'));
});

test('--config comes before PULSETOP_CONFIG', async () => {
	const [flagged, named] = [join(home, 'flag.toml'), join(home, 'env.toml')];
	writeConfig('[ui]\ntheme = "light"', flagged);
	writeConfig('[ui]\ntheme = "contrast"', named);
	const env = {HOME: home, PULSETOP_CONFIG: named};
	expect((await loadConfig({env})).ui.theme).toBe('contrast');
	expect((await loadConfig({env, flags: {config: flagged}})).ui.theme).toBe('light');
});

test('a usual file that cannot be reached is an error: without it limits and the service would be other ones', async () => {
	mkdirSync(dirname(configFile()), {recursive: true});
	symlinkSync(configFile(), configFile()); // Fails for root too, unlike a directory without permissions.
	const text = await failure(loadConfig({flags: {}, env: {HOME: home}}));
	expect(text).toContain('The configuration file could not be read');
	expect(text).toContain('its links lead in a circle');
	expect(isAbsent(configFile())).toBe(false); // `config validate` reads it, and reports the same.
});

test('a named file that does not exist is an error', async () => {
	expect(await failure(loadConfig({env: {HOME: home, PULSETOP_CONFIG: join(home, 'none.toml')}}))).toBe(
		'config/fix-input: There is no such configuration file. ~/none.toml was named, but it does not exist.',
	);
});

test.each([
	[
		'a section',
		'[servce]\nbase-url = "http://a.example"',
		'"servce" is not a setting. Line 1 of ~/.config/pulsetop/config.toml: The nearest is "service".',
	],
	[
		'a name in a section',
		'\n[service]\n# the key\nbase_url = "http://a.example"',
		'"base_url" is not a setting. Line 4 of ~/.config/pulsetop/config.toml: The nearest in [service] is "base-url".',
	],
	[
		'a name in a table on one line',
		'read-only = false\nui = {theem = "dark"}',
		'"theem" is not a setting. Line 2 of ~/.config/pulsetop/config.toml: The nearest in [ui] is "theme".',
	],
	[
		'a name with dots',
		'[columns]\nnew.limit = 3\nbonded.limti = 3',
		'"limti" is not a setting. Line 3 of ~/.config/pulsetop/config.toml: The nearest in [columns.bonded] is "limit".',
	],
	[
		'a name that resembles none',
		'[ui]\nzzzzzz = 1',
		'"zzzzzz" is not a setting. Line 2 of ~/.config/pulsetop/config.toml: Known in [ui]: theme, columns, color, ascii, plain, motion, keys, mouse, tour, ambiguous-width.',
	],
	[
		'a name of an earlier version',
		'[bridge]\nrequire-simulation = true',
		'bridge.require-simulation has another name now. Line 2 of ~/.config/pulsetop/config.toml: write [wallet] require-simulation instead.',
	],
])('an unknown name is an error with its line and the nearest: %s', async (_, text, words) => {
	writeConfig(text);
	expect(await failure(loadConfig({env: {HOME: home}}))).toBe(`config/fix-input: ${words}`);
});

test.each([
	['[ui]\ntheme = "drak"', 'ui.theme', 2, 'one of "auto", "dark", "light", "colorblind", "contrast"'],
	[
		'[ui]\ncolumns = ["new", "treding"]',
		'ui.columns',
		2,
		'a list of columns, each once, from "new", "bonding", "bonded", "trending"',
	],
	[
		'[ui]\ncolumns = ["new", "new"]',
		'ui.columns',
		2,
		'a list of columns, each once, from "new", "bonding", "bonded", "trending"',
	],
	['[ui]\ncolumns = []', 'ui.columns', 2, 'a list of columns, each once, from "new", "bonding", "bonded", "trending"'],
	['[embedded]\nrate = "3"', 'embedded.rate', 2, 'a number from 0 to 100'],
	['[columns.new]\n\nlimit = 101', 'columns.new.limit', 3, 'a whole number from 1 to 100'],
	['[risk]\ndev = [5, 1]', 'risk.dev', 2, 'two percentages, [warn, bad], the second not below the first'],
	['[keys]\ncursor.down = 3', 'keys', 1, 'a table of keys by action, cursor.down = ["n", "down"]'],
	['read-only = "yes"', 'read-only', 1, 'true or false'],
])('a value that does not fit is an error with the name, the line and the form: %s', async (text, name, line, form) => {
	writeConfig(text);
	expect(await failure(loadConfig({env: {HOME: home}}))).toBe(
		`config/fix-input: The value of ${name} can't be used. Line ${line} of ~/.config/pulsetop/config.toml: it must be ${form}.`,
	);
});

test('a value that does not fit is never repeated, whichever way it came', async () => {
	const secret = 'hunter2-the-key';
	writeConfig(`[service]\napi-key = ["${secret}"]`);
	const texts = [
		await failure(loadConfig({env: {HOME: home}})),
		await failure(loadConfig({env: {HOME: join(home, 'empty'), PULSETOP_BASE_URL: `ftp://user:${secret}@a.example`}})),
		await failure(loadConfig({env: {HOME: join(home, 'empty')}, flags: {'base-url': secret}})),
	];
	writeConfig(`[service]\napi-key = "${secret}`);
	texts.push(await failure(loadConfig({env: {HOME: home}})));
	expect(texts.join('\n')).not.toContain('hunter2');
	expect(texts).toHaveLength(4);
});

test('text that is not TOML is an error with its line', async () => {
	writeConfig('[ui]\ntheme = "light\nascii = true');
	expect(await failure(loadConfig({env: {HOME: home}}))).toMatch(
		/^config\/fix-input: The configuration file is not TOML\. Line 2, column \d+ of ~\/\.config\/pulsetop\/config\.toml: .+\.$/,
	);
});

test.each([
	['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
	['UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
	['UTF-16 without a byte order mark', (text: string) => Buffer.from(text, 'utf16le')],
	['UTF-16 with the high byte first', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
	['UTF-16 with the high byte first and no mark', (text: string) => Buffer.from(text, 'utf16le').swap16()],
])('the text is read from %s', async (_, encode) => {
	writeConfig(encode('# für später\r\n[ui]\r\ntheme = "light"\r\n'));
	expect((await loadConfig({env: {HOME: home}})).ui.theme).toBe('light');
});

test.each(['theme = “light”', 'theme = ‘light’', '“theme” = "light"', 'theme = „light“', 'chains = [ «base» ]'])(
	'curly quotes are named: %s',
	async line => {
		writeConfig(`[ui]\n${line}\n`);
		expect(await failure(loadConfig({env: {HOME: home}}))).toMatch(/Line 2, .*curly quotes.*write straight ones/);
	},
);

test.each(['http://a.example/', 'https://a.example/prefix///'])(
	'an address loses its last slashes: %s',
	async address => {
		const config = await loadConfig({env: {HOME: home}, flags: {'base-url': address}});
		expect(config.service.baseUrl).toBe(address.replace(/\/+$/, ''));
	},
);

test('money settings: a wallet, tokens with their chain, nodes by chain', async () => {
	const token = 'evm:8453:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
	writeConfig(`[wallet]\nname = "main"\ntokens = ["${token}"]\n[rpc]\n"evm:8453" = "https://node.example/v1/a-key/"\n`);
	const {wallet, rpc} = await loadConfig({env: {HOME: home}});
	expect(wallet).toEqual({name: 'main', tokens: [token], requireSimulation: false, autoLock: '5m'});
	expect(rpc).toEqual({'evm:8453': 'https://node.example/v1/a-key'});
});

test.each([
	['wallet.name', '[wallet]\nname = "../main"\n'],
	['wallet.tokens', '[wallet]\ntokens = ["0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"]\n'],
	['rpc', '[rpc]\nbase = "https://node.example"\n'],
	['rpc', '[rpc]\n"evm:8453" = "node.example"\n'],
])('%s refuses what does not fit, without repeating it', async (name, text) => {
	writeConfig(text);
	const words = await failure(loadConfig({env: {HOME: home}}));
	expect(words).toContain(`The value of ${name} can't be used. Line `);
	expect(words).not.toMatch(/node\.example|833589|\.\.\/main/);
});

describe('several addresses of one service', () => {
	const env = () => ({HOME: home});
	const both = ['http://a.example:4010', 'https://b.example'];

	test('come from a repeated flag, from commas, from the variable, and from a list in the file', async () => {
		const bases = async (sources: Parameters<typeof loadConfig>[0]) => (await loadConfig(sources)).service.baseUrl;
		expect(await bases({flags: {'base-url': both}, env: env()})).toEqual(both);
		expect(await bases({flags: {'base-url': [both.join(', ')]}, env: env()})).toEqual(both);
		expect(await bases({env: {...env(), PULSETOP_BASE_URL: `${both.join('/,')}/`}})).toEqual(both);
		expect(await bases({flags: {'base-url': ['http://one.example/']}, env: env()})).toBe('http://one.example');
		writeConfig(`[service]\nbase-url = ${JSON.stringify(both)}\n`);
		expect(await bases({env: {HOME: home}})).toEqual(both);
		writeConfig('[service]\nbase-url = ["http://one.example/"]\n');
		expect(await bases({env: {HOME: home}})).toBe('http://one.example');
	});

	test('a wrong one is named by its place and host', async () => {
		const wrong = ['http://a.example,ftp://user:hunter2@files.example'];
		expect(await failure(loadConfig({flags: {'base-url': wrong}, env: env()}))).toBe(
			"config/fix-input: The value of --base-url can't be used. Address 2 of 2 (files.example) must be an address that begins with http:// or https://.",
		);
		expect(await failure(loadConfig({env: {...env(), PULSETOP_BASE_URL: 'http://a.example,,'}}))).toBe(
			"config/fix-input: The value of PULSETOP_BASE_URL can't be used. Address 2 of 3 must be an address that begins with http:// or https://.",
		);
	});

	test('the addresses of the streams pair with them', async () => {
		const {service} = await loadConfig({flags: {'base-url': both, 'stream-url': ['ws://s1', 'wss://s2']}, env: env()});
		expect(service.streamUrl).toEqual(['ws://s1', 'wss://s2']);
		expect(await failure(loadConfig({flags: {'base-url': both, 'stream-url': 'ws://s1'}, env: env()}))).toBe(
			"config/fix-input: The value of service.stream-url can't be used. It has 1 address and service.base-url has 2: the first belongs to the first, and so on. Without service.stream-url each is the host of its address.",
		);
	});
});
