import {startService} from '../../../source/service/server.ts';

/* The service as a process of its own, for tests that kill it. Argument: the data directory. Prints its address. */

const {url} = await startService({dataDir: process.argv[2]!, apiKeys: ['secret'], allowPrivateWebhooks: true, seed: 5});
process.stdout.write(`${url}\n`);
