import {defineConfig} from 'vitest/config';
import {HELD_ROOMS} from '../source/tools/room-coverage.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const TERMINAL_STORIES = 'test/e2e/**/*.test.{ts,tsx}';

const shared = {
	root: ROOT,
	// Frames are compared with colour on: the level must be fixed before chalk is first imported.
	env: {FORCE_COLOR: '3'},
	testTimeout: 20_000,
	hookTimeout: 30_000,
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
					exclude: [TERMINAL_STORIES],
					sequence: {groupOrder: 0},
				},
			},
			{
				test: {
					...shared,
					name: 'whole',
					include: [TERMINAL_STORIES],
					// They start the built program, and wait for what a person would see: one after another, last of all.
					globalSetup: ['test/helpers/build-first.ts'],
					fileParallelism: false,
					sequence: {groupOrder: 1},
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
