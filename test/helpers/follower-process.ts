import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {setTimeout as sleep} from 'node:timers/promises';
import type {ChainCoverage} from '../../source/contract/coverage.ts';
import type {Entry, FollowerOptions} from './follower.ts';
import type {FromFollower, ToFollower} from './follower-main.ts';
import {PATIENCE_MS} from './patience.ts';

/** A follower in a process of its own. */
export interface FollowerProcess {
	/** Moves its clock. */
	at(nowMs: number): void;
	coverage(): Promise<ChainCoverage>;
	entries(): Promise<ReadonlyMap<string, Entry>>;
	/** Waits until it has seen a block. @throws Error with what it says of itself when it never does */
	seen(block: number): Promise<void>;
	/** Ends it in order. */
	close(): Promise<void>;
	/** Ends it in the middle of whatever it does. */
	kill(): Promise<void>;
}

export function startFollower(options: FollowerOptions): FollowerProcess {
	const child = fork(new URL('follower-main.ts', import.meta.url), {
		execArgv: [],
		stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
	});
	let lastId = 0;
	let failure: string | undefined;
	let stderr = '';
	child.stderr?.on('data', chunk => {
		stderr = `${stderr}${chunk}`.slice(-2000);
	});
	const asked = new Map<number, {resolve: (answer: unknown) => void; reject: (error: Error) => void}>();
	child.on('exit', () => {
		for (const {reject} of asked.values()) reject(new Error(`the follower ended: ${failure ?? stderr}`));
	});
	child.on('message', (message: FromFollower) => {
		if ('failed' in message) failure = message.failed;
		else {
			asked.get(message.id)?.resolve(message.answer);
			asked.delete(message.id);
		}
	});
	const say = (message: ToFollower) => {
		if (child.connected) child.send(message);
	};
	const ask = async <T>(what: 'coverage' | 'entries' | 'close'): Promise<T> => {
		const id = ++lastId;
		const answer = new Promise<unknown>((resolve, reject) => {
			asked.set(id, {resolve, reject});
		});
		say({say: what, id});
		return (await answer) as T;
	};
	say({say: 'open', options});
	return {
		at: nowMs => say({say: 'at', nowMs}),
		coverage: () => ask<ChainCoverage>('coverage'),
		entries: async () => new Map(await ask<[string, Entry][]>('entries')),
		async seen(block) {
			const untilMs = Date.now() + PATIENCE_MS;
			for (;;) {
				if (failure !== undefined) throw new Error(failure);
				const coverage = await ask<ChainCoverage>('coverage');
				if (coverage.block === block) return;
				if (Date.now() > untilMs) throw new Error(`block ${block} was not seen: ${JSON.stringify(coverage)} ${stderr}`);
				await sleep(20);
			}
		},
		async close() {
			if (!isRunning(child)) return;
			const ended = once(child, 'exit');
			await ask('close');
			child.disconnect();
			await ended;
		},
		async kill() {
			if (!isRunning(child)) return;
			const ended = once(child, 'exit');
			child.kill('SIGKILL');
			await ended;
		},
	};
}

function isRunning({exitCode, signalCode}: ChildProcess): boolean {
	return exitCode === null && signalCode === null;
}
