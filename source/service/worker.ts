import {enableCompileCache} from 'node:module';

/*
 * The entry of the worker thread that spawnService starts. Compiled code is kept from run to run (where the system
 * allows it): that halves the time until the service listens, measured.
 */

enableCompileCache();
await import('./worker-service.ts');
