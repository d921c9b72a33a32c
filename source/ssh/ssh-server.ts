import {setTimeout as sleep} from 'node:timers/promises';
import type {SharedClient} from '../client/shared/shared-client.ts';
import type {Start} from '../monitor/initial-state.ts';
import type {ScreenSettings} from '../ui/open-screen.tsx';
import type {ChannelOutput} from './channel-terminal.ts';
import {Bucket, type Rate} from './limits.ts';
import type {Identity} from './login.ts';
import {LostScreens} from './lost-screens.ts';
import {scopeNow} from './scope.ts';
import {createTransport, type Exec, type Shell, type TransportOptions} from './transport.ts';
import {Turns} from './turns.ts';
import {type ChoicesStore, openViewer, type Viewer} from './viewer.ts';

/** Look-ups of a viewer: what a person reads. */
const LOOK_UPS: Rate = {perSecond: 5, burst: 10};
/** How often the times of the viewers are looked at, and how long before the end they are warned, ms. */
const LOOK_MS = 1000;
const WARNING_MS = 60_000;
/** Screens that are restored at a time when the server ends. */
const DRAINED_AT_ONCE = 20;
const DRAIN_PAUSE_MS = 50;
const LAST_WORD_MS = 2000;
/** The process ends at the third error within a minute: then more than one screen is broken. */
const MAX_CRASHES = 3;
const CRASHES_MS = 60_000;
/** A program that wants another try later, as mail servers have it (EX_TEMPFAIL). */
const TRY_LATER = 75;

/** How many may look, and how long. */
export interface ViewerLimits {
	readonly maxViewers: number;
	readonly perAddress: number;
	/** Memory of the process above which nobody comes in, bytes. */
	readonly maxMemory: number;
	/** Without a key, ms; undefined: 30 minutes for guests, 12 hours for keys. */
	readonly idleMs: number | undefined;
	/** A whole visit, ms. */
	readonly longestMs: number;
}

export interface SshServerOptions extends Omit<TransportOptions, 'onShell' | 'onExec'> {
	readonly client: SharedClient;
	readonly settings: ScreenSettings;
	readonly limits: ViewerLimits;
	/** The state of a start. */
	readonly start: (from: Pick<Start, 'size' | 'theme' | 'visit' | 'choices'>) => Start;
	/** The choices of a key in earlier visits; undefined for a guest. */
	readonly choicesOf: (identity: Identity) => ChoicesStore | undefined;
	/** Carries out `ssh host WORDS`. @returns the exit code */
	readonly runWords: (exec: Exec, mayLookUp: () => boolean) => Promise<number>;
	/** An error that ended one screen. */
	readonly onFault: (error: unknown) => void;
	/** An error after which the process must end; every screen is restored. */
	readonly onFatal: (error: unknown) => void;
}

/** The monitor for everybody who comes by SSH. */
export interface SshServer {
	/** @returns the port */
	listen(host: string, port: number): Promise<number>;
	readonly viewers: number;
	/** Takes no newcomers, says so on every screen, and ends all visits after a time. @param advice the last line */
	drain(afterMs: number, advice: string): Promise<void>;
	close(): Promise<void>;
}

const GUEST_IDLE_MS = 30 * 60_000;
const KEY_IDLE_MS = 12 * 3_600_000;

