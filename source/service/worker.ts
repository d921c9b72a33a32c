import {keepCompiledCode} from '../compiled-code.ts';
import {tidyHeapAfterStart} from '../tidy-heap.ts';

/* The entry of the worker thread that spawnService starts. */

keepCompiledCode();
tidyHeapAfterStart();
await import('./worker-service.ts');
