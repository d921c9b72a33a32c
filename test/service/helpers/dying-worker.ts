import {parentPort} from 'node:worker_threads';

/* A service that says it is ready and then fails. */

parentPort!.postMessage({kind: 'ready', url: 'http://127.0.0.1:1', streamUrl: 'ws://127.0.0.1:1/', apiKeys: []});
setTimeout(() => {
	throw new Error('a bug');
}, 10);
