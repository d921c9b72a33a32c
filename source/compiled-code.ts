import {chmodSync, lstatSync} from 'node:fs';
import {isAbsolute, join} from 'node:path';
import {isMainThread} from 'node:worker_threads';
import {homeOf} from './home.ts';
import {makeDirectory} from './make-directory.ts';

/**
 * Lets Node cache compiled code from run to run, which halves the time of loading. The cache is in the user's own directory:
 * in the shared temporary one, Node's default, another user could plant code.
 */
export function keepCompiledCode(): void {
	const {XDG_CACHE_HOME: given} = process.env;
	const home = homeOf(process.env);
	const cache = given !== undefined && isAbsolute(given) ? given : home && join(home, '.cache');
	if (cache === undefined) return;
	const ours = join(cache, 'pulsetop');
	const code = join(ours, 'code');
	// A cache only saves time: without a place for it, the program starts as well.
	if (!isOursAlone(ours) || !isOursAlone(code)) return;
	const {enableCompileCache} = process.getBuiltinModule('node:module');
	// The main thread comes first: only it may set the umask, by which Node makes a directory of its version.
	if (!isMainThread) return void enableCompileCache(code);
	const before = process.umask(0o077);
	enableCompileCache(code);
	process.umask(before);
}

/** Makes a directory that nobody else can write, where Node loads code from; one of another owner, or a link, is not used. */
function isOursAlone(path: string): boolean {
	try {
		makeDirectory(path);
		if (process.platform === 'win32') return true;
		const {uid, mode} = lstatSync(path);
		if (!lstatSync(path).isDirectory() || uid !== process.getuid?.()) return false;
		if ((mode & 0o077) !== 0) chmodSync(path, 0o700);
		return true;
	} catch {
		return false;
	}
}
