import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {PATIENCE_MS} from './patience.ts';
import {type Cell, openScreen, type Screen} from './screen.ts';

export interface PtyOptions {
	/** The program; this Node when omitted. */
	readonly command?: string;
	readonly args?: readonly string[];
	readonly columns?: number;
	readonly rows?: number;
	readonly cwd?: string;
	/** Added to a small, clean environment; undefined takes a variable away. */
	readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A program in a terminal of its own, with a home directory of its own. */
export interface Pty {
	readonly pid: number;
	/** `performance.now()` just before it was started. */
	readonly startedAt: number;
	/** Its home: the configuration, data and cache directories are inside. */
	readonly home: string;
	readonly screen: Screen;
	/** The visible rows as the person sees them. */
	screenText(): string;
	row(n: number): string;
	cellAt(x: number, y: number): Cell;
	/** Writes keys as the terminal would send them: 'j', '\r', '\x1B[A'. */
	type(keys: string): void;
	resize(columns: number, rows: number): void;
	/**
	 * Waits until the screen shows it, and gives the screen's text.
	 * @throws Error with the whole screen when it does not within the time, or the program ended before
	 */
	waitFor(what: RegExp | string | ((screen: Screen) => boolean), timeoutMs?: number): Promise<string>;
	/** When the program has ended and all it wrote is on the screen. */
	readonly exit: Promise<{readonly code: number; readonly signal: number | undefined}>;
	/** Everything it wrote so far. */
	bytes(): Buffer;
	/** Resolves with `performance.now()` of the moment when bytes come that hold this text; @throws Error after 5 s without. */
	heard(text: string): Promise<number>;
	kill(signal?: string): void;
}

const open = new Set<{readonly kill: (signal?: string) => void}>();
process.on('exit', () => {
	for (const pty of open) pty.kill('SIGKILL');
});

/** Starts a program in a pseudo-terminal. The caller ends it by `close` of {@link withPty}, or `kill`. */
export async function openPty({
	command = process.execPath,
	args = [],
	columns = 120,
	rows = 40,
	cwd,
	env = {},
}: PtyOptions): Promise<Pty> {
	const home = await mkdtemp(join(tmpdir(), 'pulsetop-'));
	const screen = openScreen({columns, rows});
	const startedAt = performance.now();
	const child = spawn(command, [...args], {
		name: 'xterm-256color',
		cols: columns,
		rows,
		cwd: cwd ?? process.cwd(),
		encoding: null,
		env: {...isolatedEnvironment(home), TERM: 'xterm-256color', COLORTERM: 'truecolor', FORCE_COLOR: '3', ...env},
	});
	const chunks: Buffer[] = [];
	const watchers = new Set<() => void>();
	const listeners = new Set<(chunk: Buffer, atMs: number) => void>();
	let drawn: Promise<void> = Promise.resolve();
	let ended = false;
	const look = () => {
		for (const watcher of watchers) watcher();
	};
	// With no encoding the chunks are Buffers, though the type says string.
	child.onData(data => {
		const chunk = data as unknown as Buffer;
		chunks.push(chunk);
		for (const listener of listeners) listener(chunk, performance.now());
		drawn = screen.write(chunk).then(look);
	});
	screen.onAnswer(response => child.write(response));
	const exit = new Promise<{code: number; signal: number | undefined}>(resolve => {
		child.onExit(async ({exitCode, signal}) => {
			open.delete(self);
			// The last bytes may be on their way still.
			await new Promise(soon => setTimeout(soon, 20));
			await drawn;
			ended = true;
			look();
			resolve({code: exitCode, signal: signal === 0 ? undefined : signal});
			// Children of the program may still write their caches there for a moment.
			await rm(home, {recursive: true, force: true, maxRetries: 10, retryDelay: 100});
		});
	});
	const self: Pty = {
		pid: child.pid,
		startedAt,
		home,
		screen,
		screenText: () => screen.text(),
		row: n => screen.row(n),
		cellAt: (x, y) => screen.cellAt(x, y),
		type: keys => child.write(keys),
		resize: (toColumns, toRows) => {
			screen.resize(toColumns, toRows);
			child.resize(toColumns, toRows);
		},
		waitFor: (what, timeoutMs = PATIENCE_MS) =>
			new Promise((resolve, reject) => {
				const stop = () => {
					clearTimeout(timer);
					watchers.delete(check);
				};
				const fail = (why: string) => {
					stop();
					reject(
						new Error(`${why}: ${what}\n--- the screen, ${screen.columns}x${screen.rows} ---\n${screen.text()}\n---`),
					);
				};
				const check = () => {
					if (screen.isUpdating && !ended) return;
					const text = screen.text();
					const isThere =
						typeof what === 'function'
							? what(screen)
							: typeof what === 'string'
								? text.includes(what)
								: what.test(text);
					if (isThere) {
						stop();
						resolve(text);
					} else if (ended) fail('the program ended, and the screen never showed');
				};
				const timer = setTimeout(() => fail(`not shown within ${timeoutMs} ms`), timeoutMs);
				watchers.add(check);
				check();
			}),
		exit,
		bytes: () => Buffer.concat(chunks),
		heard: text =>
			new Promise((resolve, reject) => {
				let tail = Buffer.alloc(0);
				const stop = (): void => {
					clearTimeout(timer);
					listeners.delete(listener);
				};
				const listener = (chunk: Buffer, atMs: number): void => {
					// Half of the text may have come with the chunk before.
					tail = Buffer.concat([tail.subarray(-text.length * 4), chunk]);
					if (!tail.includes(text)) return;
					stop();
					resolve(atMs);
				};
				const timer = setTimeout(() => {
					stop();
					reject(new Error(`never written: ${text}\n${screen.text()}`));
				}, PATIENCE_MS);
				listeners.add(listener);
			}),
		kill: (signal = 'SIGKILL') => {
			if (!ended) tryKill(child.pid, signal);
		},
	};
	open.add(self);
	return self;
}

/** Runs a story with a program in a terminal, and ends the program whatever happens. */
export async function withPty<T>(options: PtyOptions, story: (pty: Pty) => Promise<T>): Promise<T> {
	const pty = await openPty(options);
	try {
		return await story(pty);
	} finally {
		pty.kill();
		await pty.exit;
		pty.screen.dispose();
	}
}

/** Where the tests run on another day, in another zone or another language (shifted-clock.ts), or with another operator (changed-operators.ts), so does the program. */
const SHIFTED = Object.fromEntries(
	['NODE_OPTIONS', 'PULSETOP_TEST_CLOCK', 'PULSETOP_TEST_OPERATOR', 'PULSETOP_TEST_OPERATORS_RAN', 'TZ'].flatMap(
		name => {
			const value = process.env[name];
			return value === undefined ? [] : [[name, value]];
		},
	),
);

/** Where `npm test` keeps compiled code: in a home of its own each program would compile all that it loads. */
const COMPILED: Record<string, string> = process.env['NODE_COMPILE_CACHE']
	? {NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE']}
	: {};

/** What a program needs of the environment, with every directory of the person's inside `home`, and nothing of the machine's colours or CI. */
export function isolatedEnvironment(home: string): Record<string, string> {
	return {
		...SHIFTED,
		...COMPILED,
		PATH: process.env['PATH'] ?? '',
		TMPDIR: tmpdir(),
		LANG: SHIFTED['PULSETOP_TEST_CLOCK'] ? (process.env['LANG'] ?? 'C.UTF-8') : 'C.UTF-8',
		// Stories begin with an empty home, but are not those of a newcomer.
		PULSETOP_TOUR: 'false',
		HOME: home,
		XDG_CONFIG_HOME: join(home, 'config'),
		XDG_DATA_HOME: join(home, 'data'),
		XDG_CACHE_HOME: join(home, 'cache'),
		XDG_STATE_HOME: join(home, 'state'),
		XDG_RUNTIME_DIR: join(home, 'run'),
	};
}

/** The child leads a session of its own: the signal goes to all of its group, so that no grandchild stays behind. */
function tryKill(pid: number, signal: string): void {
	for (const target of [-pid, pid]) {
		try {
			process.kill(target, signal);
		} catch {
			// It has ended already.
		}
	}
}
