import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {afterEach, expect, test} from 'vitest';
import {startWatchdog} from '../../../source/service/chain/watchdog.ts';

const children: ChildProcess[] = [];
afterEach(() => {
	for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that runs a line of shell, once it has reported that it runs. */
async function running(line: string): Promise<ChildProcess> {
	const child = spawn('/bin/sh', ['-c', `${line}; echo ready; while :; do sleep 0.1; done`]);
	children.push(child);
	await once(child.stdout, 'data');
	return child;
}

test('a process that ignores SIGTERM is killed, even when others ended', async () => {
	const meek = await running(':');
	const stubborn = await running("trap '' TERM");
	const dropped = await running("trap '' TERM");
	const watchdog = startWatchdog();
	for (const {pid} of [meek, stubborn, dropped]) watchdog.add(pid!);
	watchdog.drop(dropped.pid!);
	// As its input ends when the process that started it does.
	watchdog.close();
	await Promise.all([once(meek, 'exit'), once(stubborn, 'exit')]);
	expect([meek.signalCode, stubborn.signalCode, dropped.signalCode]).toEqual(['SIGTERM', 'SIGKILL', null]);
});

test('a child that says itself that it is there is ended, even when its parent never said so', async () => {
	const watchdog = startWatchdog();
	const line = '(echo "add $$" >&3); exec 3>&-; echo ready; while :; do sleep 0.1; done';
	const child = spawn('/bin/sh', ['-c', line], {stdio: ['ignore', 'pipe', 'ignore', watchdog.input!]});
	children.push(child);
	await once(child.stdout!, 'data');
	watchdog.close();
	await once(child, 'exit');
	expect(child.signalCode).toBe('SIGTERM');
});
