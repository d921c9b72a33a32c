import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {explain} from '../../errors.ts';
import {makeDirectory} from '../../make-directory.ts';

/** Writes an error to stderr, and with its stack to a file in the data directory. Neither text contains a key. */
export function reportCrash(dataDir: string, error: unknown): void {
	const {what, why, advice} = explain(error);
	const file = join(dataDir, `crash-${new Date().toISOString().replaceAll(':', '-')}.txt`);
	let details = '';
	try {
		makeDirectory(dataDir);
		writeFileSync(file, `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`, {mode: 0o600});
		details = `\nThe details are in ${file}`;
	} catch {
		// A full or read-only disk must not hide the message itself.
	}
	process.stderr.write(`pulsetop: ${what}: ${why}\n${advice}${details}\n`);
}
