import {ServerResponse} from 'node:http';

/*
 * Loaded into a process before its own code (`node --import`), in each of its threads and by the programs that it starts,
 * it shifts what Date says by PULSETOP_TEST_CLOCK milliseconds: `npm test -- --clock NAME` runs tests on another day with
 * it (test/clocks.ts). Timers, `performance.now`, the times of files and the clocks of other programs (practice chains)
 * stay what they are.
 */

const SHIFT_MS = Number(process.env['PULSETOP_TEST_CLOCK'] ?? 0);

if (SHIFT_MS !== 0) {
	const now = Date.now;
	const shiftedNow = (): number => now() + SHIFT_MS;
	// On Date itself, so that a test can still put its own clock there.
	Date.now = shiftedNow;
	globalThis.Date = new Proxy(Date, {
		construct: (target, args, newTarget) =>
			Reflect.construct(target, args.length === 0 ? [shiftedNow()] : args, newTarget),
		apply: target => new target(shiftedNow()).toString(),
	});

	// Node takes the date of an answer from a clock of its own.
	const {writeHead} = ServerResponse.prototype;
	ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: Parameters<typeof writeHead>) {
		if (!this.hasHeader('date')) this.setHeader('date', new Date().toUTCString());
		return writeHead.apply(this, args);
	} as typeof writeHead;
}
