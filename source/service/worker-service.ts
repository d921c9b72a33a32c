import {parentPort, workerData} from 'node:worker_threads';
import {explain} from '../errors.ts';
import type {Playback} from './replay/player.ts';
import {startService} from './server.ts';
import type {FromWorker, WorkerTask} from './spawn-service.ts';

/* The service in a worker thread. It ends when the parent asks, and with the parent's process. */

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread only');
const tell = (message: FromWorker): void => port.postMessage(message);

try {
	const onFault = (words: string) => tell({kind: 'fault', words});
	const onPlayback = (playback: Playback) => tell({kind: 'playback', playback});
	const onHistoryTold = () => tell({kind: 'historyTold'});
	const service = await startService({...(workerData as WorkerTask).options, onFault, onPlayback, onHistoryTold});
	const {url, streamUrl, apiKeys} = service;
	port.on('message', async () => {
		await service.close();
		port.close();
	});
	tell({kind: 'ready', url, streamUrl, apiKeys});
} catch (error) {
	tell({kind: 'failed', explanation: explain(error)});
	port.close();
}
