import type {LiveScreen} from './live-screen.ts';

/** Why the program has to end, and the exit code that says so. */
export interface EndReason {
	/** `hangup`: the terminal closed (closed window, cut connection, dead parent). */
	readonly cause: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT' | 'hangup';
	readonly exitCode: number;
}

export interface GuardOptions {
	readonly screen: LiveScreen;
	readonly stdin: NodeJS.ReadStream;
	/** Ends running work. The program exits when the promise resolves, or after `graceMs`. */
	readonly onEnd: (reason: EndReason) => void | Promise<void>;
	/** Called with an uncaught error, once the terminal is restored. The program then exits with 70. */
	readonly onCrash: (error: unknown) => void;
	readonly graceMs?: number;
}

export interface Guard {
	/** Stops the program as Ctrl+Z does elsewhere: the shell has the terminal until `fg`. */
	suspend(): void;
	/** Stops watching, before an orderly end. */
	release(): void;
}

const EXIT_CODES = {SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131, hangup: 129} as const;
const CRASHED = 70;
/** Time for the stop signal to arrive; without job control, the pause before the program goes on, ms. */
const STOP_MS = 50;
/** Delay of a repaint: a window that is dragged by less than a cell sends many signals. */
const RETAKE_MS = 100;

/**
 * Restores the terminal on every way out except SIGKILL: signals, uncaught errors and rejections, a closed terminal or dead
 * parent, `process.exit` from anywhere. Takes the terminal again after a suspension.
 */
export function guardTerminal({screen, stdin, onEnd, onCrash, graceMs = 2000}: GuardOptions): Guard {
	let isEnding = false;
	let wasRaw = false;
	let isSuspended = false;

	const end = (cause: EndReason['cause']): void => {
		const exitCode = EXIT_CODES[cause];
		screen.restore();
		// A second signal does not wait.
		if (isEnding) exitWith(exitCode);
		isEnding = true;
		const exit = (): void => exitWith(exitCode);
		setTimeout(exit, graceMs).unref();
		Promise.all([onEnd({cause, exitCode}), screen.quiet()]).then(exit, crash);
	};
	const crash = (error: unknown): void => {
		screen.restore();
		try {
			onCrash(error);
		} finally {
			exitWith(CRASHED);
		}
	};
	const suspend = (): void => {
		if (isSuspended || process.platform === 'win32') return;
		isSuspended = true;
		screen.restore();
		void screen.quiet().then(stop);
	};
	const stop = (): void => {
		wasRaw = stdin.isRaw;
		if (wasRaw) stdin.setRawMode(false);
		// Without a listener the signal stops the process; sent to the whole group, as the terminal would.
		process.off('SIGTSTP', suspend);
		process.kill(0, 'SIGTSTP');
		setTimeout(resume, STOP_MS);
	};
	const resume = (): void => {
		if (isSuspended) {
			isSuspended = false;
			process.on('SIGTSTP', suspend);
			if (wasRaw) stdin.setRawMode(true);
		} else if (screen.isActive) {
			// Stopped by SIGSTOP without restoring the terminal: another program may have changed its modes since.
			if (stdin.isRaw) stdin.setRawMode(false).setRawMode(true);
			screen.restore();
		} else return;
		// The resize signal went to the foreground group only; Node reads the size at this signal alone.
		process.emit('SIGWINCH', 'SIGWINCH');
		screen.enter();
	};

	let size = `${screen.columns}x${screen.rows}`;
	let retaking: NodeJS.Timeout | undefined;
	/** A signal without another size: dtach or abduco brought another terminal, which has nothing of the picture. */
	const windowChanged = (): void => {
		const before = size;
		size = `${screen.columns}x${screen.rows}`;
		clearTimeout(retaking);
		if (before === size && screen.isActive) retaking = setTimeout(() => screen.retake(), RETAKE_MS).unref();
	};

	const interrupted = (): void => end('SIGINT');
	const terminated = (): void => end('SIGTERM');
	const hungUp = (): void => end('SIGHUP');
	const quit = (): void => end('SIGQUIT');
	const hangup = (): void => end('hangup');
	const restore = (): void => screen.restore();
	process.on('SIGINT', interrupted).on('SIGTERM', terminated).on('SIGHUP', hungUp).on('SIGQUIT', quit);
	process.on('uncaughtException', crash).on('exit', restore);
	if (process.platform !== 'win32') process.on('SIGTSTP', suspend).on('SIGCONT', resume).on('SIGWINCH', windowChanged);
	screen.on('hangup', hangup);
	stdin.on('end', hangup).on('error', hangup);

	return {
		suspend,
		release: () => {
			process.off('SIGINT', interrupted).off('SIGTERM', terminated).off('SIGHUP', hungUp).off('SIGQUIT', quit);
			process.off('uncaughtException', crash).off('exit', restore);
			process.off('SIGTSTP', suspend).off('SIGCONT', resume);
			process.off('SIGWINCH', windowChanged);
			clearTimeout(retaking);
			screen.off('hangup', hangup);
			stdin.off('end', hangup).off('error', hangup);
		},
	};
}

/** Exits even when an exit listener throws, as Ink may when it draws a last time. */
function exitWith(code: number): void {
	try {
		process.exit(code);
	} catch {
		// The second exit calls no listener again.
		process.exit(code);
	}
}
