import {fileProblem} from './file-problem.ts';
import {isCodeGone, REPLACED} from './installation.ts';
import {isOutOfDescriptors} from './system-limits.ts';

/** The user's next step. The screen offers a key for it and the command line maps it to an exit code. */
export type Next =
	| 'fix-input'
	| 'requote'
	| 'retry-same'
	| 'retry-later'
	| 'poll-status'
	| 'unlock'
	| 'restart'
	| 'report';

/**
 * Every way to fail that a person can meet. Subclasses live beside the code that throws them.
 * `message` is the event, `why` the facts (names, numbers, the field), `next` the next step. `advice` is a sentence for `next`
 * that fits better than the usual one. None of them may hold a URL, a header, a body or a key: errors end up in logs and pictures.
 */
export abstract class PulsetopError extends Error {
	/** Stable identifier, kebab-case: 'check-failed'. */
	abstract readonly code: string;
	readonly why: string;
	readonly next: Next;
	readonly advice: string;

	constructor(
		what: string,
		{why, next, advice = ADVICE[next], cause}: {why: string; next: Next; advice?: string | undefined; cause?: unknown},
	) {
		super(printable(what), {cause});
		this.name = new.target.name;
		this.why = printable(why);
		this.next = next;
		this.advice = printable(advice);
	}
}

/** Control characters but line ends, and those that turn the direction of reading. */
const ACTS_ON_TERMINAL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** An error repeats words of command lines, configurations and services: nothing in them may act on a terminal. */
function printable(text: string): string {
	return text.replace(ACTS_ON_TERMINAL, '\u{FFFD}');
}

/** The advice where the reason names the wrong input. */
export const CORRECT_INPUT = 'Correct the input and try again.';

const ADVICE: Readonly<Record<Next, string>> = {
	'fix-input': CORRECT_INPUT,
	requote: 'Ask for a new quote.',
	'retry-same': 'Try the same again.',
	'retry-later': 'Wait a little, then try again.',
	'poll-status': 'Do not send it again: read the status.',
	unlock: 'Unlock the wallet first.',
	restart: 'Quit and restart pulsetop.',
	report: 'This is a fault of the program or of the service: please report it.',
};

/** The three sentences of a failure, the same on the screen, on stderr and in JSON. */
export interface Explanation {
	readonly code: string;
	readonly what: string;
	readonly why: string;
	readonly next: Next | 'report';
	readonly advice: string;
}

/**
 * Puts any thrown value into words. This is the only place that does.
 * @param error whatever was caught; any other than a PulsetopError is reported as a bug
 */
export function explain(error: unknown): Explanation {
	const descriptors = descriptorFailure(error);
	if (descriptors) return descriptors;
	if (error instanceof PulsetopError) {
		const {code, message: what, why, next, advice} = error;
		return {code, what, why, next, advice};
	}
	if (isCodeGone(error)) {
		const why = 'quit and start it again, the code for this is gone';
		return {code: 'program-replaced', what: REPLACED, why, next: 'restart', advice: ADVICE.restart};
	}
	const disk = diskFailure(error);
	if (disk) return disk;
	const what = error instanceof Error ? error.message : String(error);
	return {
		code: 'internal',
		what: 'Something went wrong inside pulsetop',
		why: printable(what),
		next: 'report',
		advice: ADVICE.report,
	};
}

/** No more files and connections can be opened. Undefined for a failure that has another cause. */
function descriptorFailure(error: unknown): Explanation | undefined {
	if (!(error instanceof Error)) return undefined;
	// Code that cannot be loaded, for example, looks like a fault of the program.
	const isFault = !(error instanceof PulsetopError) || error.next === 'report';
	const {code} = (error.cause ?? error) as NodeJS.ErrnoException;
	if (code !== 'EMFILE' && !(isFault && isOutOfDescriptors())) return undefined;
	return {
		code: 'no-descriptors',
		what: 'No more files and connections can be opened',
		why: 'this program has as many open as it may have (ulimit -n)',
		next: 'restart',
		advice: 'Allow more, with ulimit -n 1024 for example, and start it again.',
	};
}

/** The output of a command cannot be written: the disk of the file is full, for example. */
export class OutputFailed extends PulsetopError {
	readonly code = 'output-failed';

	/** @param error of the system */
	constructor(error: NodeJS.ErrnoException) {
		super('The output cannot be written', {
			why: `${fileProblem(error)}; what is written is not whole`,
			next: 'fix-input',
			advice: 'Free some space, or write to another file.',
			cause: error,
		});
	}
}

/** Why something failed, in one line for a log: the event, and the facts if there are any. */
export function reasonOf(error: unknown): string {
	if (error instanceof PulsetopError) return `${error.message}: ${error.why}`;
	return error instanceof Error ? error.message : String(error);
}

/** Reasons outside the program why a file can't be written, by the code of the system. */
const DISK_FAILURES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EFBIG']);
/** Calls of the system that work on files; others, such as `listen`, have the same codes. */
const FILE_CALLS: ReadonlySet<unknown> = new Set([
	'open',
	'write',
	'mkdir',
	'rename',
	'fsync',
	'ftruncate',
	'chmod',
	'unlink',
	'link',
	'copyfile',
]);

/** A file cannot be written. Undefined for any other failure than of the disk. */
function diskFailure(error: unknown): Explanation | undefined {
	if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
	if (!FILE_CALLS.has(error.syscall)) return undefined;
	// Node calls it a missing directory when one cannot be made on a read-only file system.
	const isUnmade = error.code === 'ENOENT' && error.syscall === 'mkdir';
	if (!isUnmade && !DISK_FAILURES.has(error.code)) return undefined;
	const why = isUnmade ? 'the directory cannot be made' : fileProblem(error);
	const path = 'path' in error && typeof error.path === 'string' ? `: ${error.path}` : '';
	const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT';
	return {
		code: 'file-failed',
		what: 'A file cannot be written',
		why: why + path,
		next: 'fix-input',
		advice: isFull
			? 'Free some space, or name another directory with --data-dir.'
			: 'Make it writable, or name another directory with --data-dir.',
	};
}
