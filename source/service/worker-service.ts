import {parentPort, workerData} from 'node:worker_threads';
import {explain} from '../errors.ts';
import type {Playback} from './replay/player.ts';
import {startService} from './server.ts';
import type {FromWorker, WorkerTask} from './spawn-service.ts';

/*
 * The service in a worker thread. Stops on a message of the parent, and ends with the parent's process.
 */

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread only');
const send = (message: FromWorker): void => port.postMessage(message);

try {
	const onFault = (text: string) => send({kind: 'fault', text});
	const onPlayback = (playback: Playback) => send({kind: 'playback', playback});
	const onHistoryLoaded = () => send({kind: 'historyLoaded'});
	const onBeginsAgain = () => send({kind: 'beginsAgain'});
	const reports = {onFault, onPlayback, onHistoryLoaded, onBeginsAgain};
	const service = await startService({...(workerData as WorkerTask).options, ...reports});
	const {url, streamUrl, apiKeys} = service;
	port.on('message', async () => {
		await service.close();
		port.close();
	});
	send({kind: 'ready', url, streamUrl, apiKeys});
} catch (error) {
	send({kind: 'failed', explanation: explain(error)});
	port.close();
}
