import {setTimeout as pause} from 'node:timers/promises';
import type {Stage} from './replica-stage.ts';

const EVERY_MS = 5000;

/** A random replica is killed at an even pace; each is started again at once. */
export const killStage =
	(seconds: number): Stage =>
	async ({set, alive, random}) => {
		const untilMs = performance.now() + seconds * 1000;
		let kills = 0;
		for (;;) {
			const nextMs = performance.now() + EVERY_MS;
			if (nextMs > untilMs) break;
			const n = [...alive][Math.floor(random() * alive.size)]!;
			alive.delete(n);
			await set.end(n, 'SIGKILL');
			kills++;
			await set.start(n);
			alive.add(n);
			await pause(Math.max(0, nextMs - performance.now()));
		}
		return [`${kills} kills in ${seconds} s`];
	};
