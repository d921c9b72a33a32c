import {headerText} from '../../config/kinds.ts';
import {UsageError} from '../line/usage-error.ts';
import {readSecretFile} from './secret-file.ts';

/**
 * The API keys that a service accepts: the keys of a file, and the keys of the command line, which other users of the machine can
 * read there.
 * @param file with one key a line; lines that begin with # are left out
 * @throws UsageError
 */
export function serviceKeys(given: readonly string[], file: string | undefined): readonly string[] {
	const fromFlags = given.map(key => usable(key, '--api-key'));
	if (file === undefined) return fromFlags;
	const keys = readSecretFile('--api-key-file', file)
		.split('\n')
		.map(line => line.trim())
		.filter(line => line !== '' && !line.startsWith('#'))
		.map(key => usable(key, '--api-key-file'));
	if (keys.length === 0) throw new UsageError('--api-key-file has no key', 'write one key a line');
	return [...fromFlags, ...keys];
}

/** @throws UsageError for a key that no request could carry */
function usable(key: string, from: string): string {
	const read = headerText.read(key);
	if (read === undefined) throw new UsageError(`A key of ${from} can't be used`, `It must be ${headerText.form}.`);
	return read;
}
