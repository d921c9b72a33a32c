import {readFileSync, statSync} from 'node:fs';
import {UsageError} from './line/usage-error.ts';

/**
 * The text of a file that only its owner can read, without blanks and line ends around it.
 * @param flag that named the file: `--rpc-key-file`
 * @throws UsageError that names the flag and the reason, and never the text
 */
export function readSecretFile(flag: string, file: string): string {
	try {
		if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
			throw new UsageError(`${flag} can be read by others`, `chmod 600 ${file}`);
		return readFileSync(file, 'utf8').trim();
	} catch (error) {
		if (error instanceof UsageError) throw error;
		throw new UsageError(
			`${flag} cannot be read`,
			error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error),
		);
	}
}
