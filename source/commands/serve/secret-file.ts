import {readFileSync, statSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {fileProblem} from '../../file-problem.ts';
import {encodingOf} from '../../text-encoding.ts';
import {UsageError} from '../line/usage-error.ts';

const ALL_OTHERS = 0o077;
const ALL_BUT_GROUP_READS = 0o037;

/**
 * The text (UTF-8 or UTF-16) of a file that only its owner can read, without byte order mark, blanks and line ends around it.
 * @param flag that named the file: `--rpc-key-file`
 * @throws UsageError that names the flag and the reason, and never the text
 */
export function readSecretFile(flag: string, file: string): string {
	try {
		const others = isOfSystemd(file) ? ALL_BUT_GROUP_READS : ALL_OTHERS;
		if (process.platform !== 'win32' && (statSync(file).mode & others) !== 0)
			throw new UsageError(`${flag} can be read by others`, `chmod 600 ${file}`);
		const bytes = readFileSync(file);
		return new TextDecoder(encodingOf(bytes)).decode(bytes).trim();
	} catch (error) {
		if (error instanceof UsageError) throw error;
		throw new UsageError(`${flag} cannot be read`, `${file}: ${fileProblem(error)}.`);
	}
}

/**
 * Whether systemd made the file for this service alone. The right of the service's user to read it is an entry of an access
 * list (systemd 254 and later), which the mode shows as a right of the group.
 */
function isOfSystemd(file: string): boolean {
	const directory = process.env['CREDENTIALS_DIRECTORY'];
	return directory !== undefined && directory !== '' && dirname(resolve(file)) === resolve(directory);
}
