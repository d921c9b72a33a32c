import {parentPort} from 'node:worker_threads';
import {keepCompiledCode} from '../compiled-code.ts';
import {keepHeapTidy} from '../tidy-heap.ts';

/*
 * The entry of the thread that openFeedThread starts: runs the feeds of the screen's thread.
 */

keepCompiledCode();
keepHeapTidy();
const caFile = process.env['PULSETOP_CA_FILE'];
if (caFile) (await import('../ca-file.ts')).trustCaFile(caFile);
const {serveFeeds} = await import('../client/remote/serve-feeds.ts');
if (parentPort) serveFeeds(parentPort);
