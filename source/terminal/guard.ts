import type {LiveScreen} from './live-screen.ts';

/** Why the program has to end, and the exit code that says so. */
export interface EndReason {
	/** `hangup`: the terminal is gone (closed window, cut connection, dead parent). */
	readonly cause: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'hangup';
	readonly exitCode: number;
}

export interface GuardOptions {
	readonly screen: LiveScreen;
	readonly stdin: NodeJS.ReadStream;
	/** Ends what is under way. The program exits when it is done, or after `graceMs`. */
	readonly onEnd: (reason: EndReason) => void | Promise<void>;
	/** Told of an error that nobody caught, once the terminal is given back. The program then exits with 70. */
	readonly onCrash: (error: unknown) => void;
	readonly graceMs?: number;
}

export interface Guard {
	/** Stops the program as Ctrl+Z does elsewhere: the shell has the terminal until `fg`. */
	suspend(): void;
	/** Stops watching, before an orderly end. */
	release(): void;
}

const EXIT_CODES = {SIGINT: 130, SIGTERM: 143, SIGHUP: 129, hangup: 129} as const;
const CRASHED = 70;
/** Long enough to be stopped in; where nobody can stop us (no job control), the pause before we go on. */
const STOP_MS = 50;

/**
 * Sees to it that the terminal is given back on every way out: signals, errors that nobody caught (rejections too), a terminal
 * or parent that is gone, `process.exit` from anywhere; and that it is taken again after a suspension.
 * What can't be guarded is SIGKILL.
 */
export function guardTerminal({screen, stdin, onEnd, onCrash, graceMs = 2000}: GuardOptions): Guard {
	let isEnding = false;
	let wasRaw = false;
	let isSuspended = false;

	const end = (cause: EndReason['cause']): void => {
		const exitCode = EXIT_CODES[cause];
		screen.restore();
		// Whoever asks twice doesn't want to wait.
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
		// Without a listener the signal does what it is for; to the whole group, as the terminal would send it.
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
			// Stopped by SIGSTOP, without a chance to give the terminal back: whoever had it since may have left it otherwise.
			if (stdin.isRaw) stdin.setRawMode(false).setRawMode(true);
			screen.restore();
		} else return;
		// A resize is told to the group in the foreground, which was another one: Node asks for the size at this signal alone.
		process.emit('SIGWINCH', 'SIGWINCH');
		screen.enter();
	};

	const interrupted = (): void => end('SIGINT');
	const terminated = (): void => end('SIGTERM');
	const hungUp = (): void => end('SIGHUP');
	const gone = (): void => end('hangup');
	const restore = (): void => screen.restore();
	process.on('SIGINT', interrupted).on('SIGTERM', terminated).on('SIGHUP', hungUp);
	process.on('uncaughtException', crash).on('exit', restore);
	if (process.platform !== 'win32') process.on('SIGTSTP', suspend).on('SIGCONT', resume);
	screen.on('hangup', gone);
	stdin.on('end', gone).on('error', gone);

	return {
		suspend,
		release: () => {
			process.off('SIGINT', interrupted).off('SIGTERM', terminated).off('SIGHUP', hungUp);
			process.off('uncaughtException', crash).off('exit', restore);
			process.off('SIGTSTP', suspend).off('SIGCONT', resume);
			screen.off('hangup', gone);
			stdin.off('end', gone).off('error', gone);
		},
	};
}

/** Ends the program. Whoever listens for that may throw (Ink draws a last time): it ends all the same. */
function exitWith(code: number): void {
	try {
		process.exit(code);
	} catch {
		// Nobody is asked a second time.
		process.exit(code);
	}
}
