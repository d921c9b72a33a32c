import {closeSync, openSync} from 'node:fs';
import {expect, onTestFinished, test} from 'vitest';
import {Flags} from '../../../../source/commands/line/flags.ts';
import {readPassphrase} from '../../../../source/commands/trading/passphrase.ts';
import {temporaryFile} from '../../../helpers/temporary-directory.ts';

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
