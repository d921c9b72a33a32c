import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {ChainUnavailable} from './driver.ts';

/** How long a node whose service was killed may take to write its state. */
const ENDING_MS = 6000;

/**
 * Waits until the node of an earlier run has ended. After a kill the node outlives its service for a moment and then
 * writes its last state: a chain that started before that would lack the latest transactions.
 * @throws ChainUnavailable when the node keeps running: another service runs this chain
 */
export async function awaitEarlierRun(directory: string, chainId: number): Promise<void> {
	const untilMs = performance.now() + ENDING_MS;
	while (isNode(formerPid(directory, chainId))) {
		if (performance.now() > untilMs)
			throw new ChainUnavailable(chainId, 'another service runs it from the same data directory');
		await sleep(20);
	}
}

/** Stores the id of the process that runs the chain. */
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

/**
 * Whether a process is a node of this program. A process id proves nothing: it may have been given to another process.
 */
function isNode(pid: number): boolean {
	if (!Number.isSafeInteger(pid) || pid <= 0) return false;
	try {
		if (process.platform === 'linux') {
			// The state follows the name in brackets; Z is a process that has ended.
			return /\(anvil\) [^Z]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
		}
		// On Windows a node ends with its service.
		if (process.platform === 'win32') return false;
		return /anvil/.test(execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], {encoding: 'utf8'}));
	} catch {
		return false;
	}
}
