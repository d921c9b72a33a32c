import {availableParallelism} from 'node:os';
import {defineConfig} from 'vitest/config';
import {HELD_ROOMS, MIN_LINES} from '../source/tools/room-coverage.ts';
import {PATIENCE_MS} from './helpers/patience.ts';
import {REST, SUITE, type Suite} from './suites.ts';
import {filesOf, testFiles} from './test-files.ts';

const ROOT = new URL('..', import.meta.url).pathname;
/** The files of this run. */
const chosen = testFiles(process.env[SUITE] as Suite | undefined);
/** Those that belong to a project: the first one that names them. */
const projects: Readonly<Record<string, readonly string[]>> = {
	/**
	 * These replace a module or the clock: with shared modules, what another file has loaded keeps the real module, and timers that
	 * it left behind run on the clock that is not real.
	 */
	mocked: [
		'test/unit/{trading/flow,terminal/pacer,monitor/polling,monitor/rewind/history,ui/warm-up}.test.ts',
		'test/ui/{prediction,money-frames}.test.tsx',
		'test/docs/client-example.test.ts',
		'test/live/clock-set-back.test.ts',
		'test/service/replay/replay.test.ts',
		'test/service/webhook/target-guard.test.ts',
	],
	/** Pure functions, and screens drawn in memory: nothing in these files leaves a global changed, so they share modules, which halves their time. */
	unit: ['test/unit/**/*.test.{ts,tsx}', 'test/ui/**/*.test.{ts,tsx}'],
	/** A whole simulated market computes four times as long while its lines are counted, and what these files run others run too. */
	market: [
		'test/service/market/{clock-jump,create-market,simulator,outside}.test.ts',
		'test/service/webhook/delivery-id.test.ts',
		'test/contract/**/*.test.ts',
		'test/client/http/health.test.ts',
		'test/live/history-alerts.test.ts',
		// Its programs are processes of their own; only the choice of its launches computes a market here.
		'test/service/kill/*.test.ts',
	],
	/** These start the built program. */
	stories: ['test/e2e/**/*.test.{ts,tsx}'],
	/** Databases, chains, processes that are killed: no file shares modules with another. */
	apart: REST,
	/** Rooms of the program together, with shared modules. */
	parts: ['test/**/*.test.{ts,tsx}'],
};
/** Parts wait for chains, databases and timers for half of their time. */
const PART_WORKERS = 2 * availableParallelism();
/** Whole programs and markets compute for most of theirs. */
const WORKERS = Math.max(2, Math.ceil(availableParallelism() * 1.5));
// React as it ships: its development build takes two fifths of the time of all screens.
process.env['NODE_ENV'] = 'production';
/** The output of ink-testing-library has no rows: Ink would start tput twice for each frame to find them out. */
const SIZE = {COLUMNS: '100', LINES: '100'};
const shared = {
	root: ROOT,
	maxWorkers: WORKERS,
	// Frames are compared with colour on: the level must be fixed before chalk is first imported.
	env: {FORCE_COLOR: '3'},
	// Each wait has its own limit; this only ends what hangs, on the slowest of machines too.
	testTimeout: 4 * PATIENCE_MS,
	hookTimeout: 4 * PATIENCE_MS,
	expect: {poll: {timeout: PATIENCE_MS, interval: 20}},
};

/** Projects that run at once have the same number of workers. */
const first = {maxWorkers: PART_WORKERS, sequence: {groupOrder: 0}};

/** A project with those of its files that are chosen. */
function project(name: string, more: object) {
	const names = Object.keys(projects);
	const earlier = filesOf(names.slice(0, names.indexOf(name)).flatMap(other => projects[other]!));
	const include = filesOf(projects[name]!).filter(file => chosen.has(file) && !earlier.includes(file));
	return {test: {...shared, name, include, ...more}};
}

export default defineConfig({
	test: {
		root: ROOT,
		projects: [
			project('unit', {env: {...shared.env, ...SIZE}, isolate: false, ...first}),
			project('parts', {isolate: false, ...first}),
			project('apart', first),
			project('mocked', first),
			// One group: the last files of one project do not leave a core idle.
			project('market', {sequence: {groupOrder: 1}}),
			project('stories', {globalSetup: ['test/helpers/build-first.ts'], sequence: {groupOrder: 1}}),
		],
		coverage: {
			provider: 'v8',
			include: ['source/**/*.{ts,tsx}'],
			exclude: ['source/tools/**', '**/*.generated.ts'],
			// Of lines, by percent; code that runs in a worker or in another process is not counted.
			thresholds: Object.fromEntries(HELD_ROOMS.map(room => [`source/${room}/**`, {lines: MIN_LINES[room]}])),
		},
	},
});
