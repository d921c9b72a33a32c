import {join} from 'node:path';
import {bundleIfStale, ROOT} from './bundle.ts';

// Starts the program as `npm start` does: built first if a source is newer, then in this very process, so that the
// terminal and its signals belong to it. Says nothing on stdout, which the program may be piped from.
await bundleIfStale();
const cli = join(ROOT, 'dist/cli.js');
process.argv[1] = cli;
await import(cli);
