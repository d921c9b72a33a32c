import {keepCompiledCode} from '../compiled-code.ts';
import {keepHeapTidy} from '../tidy-heap.ts';

/* The entry of the worker thread that spawnService starts. */

keepCompiledCode();
keepHeapTidy();
await import('../service/worker-service.ts');
