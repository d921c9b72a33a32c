import {spawn} from 'node:child_process';
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {chmod, mkdtemp, readFile, rm} from 'node:fs/promises';
import {constants, tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {clockEnvironment, clockTests, TEST_CLOCKS} from '../../test/clocks.ts';
import {SUITE, type Suite} from '../../test/suites.ts';
import {bundle, ROOT} from './bundle.ts';
import {endProcesses} from './end-processes.ts';
import {COUNTED_PROJECTS, HELD_ROOMS, roomTable} from './room-coverage.ts';
import {type Failure, lastLines, REPORT_FILE, type RunReport} from './run-report.ts';
import {type TestRunOptions, testRunOptions} from './test-run-options.ts';
import {UnknownTests} from './test-targets.ts';

/*
 * `npm test`: the build, the types, the lint rules, the search for dead code and the main tests (test/suites.ts), whatever fails before.
 * `npm run test:rest` (`--rest`): the other tests, the lines that units and parts run, and what a clock can change on other days (test/clocks.ts).
 * `--all`: all of that, each test once. `npm test -- unit` (folders, files, names: test-targets.ts) runs those tests and nothing else; what they need built is
 * built by them (test/helpers/build-first.ts).
 * The last lines name what failed, then `N passed, N failed`; the exit code is 1 when anything failed, 2 when a name is not known.
 */

/** All that a run writes; the temporary directory of everything that it starts. A short name: sockets lie in it. */
const directory = await mkdtemp(join(tmpdir(), 'ptest-'));
// Servers of the tests run as another user where we are root, and have their data below.
await chmod(directory, 0o711);
const children = new Set<number>();

/** Where the seed of the last run that failed is kept, so that `npm test -- FILE` repeats it. */
const SEED_FILE = join(ROOT, 'node_modules/.cache/pulsetop/failed-seed');

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		endProcesses([...children], directory);
		rmSync(directory, {recursive: true, force: true, maxRetries: 10});
		process.exit(128 + constants.signals[signal]);
	});
}

/**
 * Runs a program of node_modules/.bin, and gives its exit code.
 * @param more added to our environment
 * @param isQuiet its output is printed at its end, in one piece, and only when it failed
 */
async function run(
	program: string,
	args: readonly string[],
	more: Readonly<Record<string, string>> = {},
	isQuiet = false,
): Promise<number> {
	const path = `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}`;
	// A group of its own: an interrupt from the keyboard comes to us alone, and we end all that belongs to the run.
	const child = spawn(program, args, {
		cwd: ROOT,
		detached: true,
		stdio: ['ignore', isQuiet ? 'pipe' : 'inherit', isQuiet ? 'pipe' : 'inherit'],
		env: {...process.env, PATH: path, TMPDIR: directory, ...more},
	});
	const output: Buffer[] = [];
	for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => output.push(chunk));
	const code = await new Promise<number>((resolve, reject) => {
		child.on('error', reject);
		child.on('close', code => resolve(code ?? 1));
		if (child.pid !== undefined) children.add(child.pid);
	});
	children.delete(child.pid!);
	if (isQuiet && code !== 0) process.stdout.write(Buffer.concat(output));
	return code;
}

async function step(name: string, work: () => Promise<number>): Promise<RunReport> {
	const startedAt = performance.now();
	const code = await work().catch(error => {
		console.error(error instanceof Error ? error.message : error);
		return 1;
	});
	console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
	return code === 0 ? {passed: 1, failures: []} : {passed: 0, failures: [{name, why: ''}]};
}

interface TestsOptions {
	/** Which of the two lists of test/suites.ts; both when omitted. */
	readonly suite?: Suite;
	/** A name of TEST_CLOCKS; today when omitted. */
	readonly clock?: string | undefined;
	/** Whether the lines that the tests run are counted, and held to their share. */
	readonly countsLines?: boolean;
}

/**
 * Runs tests. A run that ends with a fault though every test passed is one failure.
 * @param args of vitest: files, flags
 */
