import {spawnSync} from 'node:child_process';
import {
	copyFileSync,
	existsSync,
	globSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join, relative} from 'node:path';
import {parseArgs} from 'node:util';
import {type Operator, withSwitches} from './mutants/operators.ts';

/*
 * Do the tests notice a wrong operator? In a worktree every operator gets a switch; then operators chosen at random are changed one
 * at a time: `node test/changed-operators.ts --count 40 --seed 7`, or all of them with `--all`. A change that no test notices is a
 * limit without a test, or one that changes nothing. In three steps, each with the changes that are left:
 * 1. Every test that runs in a process with the source, once more for each operator that it runs.
 * 2. The tests that import the file, with the operator changed from their start. Not with `--all`.
 * 3. The stories of the command line, with the operator changed in the built program. Not with `--all`.
 */

const {values} = parseArgs({
	options: {
		count: {type: 'string', default: '40'},
		seed: {type: 'string', default: '1'},
		/** Every operator, by the first step alone. */
		all: {type: 'boolean', default: false},
		/** Rooms, by folder. */
		rooms: {type: 'string', default: 'trading,service/market,monitor,commands'},
		/** For the first step, only the tests with this in their path, and more time for each. */
		tests: {type: 'string', default: ''},
	},
});

const ROOT = new URL('..', import.meta.url).pathname;
/** Longest time for the tests of one change, ms. A program that no longer ends is a change that was noticed. */
const LIMIT_MS = 300_000;
const QUICK = ['unit', 'mocked', 'parts', 'market'];
/** These need databases and chains. */
const SLOW = [...QUICK, 'apart'];
const STORIES = ['cli', 'ends', 'hangup', 'plain', 'reload', 'replay', 'ssh', 'trade', 'wallet', 'watch'].map(
	name => `test/e2e/${name}`,
);
/** Stories that are tried for one change, the quickest first: a minute each. */
const MAX_STORIES = 4;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function* randomNumbers(seed: number): Generator<number, never> {
	let state = seed;
	for (;;) {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}

function run(
	command: string,
	args: readonly string[],
	cwd: string,
	env: Readonly<Record<string, string>> = {},
	timeout = LIMIT_MS,
): number | null {
	return spawnSync(command, args, {cwd, stdio: 'ignore', timeout, killSignal: 'SIGKILL', env: {...process.env, ...env}})
		.status;
}

const worktree = mkdtempSync(join(tmpdir(), 'pulsetop-operators-'));
// However it ends: `git worktree` remembers a directory that is gone.
process.on('exit', () => {
	run('git', ['worktree', 'remove', '--force', worktree], ROOT);
	rmSync(worktree, {recursive: true, force: true});
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
run('git', ['worktree', 'add', '--detach', '--force', worktree, 'HEAD'], ROOT);
symlinkSync(join(ROOT, 'node_modules'), join(worktree, 'node_modules'));

/** Lists the operators of the rooms, and puts those that are wanted behind a switch. */
function addSwitches(isWanted: (id: number) => boolean): readonly Operator[] {
	const files = values.rooms
		.split(',')
		.flatMap(room => globSync(`source/${room}/**/*.ts`, {cwd: worktree}))
		.filter(file => !/\.generated\.|schemas?\.ts$/.test(file))
		.toSorted();
	const all: Operator[] = [];
	for (const file of files) {
		const path = join(worktree, file);
		const switches = relative(dirname(file), 'source/switches.ts');
		const {source, operators} = withSwitches(file, readFileSync(path, 'utf8'), {
			firstId: all.length + 1,
			isWanted,
			switches,
		});
		writeFileSync(path, source);
		all.push(...operators);
	}
	copyFileSync(join(ROOT, 'test/mutants/switches.ts'), join(worktree, 'source/switches.ts'));
	return all;
}

/** @returns whether all passed */
function runTests(
	args: readonly string[],
	projects: readonly string[],
	env: Readonly<Record<string, string>>,
	timeout?: number,
): boolean {
	const vitest = join(worktree, 'node_modules/vitest/vitest.mjs');
	const chosen = projects.flatMap(name => ['--project', name]);
	return (
		run(
			process.execPath,
			[vitest, ...args, '--run', '-c', 'test/mutants/vitest.config.ts', ...chosen],
			worktree,
			env,
			timeout,
		) === 0
	);
}

/** The numbers that a file has, one on each line. */
function numbersIn(path: string): ReadonlySet<number> {
	return new Set(existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean).map(Number) : []);
}

const operators = addSwitches(() => false);
const random = randomNumbers(Number(values.seed));
const chosen = values.all
	? operators
	: Array.from({length: Number(values.count)}, () => operators[Math.floor(random.next().value * operators.length)]!);
print(`${operators.length} operators; ${chosen.length} are changed${values.all ? '' : `, seed ${values.seed}`}`);

const wanted = new Set(chosen.map(({id}) => id));
addSwitches(id => wanted.has(id));

const noticedFile = join(worktree, 'noticed.txt');
const ids = [...wanted].join(',');
runTests(
	values.tests === '' ? [] : [values.tests],
	values.tests === '' ? QUICK : SLOW,
	{
		PULSETOP_TEST_OPERATORS: ids,
		PULSETOP_TEST_NOTICED: noticedFile,
		...(values.tests !== '' && {PULSETOP_TEST_BUDGET_MS: '60000'}),
	},
	60 * 60_000,
);
const noticed = new Set(numbersIn(noticedFile));
const left = () => chosen.filter(({id}) => !noticed.has(id));
print(`${chosen.length - left().length} were noticed by tests that ran again`);

/** Runs the tests that import the files of the changes that are left. */
function tryImporters(): void {
	// Else every change would count as noticed.
	if (!runTests(['related', ...left().map(({file}) => file)], SLOW, {}, 60 * 60_000))
		throw new Error('A test fails without a change.');
	for (const {id, file} of left())
		if (!runTests(['related', file, '--bail', '1'], SLOW, {PULSETOP_TEST_OPERATOR: String(id)})) noticed.add(id);
	print(`${chosen.length - left().length} with tests that import the file`);
}

/** Runs stories of the built program that reach the changes that are left. */
function tryStories(): void {
	run('npm', ['run', '-s', 'build'], worktree);
	const stories = globSync(
		STORIES.map(name => `${name}*.test.ts`),
		{cwd: worktree},
	).map(story => {
		const ranFile = join(worktree, `${basename(story)}.ran`);
		const beganMs = performance.now();
		const hasPassed = runTests([story], ['stories'], {PULSETOP_TEST_OPERATORS_RAN: ranFile});
		return {story, ran: hasPassed ? numbersIn(ranFile) : new Set<number>(), tookMs: performance.now() - beganMs};
	});
	const quickest = stories.toSorted((a, b) => a.tookMs - b.tookMs);
	for (const {id} of left()) {
		const own = quickest.filter(({ran}) => ran.has(id)).slice(0, MAX_STORIES);
		const changed = {PULSETOP_TEST_OPERATOR: String(id)};
		if (own.some(({story}) => !runTests([story, '--bail', '1'], ['stories'], changed))) noticed.add(id);
	}
}

for (const step of values.all ? [] : [tryImporters, tryStories]) if (left().length > 0) step();
for (const {id, file, line, column, from} of values.all ? left() : chosen)
	print(`${noticed.has(id) ? 'noticed' : 'MISSED '}  ${file}:${line}:${column}  ${from}`);
print(`${chosen.length - left().length} of ${chosen.length} were noticed`);
