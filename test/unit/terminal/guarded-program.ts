/* A program on a guarded live screen, for guard.test.ts. What it does is given by its argument. */
import {writeFileSync} from 'node:fs';
import {guardTerminal} from '../../../source/terminal/guard.ts';
import {LiveScreen} from '../../../source/terminal/live-screen.ts';

const [, , way = 'wait', file] = process.argv;
const screen = new LiveScreen({stdout: process.stdout, depth: 'truecolor', mouse: true, focus: true});
const guard = guardTerminal({
	screen,
	stdin: process.stdin,
	graceMs: 300,
	onEnd: async ({cause}) => {
		if (file !== undefined) writeFileSync(file, cause);
		if (way === 'hang') await new Promise(() => {});
	},
	onCrash: error => {
		process.stderr.write(`crashed: ${(error as Error).message}\r\n`);
	},
});
process.stdin.setRawMode(true);
process.stdin.resume();
screen.on('resize', () => screen.write(`ready at ${screen.columns}x${screen.rows}`));
screen.enter();
screen.write(`ready ${way}`);
screen.flush();
const keepAlive = setInterval(() => {}, 1000);
process.stdin.on('data', keys => {
	const key = String(keys);
	if (key === 'z') guard.suspend();
	if (key === 't') {
		setImmediate(() => {
			throw new Error('thrown');
		});
	}
	if (key === 'r') void Promise.reject(new Error('rejected'));
	if (key === 'e') {
		process.on('exit', () => {
			throw new Error('thrown again');
		});
		setImmediate(() => {
			throw new Error('thrown');
		});
	}
	if (key === 'x') process.exit(3);
	if (key === 'q') {
		screen.restore();
		guard.release();
		process.stdin.setRawMode(false).pause();
		clearInterval(keepAlive);
	}
});
