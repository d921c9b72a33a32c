import {EventEmitter} from 'node:events';
import {render} from 'ink';
import type {ReactNode} from 'react';
import {Emulator} from '../unit/terminal/emulator.ts';

/* Ink by itself beside a live screen: both must show the same cells. */

/** Keys that never come. */
class Stdin extends EventEmitter {
	isTTY = true;
	setEncoding(): void {}
	setRawMode(): void {}
	ref(): void {}
	unref(): void {}
	read(): null {
		return null;
	}
}
export const stdin = new Stdin() as unknown as NodeJS.ReadStream;

/** Ink by itself, as a component test has it: `frame()` is its last one. */
export function renderPlain(node: ReactNode, size: {columns: number; rows: number}) {
	const stdout = Object.assign(new EventEmitter(), {
		...size,
		last: '',
		write(frame: string) {
			if (!frame.startsWith('\x1B[?')) stdout.last = frame;
		},
	});
	const {rerender, unmount} = render(node, {
		stdout: stdout as unknown as NodeJS.WriteStream,
		stdin,
		debug: true,
		interactive: true,
		exitOnCtrlC: false,
		patchConsole: false,
	});
	return {rerender, unmount, stdout, frame: () => stdout.last};
}

/** A terminal that shows a frame of Ink. */
export async function drawn(frame: string, columns: number, rows: number): Promise<Emulator> {
	const emulator = new Emulator(columns, rows);
	emulator.write('\x1B[?7l');
	for (const [y, line] of frame.split('\n').slice(0, rows).entries()) emulator.write(`\x1B[${y + 1}H${line}`);
	await emulator.settled();
	return emulator;
}

/** Lets pending work run: commits of React, a flush of the screen. */
export async function turn(): Promise<void> {
	await new Promise(resolve => setImmediate(resolve));
}
