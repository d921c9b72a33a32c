import {readFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {expect, test} from 'vitest';
import type {WebSocket} from 'ws';
import {PerverseServer} from '../client/perverse-server.ts';
import {CLI} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';

/* A service that sends full states as fast as the socket takes them fills no memory and keeps no key waiting. */

const TOKENS = 100;
const MAX_MB = 300;

/** Full states of about 380 kB, each with other figures. */
function fullStates(subscriptionId: string, view: string): string[] {
	return Array.from({length: 8}, (_, round) => {
		const data = Array.from({length: TOKENS}, (_, at) => ({
			address: `${view}${at}`.padEnd(40, 'x'),
			chainId: 'solana:solana',
			symbol: `${view.toUpperCase()}${at}`,
			name: `Token ${at}`,
			created_at: new Date(1_760_000_000_000 + at * 1000).toISOString(),
			market_cap: 1000 * round + at,
			description: `${round} `.repeat(1700),
		}));
		return JSON.stringify({type: 'init', payload: {[view]: {data}}, subscriptionId});
	});
}

const highWaterMb = (pid: number): number =>
	Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

test.each([
	{name: 'as fast as the socket takes them', atOnce: 0},
	{name: 'two hundred at once', atOnce: 200},
])('full states $name', {timeout: 120_000}, async ({atOnce}) => {
	const server = await PerverseServer.start();
	let sent = 0;
	let isOver = false;
	const flood = async (socket: WebSocket, frames: readonly string[]): Promise<void> => {
		for (let n = 0; !isOver && socket.readyState === socket.OPEN && (atOnce === 0 || n < atOnce); n++) {
			socket.send(frames[n % frames.length]!);
			sent++;
			while (!isOver && atOnce === 0 && socket.bufferedAmount > 4_000_000) await sleep(1);
		}
	};
	server.stream.onSubscribe = ({socket, id, view}) => void flood(socket, fullStates(id, view));
	try {
		const args = [CLI, '--base-url', server.url, '--api-key', 'k'];
		await withPty({columns: 160, rows: 45, args}, async pty => {
			await pty.waitFor('NEW99');
			for (let i = 0; i < 10; i++) {
				await sleep(atOnce === 0 ? 1000 : 200);
				pty.type('?');
				await pty.waitFor('BONDED');
				pty.type('?');
			}
			expect(sent).toBeGreaterThan(100);
			expect(highWaterMb(pty.pid)).toBeLessThan(MAX_MB);
			pty.type('q');
			expect((await pty.exit).code).toBe(0);
		});
	} finally {
		isOver = true;
		await server.stop();
	}
});
