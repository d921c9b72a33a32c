import {homedir} from 'node:os';
import {join} from 'node:path';

/**
 * Has Node keep what it compiles from here on, from run to run, where the system allows it: that halves what loading takes.
 * It is kept in a directory of the person's own: in the shared temporary one, which is the default, somebody else could
 * leave code for us to run.
 */
export function keepCompiledCode(): void {
	const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
	process.getBuiltinModule('node:module').enableCompileCache(join(cache, 'pulsetop', 'code'));
}
