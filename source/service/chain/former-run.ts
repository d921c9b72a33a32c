import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {ChainUnavailable} from './driver.ts';

/** How long a node whose service was killed may take to write its state. */
const ENDING_MS = 6000;

/**
 * Waits until the node of a former run has ended. After a kill it lives a moment longer than its service, and writes its
 * last state then: a chain that began before that would begin without the latest transactions.
 * @throws ChainUnavailable when it goes on: then another service runs this chain
 */
export async function awaitFormerRun(directory: string, chainId: number): Promise<void> {
	const untilMs = Date.now() + ENDING_MS;
	while (isNode(formerPid(directory, chainId))) {
		if (Date.now() > untilMs)
			throw new ChainUnavailable(chainId, 'another service runs it from the same data directory');
		await sleep(20);
	}
}

/** Notes which process runs the chain now. */
export function noteRun(directory: string, chainId: number, pid: number): void {
	writeFileSync(pidFile(directory, chainId), String(pid), {mode: 0o600});
}

function pidFile(directory: string, chainId: number): string {
	return join(directory, `${chainId}.pid`);
}

function formerPid(directory: string, chainId: number): number {
	try {
		return Number(readFileSync(pidFile(directory, chainId), 'utf8'));
	} catch {
		return Number.NaN;
	}
}

/** Whether a process is one of our nodes. Its number alone proves nothing: by now it may be another's. */
function isNode(pid: number): boolean {
	if (!Number.isSafeInteger(pid) || pid <= 0) return false;
	try {
		if (process.platform === 'linux') {
			// After the name, in brackets, comes the state; Z has ended and only waits to be noticed.
			return /\(anvil\) [^Z]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
		}
		// On Windows a node ends with its service.
		if (process.platform === 'win32') return false;
		return /anvil/.test(execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], {encoding: 'utf8'}));
	} catch {
		return false;
	}
}
