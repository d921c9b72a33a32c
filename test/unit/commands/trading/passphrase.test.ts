import {spawn, spawnSync} from 'node:child_process';
import {closeSync, openSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {Flags} from '../../../../source/commands/line/flags.ts';
import {readPassphrase, secretFromFd} from '../../../../source/commands/trading/passphrase.ts';
import {temporaryDirectory, temporaryFile} from '../../../helpers/temporary-directory.ts';

/** What `--passphrase-fd` gives of a file. */
async function passphraseIn(content: string | Uint8Array): Promise<string> {
	const fd = openSync(temporaryFile(content), 'r');
	onTestFinished(() => closeSync(fd));
	const flags = new Flags(new Map([['passphrase-fd', [String(fd)]]]));
	return (await readPassphrase(flags, 'main')).toString();
}

test.each([
	['a line', 'correct horse\n'],
	['a line of Windows, and more', 'correct horse\r\nnot this\r\n'],
	['no line end', 'correct horse'],
	['a byte order mark', '\ufeffcorrect horse\r\n'],
])('a passphrase file with %s is the passphrase', async (_, content) => {
	expect(await passphraseIn(content)).toBe('correct horse');
});

test.skipIf(process.platform === 'win32')(
	'a secret that a pipe brings in parts is read to its line end, or to its end',
	async () => {
		const read = async (until: 'line' | 'end', parts: readonly string[]) => {
			const pipe = join(temporaryDirectory(), 'pipe');
			spawnSync('mkfifo', [pipe]);
			const script = parts.map(part => `printf '${part}'`).join('; sleep 0.1; ');
			spawn('/bin/sh', ['-c', `{ ${script}; } > '${pipe}'`], {stdio: 'ignore'});
			const fd = openSync(pipe, 'r');
			onTestFinished(() => closeSync(fd));
			const flags = new Flags(new Map([['key-fd', [String(fd)]]]));
			return (await secretFromFd(flags, 'key-fd', {until, maxBytes: 100}))?.toString();
		};
		expect(await read('line', ['0x12', '34\\nmore'])).toBe('0x1234');
		expect(await read('line', ['0x12', '34\\r\\n'])).toBe('0x1234');
		expect(await read('line', ['0x1234\\r'])).toBe('0x1234');
		expect(await read('end', ['{}\\r'])).toBe('{}\r');
		expect(await read('end', ['{"a":\\n', '1}\\n'])).toBe('{"a":\n1}\n');
	},
);

test('blanks are part of a passphrase', async () => {
	expect(await passphraseIn(' correct horse \n')).toBe(' correct horse ');
});

test.each([
	['UTF-16', Buffer.from('\ufeffcorrect horse\r\n', 'utf16le')],
	['UTF-16 without a mark', Buffer.from('correct horse\n', 'utf16le')],
	['a NUL', 'correct\0horse\n'],
])('a passphrase file with %s is refused without its content', async (_, content) => {
	const error = (await passphraseIn(content).catch((e: unknown) => e)) as Error & {why: string};
	expect(error.message).toBe('The passphrase of --passphrase-fd is not UTF-8');
	expect(error.why).not.toMatch(/horse/);
});