/** Creates the server. Errors of one viewer's screen end that viewer alone; several in a minute end the process. */
export function createSshServer(options: SshServerOptions): SshServer {
	const {client, limits, start, choicesOf, runWords, onFault} = options;
	const viewers = new Map<Viewer, Shell>();
	/** Commands that run: each has a place, as a viewer has. */
	const running = new Set<Exec>();
	const crashes: number[] = [];
	const turns = new Turns();
	const lost = new LostScreens();
	const transport = createTransport({...options, onShell: take, onExec: run});

	/** Notes an error of a screen; too many say that more than a screen is broken. */
	function note(error: unknown): void {
		onFault(error);
		const nowMs = performance.now();
		crashes.push(nowMs);
		while (crashes[0]! < nowMs - CRASHES_MS) crashes.shift();
		if (crashes.length >= MAX_CRASHES) void end(error);
	}
	async function end(error: unknown): Promise<void> {
		process.off('uncaughtException', uncaught);
		await leaveAll(70, 'pulsetop: the server has stopped after an error.');
		options.onFatal(error);
	}
	// A timer or a frame of one screen: its scope is known here and nowhere else.
	const uncaught = (error: unknown): void => {
		const scope = scopeNow();
		if (scope) scope.fail(error);
		else void end(error);
	};
	process.on('uncaughtException', uncaught);

	function take(shell: Shell): void {
		const {output, term, identity, network} = shell;
		const refusal = output === undefined || term === 'dumb' || isTooSmall(output) ? NO_SCREEN : whyNoPlace(network);
		if (refusal !== undefined) {
			shell.leave('refused', refusal.code, refusal.text);
			return;
		}
		const choices = choicesOf(identity);
		const lookUps = new Bucket(LOOK_UPS);
		const visit = {viewers: viewers.size + 1, ...(identity.kind === 'key' && {name: identity.name})};
		const viewer = openViewer({
			shell: {...shell, output: output!},
			client: client.forViewer(() => lookUps.take()),
			turns,
			settings: options.settings,
			start: from => start({...from, visit, ...(choices && {choices: choices.choices})}),
			choices,
			...(identity.kind === 'key' && {
				lost: lost.take(identity.fingerprint),
				onLost: state => lost.keep(identity.fingerprint, state),
			}),
			onCrash: note,
		});
		viewers.set(viewer, shell);
		tellCount();
		void viewer.left.then(() => {
			viewers.delete(viewer);
			tellCount();
		});
	}

	function whyNoPlace(network: string): Refusal | undefined {
		const taken = [...viewers.values(), ...running];
		// One is always let in: memory that nobody uses may be given back late.
		if (taken.length > 0 && process.memoryUsage.rss() > limits.maxMemory)
			return {code: TRY_LATER, text: 'This server is full: try again in a minute.\r\n'};
		if (taken.length >= limits.maxViewers)
			return {code: TRY_LATER, text: `All ${limits.maxViewers} places are taken: try again in a minute.\r\n`};
		const same = taken.filter(visitor => visitor.network === network).length;
		if (same < limits.perAddress) return undefined;
		return {code: TRY_LATER, text: `${limits.perAddress} from your address look already: close one of them first.\r\n`};
	}

	function tellCount(): void {
		for (const viewer of viewers.keys()) viewer.count(viewers.size);
	}

	function run(exec: Exec): void {
		const refusal = whyNoPlace(exec.network);
		if (refusal !== undefined) {
			exec.leave('refused', refusal.code, refusal.text);
			return;
		}
		running.add(exec);
		void exec.closed.then(() => running.delete(exec));
		const lookUps = new Bucket(LOOK_UPS);
		runWords(exec, () => lookUps.take()).then(
			code => exec.leave('quit', code, ''),
			error => {
				onFault(error);
				exec.leave('crashed', 70, '');
			},
		);
	}

	const timing = setInterval(() => {
		const nowMs = performance.now();
		for (const [viewer, {identity}] of viewers) {
			const idleMs = limits.idleMs ?? (identity.kind === 'key' ? KEY_IDLE_MS : GUEST_IDLE_MS);
			const left = {idle: viewer.pressedMs + idleMs - nowMs, longest: viewer.startedMs + limits.longestMs - nowMs};
			if (left.longest <= 0) void viewer.leave('longest', 0, 'pulsetop: this visit was long enough, connect again.');
			else if (left.idle <= 0) void viewer.leave('idle', 0, 'pulsetop: no key was pressed for a while, connect again.');
			else if (isNear(left.idle, idleMs)) viewer.say('Press any key to stay.', 'warn');
			else if (isNear(left.longest, limits.longestMs))
				viewer.say('This visit ends in a minute: connect again.', 'warn');
		}
	}, LOOK_MS);

	async function leaveAll(code: number, text: string): Promise<void> {
		const all = [...viewers];
		for (let at = 0; at < all.length; at += DRAINED_AT_ONCE) {
			await Promise.all(all.slice(at, at + DRAINED_AT_ONCE).map(([viewer]) => viewer.leave('drained', code, text)));
			await sleep(DRAIN_PAUSE_MS);
		}
		// The last words are on their way; a client that takes nothing is not waited for.
		await Promise.race([Promise.all(all.map(([, {closed}]) => closed)), sleep(LAST_WORD_MS)]);
	}

	return {
		listen: transport.listen,
		get viewers() {
			return viewers.size;
		},
		async drain(afterMs, advice) {
			transport.refuse();
			const seconds = Math.round(afterMs / 1000);
			for (const viewer of viewers.keys()) viewer.say(`This server restarts in ${seconds} s: connect again.`, 'warn');
			if (viewers.size > 0) await sleep(afterMs);
			await leaveAll(TRY_LATER, advice);
		},
		async close() {
			clearInterval(timing);
			process.off('uncaughtException', uncaught);
			await transport.close();
			await client.close();
		},
	};
}

interface Refusal {
	readonly code: number;
	readonly text: string;
}

const NO_SCREEN: Refusal = {
	code: 1,
	text: 'The monitor needs a terminal of 40x10 cells: ssh -t HOST.\r\nWithout one: ssh HOST feed --json, and ssh HOST help.\r\n',
};
const MIN_SIZE = {columns: 40, rows: 10};

function isTooSmall({columns, rows}: ChannelOutput): boolean {
	return columns < MIN_SIZE.columns || rows < MIN_SIZE.rows;
}

/** Whether the last minute of a time has just begun, in a time that is longer than that. */
function isNear(leftMs: number, wholeMs: number): boolean {
	return wholeMs > 2 * WARNING_MS && leftMs <= WARNING_MS && leftMs > WARNING_MS - LOOK_MS;
}
