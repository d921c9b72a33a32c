import {parentPort, workerData} from 'node:worker_threads';
import type {WorkerTask} from '../service/spawn-service.ts';
import './service-worker.ts';

/*
 * The entry of the thread beside that of the screen where the program runs a service of its own: the service, and the
 * feeds that the screen reads from it. A thread takes as long to start as half of the service (measured: 100 of 750 ms to
 * the first rows) and 13 MB, so there is one for both. They speak over the network all the same.
 */

const {beside} = workerData as WorkerTask;
if (beside) {
	// A service that could not start, or has ended, leaves nobody to read from.
	parentPort?.on('close', () => beside.close());
	const {serveFeeds} = await import('../client/remote/serve-feeds.ts');
	serveFeeds(beside);
}