async function tests(args: readonly string[], seed: number, options: TestsOptions = {}): Promise<RunReport> {
	const {suite, clock, countsLines = false} = options;
	const day = clock === undefined ? undefined : TEST_CLOCKS[clock];
	if (day) console.log(`On another day: ${clock}, ${day.startsAt} in ${day.timeZone}, ${day.locale}`);
	const file = join(directory, 'report.json');
	const coverage = join(directory, 'coverage');
	const onDay = (failure: Failure): Failure => ({...failure, ...(clock !== undefined && {clock})});
	try {
		const reporters = ['--reporter=default', '--reporter=./source/tools/run-report.ts'];
		const counting = countsLines ? coverageInto(coverage) : [];
		const code = await run('vitest', ['run', '-c', 'test/vitest.config.ts', ...reporters, ...counting, ...args], {
			[REPORT_FILE]: file,
			PULSETOP_TEST_SEED: String(seed),
			...(suite && {[SUITE]: suite}),
			...(day && clockEnvironment(day, ROOT)),
			// Hundreds of programs and workers load the same code. Lines of code from a cache are counted less exactly.
			...(!countsLines && {NODE_COMPILE_CACHE: join(directory, 'code')}),
		});
		if (countsLines) console.log(await roomTable(join(coverage, 'coverage-summary.json')));
		const {passed, failures}: RunReport = JSON.parse(await readFile(file, 'utf8'));
		if (code === 0 || failures.length > 0) return {passed, failures: failures.map(onDay)};
		const why = `ended with ${code}, though every test passed: see its output`;
		return {passed, failures: [onDay({name: 'vitest', why})]};
	} catch (error) {
		return {passed: 0, failures: [onDay({name: 'vitest', why: `left no report: ${(error as Error).message}`})]};
	} finally {
		await rm(file, {force: true});
	}
}

function coverageInto(target: string): string[] {
	return [
		'--coverage',
		'--coverage.reporter=json-summary',
		'--coverage.reportOnFailure',
		`--coverage.reportsDirectory=${target}`,
		...HELD_ROOMS.map(room => `--coverage.include=source/${room}/**/*.ts`),
	];
}

/** The build, then the types, the lint rules and what nothing uses, at once: what comes before all tests. */
async function checks(): Promise<RunReport[]> {
	const check = (name: string, program: string, ...args: string[]) => step(name, () => run(program, args, {}, true));
	return [
		await step('build', async () => (await bundle()) && 0),
		...(await Promise.all([
			check('types', 'tsc', '-p', '.'),
			check('lint', 'biome', 'check', '--max-diagnostics=50'),
			check('dead code', 'knip', '-c', 'source/tools/knip.jsonc', '--no-progress'),
		])),
	];
}

/**
 * What `npm test` leaves out.
 * @param suite the list that the other tests are of; both when omitted: then every test of both lists has run once
 */
async function rest(seed: number, suite?: Suite): Promise<RunReport[]> {
	const counted = COUNTED_PROJECTS.map(name => `--project=${name}`);
	const others = COUNTED_PROJECTS.map(name => `--project=!${name}`);
	const reports = [
		// Units and parts of both lists: the lines that all of them run are counted.
		await tests(counted, seed, {countsLines: true}),
		await tests(others, seed, suite && {suite}),
	];
	for (const [clock, day] of Object.entries(TEST_CLOCKS)) reports.push(await tests(clockTests(day), seed, {clock}));
	return reports;
}

async function runAll({paths, flags, clock, part}: TestRunOptions, seed: number): Promise<RunReport[]> {
	const chosen = [...paths, ...flags];
	if (chosen.length > 0 || clock !== undefined) return [await tests(chosen, seed, {clock})];
	if (part === 'rest') return rest(seed, 'rest');
	const checked = await checks();
	return [...checked, ...(part === 'all' ? await rest(seed) : [await tests([], seed, {suite: 'main'})])];
}

/** The seed of the last run that failed; undefined when none did. */
function failedSeed(): number | undefined {
	try {
		return Number(readFileSync(SEED_FILE, 'utf8'));
	} catch {
		return undefined;
	}
}

try {
	const options = testRunOptions(process.argv.slice(2), ROOT);
	const isChosen = options.paths.length > 0;
	const seed = options.seed ?? (isChosen ? failedSeed() : undefined) ?? Math.floor(Math.random() * 2 ** 31);
	const reports = await runAll(options, seed);
	const hasFailed = reports.some(({failures}) => failures.length > 0);
	mkdirSync(dirname(SEED_FILE), {recursive: true});
	if (hasFailed) writeFileSync(SEED_FILE, String(seed));
	else if (!isChosen) rmSync(SEED_FILE, {force: true});
	console.log(lastLines(reports, seed));
	process.exitCode = hasFailed ? 1 : 0;
} catch (error) {
	if (!(error instanceof UnknownTests)) throw error;
	console.error(error.message);
	process.exitCode = 2;
} finally {
	// A program that outlived its test would go on writing.
	endProcesses([], directory);
	await rm(directory, {recursive: true, force: true, maxRetries: 10});
}
