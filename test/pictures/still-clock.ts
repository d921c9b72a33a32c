import {ServerResponse} from 'node:http';
import {isMainThread} from 'node:worker_threads';

/*
 * Loaded into the program before its own code (`node --import`), in each of its threads: its clock stands still and goes
 * on by a second at each SIGUSR2, so that the market of a seed is the same market, to the byte, whenever it is drawn.
 */

const STARTS_AT_MS = Date.UTC(2026, 0, 4, 12, 0, 0);
const STEP_MS = 1000;

const realMs = performance.now.bind(performance);
let aheadMs = 0;
// The service's thread must not measure how long its slices of work take: then it does all of it in the first.
let stoppedAtMs = isMainThread ? undefined : 1_000_000;

Date.now = () => STARTS_AT_MS + aheadMs;
performance.now = () => (stoppedAtMs === undefined ? realMs() : stoppedAtMs + aheadMs);

// Node takes the date of an answer from a clock of its own.
const {writeHead} = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: Parameters<typeof writeHead>) {
	this.setHeader('date', new Date(Date.now()).toUTCString());
	return writeHead.apply(this, args);
} as typeof writeHead;

const threads = new BroadcastChannel('clock');
threads.onmessage = event => {
	aheadMs = (event as {data: number}).data;
};
threads.unref();

if (isMainThread) {
	process.on('SIGUSR2', () => {
		stoppedAtMs ??= realMs();
		aheadMs += STEP_MS;
		threads.postMessage(aheadMs);
	});
}
