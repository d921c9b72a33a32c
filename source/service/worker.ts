import {enableCompileCache} from 'node:module';
import {homedir} from 'node:os';
import {join} from 'node:path';

/*
 * The entry of the worker thread that spawnService starts. Compiled code is kept from run to run (where the system
 * allows it): that halves the time until the service listens, measured. It is kept in a directory of the person's own:
 * in the shared temporary one, which is the default, somebody else could leave code for us to run.
 */

enableCompileCache(join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pulsetop', 'code'));
await import('./worker-service.ts');
