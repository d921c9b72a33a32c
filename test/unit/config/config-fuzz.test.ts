import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {loadConfig} from '../../../source/config/config.ts';
import {ConfigError} from '../../../source/config/config-error.ts';
import {fc} from '../../helpers/properties.ts';

/* Any content of the file gives a configuration or a ConfigError: never another failure. */

let home: string;
beforeAll(() => {
	home = mkdtempSync(join(tmpdir(), 'pulsetop-config-fuzz-'));
});
afterAll(() => rmSync(home, {recursive: true}));

async function load(text: string | Buffer): Promise<string> {
	const path = join(home, 'config.toml');
	writeFileSync(path, text);
	return loadConfig({env: {HOME: home}, flags: {config: path}}).then(
		() => 'taken',
		error => {
			expect(error, String((error as Error).stack)).toBeInstanceOf(ConfigError);
			expect(error.message.length + error.why.length).toBeLessThan(1000);
			// Nothing that a terminal would act on gets from the file into the words.
			expect(`${error.message}${error.why}`).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
			return error.message;
		},
	);
}

const NAMES = [
	...['service', 'embedded', 'ui', 'provider', 'wallet', 'rpc', 'keys', 'risk', 'alerts', 'presets', 'limits'],
	...['base-url', 'stream-url', 'api-key', 'theme', 'rate', 'seed', 'tokens', 'name', 'dexes', 'aliases', 'columns'],
];
const value = fc.oneof(
	fc.constantFrom('true', '-1', '1e400', 'nan', 'inf', '""', "'x'", '[]', '{}', '[[], {}]', '1979-05-27', '07:32:00'),
	fc.constantFrom(
		'"http://a.example"',
		'"evm:8453:0x"',
		'["\\u0000"]',
		'{constructor = 1}',
		'9007199254740993',
		'0x1f',
	),
	fc.string().map(text => JSON.stringify(text.toWellFormed())),
);
const key = fc.oneof(fc.constantFrom(...NAMES), fc.constantFrom('__proto__', 'constructor', '"a b"', 'a.b', '""'));
const line = fc.oneof(
	fc.tuple(key, value).map(([name, given]) => `${name} = ${given}`),
	fc.tuple(key, key).map(([section, name]) => `${section}.${name} = 1`),
	key.map(name => `[${name}]`),
	key.map(name => `[[${name}]]`),
	fc.string(),
);

test('any lines are accepted or refused with a text', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(line, {maxLength: 8}), async lines => void (await load(lines.join('\n')))),
		{numRuns: 400},
	);
	expect(await load('')).toBe('taken');
});

test('any bytes are accepted or refused with a text', async () => {
	const bytes = fc.uint8Array({maxLength: 200}).map(array => Buffer.from(array));
	await fc.assert(
		fc.asyncProperty(bytes, async text => void (await load(text))),
		{numRuns: 150},
	);
});

test('a prototype cannot be reached from the file', async () => {
	await load('[__proto__]\npolluted = true\n[ui.__proto__]\npolluted = true\n[constructor.prototype]\npolluted = true');
	expect(({} as {polluted?: boolean}).polluted).toBeUndefined();
});

test('a file of nothing but brackets is refused before it costs anything', async () => {
	expect(await load(`a = ${'['.repeat(100_000)}`)).not.toBe('taken');
	expect(await load(`${'a.'.repeat(50_000)}a = 1`)).not.toBe('taken');
});
