import {parentPort, workerData} from 'node:worker_threads';
import type {WorkerTask} from '../service/spawn-service.ts';
import './service-worker.ts';

/*
 * The entry of the thread beside the screen's where the program runs the embedded service: the service, and the feeds
 * that the screen reads from it. Starting a thread takes 100 of the 750 ms to the first rows (measured) and 13 MB, so
 * there is one for both. Service and feeds still talk over the network.
 */

const {beside} = workerData as WorkerTask;
if (beside) {
	// Without a service there is nothing to read.
	parentPort?.on('close', () => beside.close());
	const {serveFeeds} = await import('../client/remote/serve-feeds.ts');
	serveFeeds(beside);
}
