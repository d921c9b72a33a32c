import {keepCompiledCode} from '../compiled-code.ts';

/* The entry of the worker thread that spawnService starts. */

keepCompiledCode();
await import('./worker-service.ts');
