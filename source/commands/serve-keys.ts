import {UsageError} from './line/usage-error.ts';
import {readSecretFile} from './secret-file.ts';

/**
 * The API keys that a service accepts: those of the command line, which other users of the machine can read there, and those
 * of a file.
 * @param file with one key a line; lines that begin with # are left out
 * @throws UsageError
 */
export function serviceKeys(given: readonly string[], file: string | undefined): readonly string[] {
	if (file === undefined) return given;
	const keys = readSecretFile('--api-key-file', file)
		.split('\n')
		.map(line => line.trim())
		.filter(line => line !== '' && !line.startsWith('#'));
	if (keys.length === 0) throw new UsageError('--api-key-file has no key', 'write one key a line');
	return [...given, ...keys];
}
