import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Pty} from './pty.ts';

/** Code inside a program that runs when the test says so: after a fixed time a slow machine may have drawn nothing yet. */
export interface LateCode {
	/** Added to the environment of the program. */
	readonly env: {readonly NODE_OPTIONS: string};
	/** Runs the code, within some milliseconds. */
	run(pty: Pty): void;
}

/** @param code statements of JavaScript, run in a timer of that thread */
export function lateCode(code: string, {inService = false}: {inService?: boolean} = {}): LateCode {
	const script = `import {isMainThread} from 'node:worker_threads';
		import {existsSync} from 'node:fs';
		if (isMainThread !== ${inService}) {
			const timer = setInterval(() => {
				if (!existsSync(process.env.HOME + '/late-code')) return;
				clearInterval(timer);
				${code}
			}, 20);
		}`;
	return {
		env: {NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`},
		run: pty => writeFileSync(join(pty.home, 'late-code'), ''),
	};
}
