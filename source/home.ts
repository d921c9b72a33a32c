import {userInfo} from 'node:os';
import {isAbsolute} from 'node:path';

/**
 * The home directory of the person: HOME where it is an absolute path, else that of the system's list of users. An empty HOME
 * would make the working directory the home.
 * @returns undefined in a container whose user has none
 */
export function homeOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
	const given = process.platform === 'win32' ? env['USERPROFILE'] : env['HOME'];
	if (given !== undefined && isAbsolute(given)) return given;
	try {
		const {homedir} = userInfo();
		return isAbsolute(homedir) ? homedir : undefined;
	} catch {
		return undefined;
	}
}
