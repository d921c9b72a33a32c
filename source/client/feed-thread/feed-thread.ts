import {parentPort} from 'node:worker_threads';
import {keepCompiledCode} from '../../compiled-code.ts';
import {keepHeapTidy} from '../../tidy-heap.ts';

/* The entry of the thread that openFeedThread starts: it runs the feeds that the screen's thread asks for. */

keepCompiledCode();
keepHeapTidy();
const {answerFeeds} = await import('./answer-feeds.ts');
if (parentPort) answerFeeds(parentPort);
