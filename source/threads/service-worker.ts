import {keepCompiledCode} from '../compiled-code.ts';
import {keepHeapTidy} from '../tidy-heap.ts';

/* The entry of the worker thread that spawnService starts. */

keepCompiledCode();
keepHeapTidy();
const caFile = process.env['PULSETOP_CA_FILE'];
if (caFile) (await import('../ca-file.ts')).trustCaFile(caFile);
await import('../service/worker-service.ts');
