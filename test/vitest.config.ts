import {availableParallelism} from 'node:os';
import {defineConfig} from 'vitest/config';
import {HELD_ROOMS} from '../source/tools/room-coverage.ts';
import {PATIENCE_MS} from './helpers/patience.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const STORIES = 'test/e2e/**/*.test.{ts,tsx}';
/** Stories of commands: what they print counts, not when. */
const COMMAND_STORIES = ['test/e2e/cli-*.test.ts', 'test/e2e/wallet.test.ts'];
/** Tests wait for programs, chains and timers for two fifths of their time: half as many again as there are cores. */
const WORKERS = Math.max(2, Math.ceil(availableParallelism() * 1.5));
/** Stories start the built program. */
const globalSetup = ['test/helpers/build-first.ts'];

const shared = {
	root: ROOT,
	// Frames are compared with colour on: the level must be fixed before chalk is first imported.
	env: {FORCE_COLOR: '3'},
	// Whoever waits says how long himself; this only ends what hangs, on the slowest of machines too.
	testTimeout: 4 * PATIENCE_MS,
	hookTimeout: 4 * PATIENCE_MS,
	expect: {poll: {timeout: PATIENCE_MS, interval: 20}},
};

export default defineConfig({
	test: {
		root: ROOT,
		projects: [
			{
				test: {
					...shared,
					name: 'parts',
					include: ['test/**/*.test.{ts,tsx}'],
					exclude: [STORIES],
					maxWorkers: WORKERS,
					sequence: {groupOrder: 0},
				},
			},
			{
				test: {
					...shared,
					name: 'commands',
					include: COMMAND_STORIES,
					globalSetup,
					maxWorkers: WORKERS,
					sequence: {groupOrder: 1},
				},
			},
			{
				test: {
					...shared,
					name: 'whole',
					include: [STORIES],
					exclude: COMMAND_STORIES,
					globalSetup,
					// They wait for what a person would see: last of all, and few at a time.
					maxWorkers: Math.min(WORKERS, 3),
					sequence: {groupOrder: 2},
				},
			},
		],
		coverage: {
			provider: 'v8',
			include: ['source/**/*.{ts,tsx}'],
			exclude: ['source/tools/**', '**/*.generated.ts'],
			// Of lines, by percent; code that runs in a worker or in another process is not counted.
			thresholds: Object.fromEntries(HELD_ROOMS.map(room => [`source/${room}/**`, {lines: 90}])),
		},
	},
});
