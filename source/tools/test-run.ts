import {spawn} from 'node:child_process';
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {clockEnvironment, clockTests, TEST_CLOCKS} from '../../test/clocks.ts';
import {bundle, ROOT} from './bundle.ts';
import {COUNTED_PROJECTS, HELD_ROOMS, roomTable} from './room-coverage.ts';
import {lastLines, REPORT_FILE, type RunReport} from './run-report.ts';
import {testTargets, UnknownTests} from './test-targets.ts';

/*
 * `npm test`: the build, the types, the lint rules, the search for dead code and every test, in that order, whatever fails before. The lines that the
 * tests have run are counted, and what a clock can change runs on other days as well (test/clocks.ts).
 * `npm test -- unit` (folders, files, names: test-targets.ts) runs those tests and nothing else; what they need built is
 * built by them (test/helpers/build-first.ts). `--clock NAME` before the names runs on one of the other days alone.
 * The last lines name what failed, then `N passed, N failed`; the exit code is 1 when anything failed, 2 when a name is not known.
 */

const environment = {...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}`};

/** Runs a program of node_modules/.bin with our output, and gives its exit code. */
function run(program: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<number> {
	return new Promise((resolve, reject) => {
		const env = {...environment, ...more};
		const child = spawn(program, args, {cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], env});
		child.on('error', reject);
		child.on('exit', code => resolve(code ?? 1));
	});
}

async function step(name: string, work: () => Promise<number>): Promise<RunReport> {
	const startedAt = Date.now();
	const code = await work().catch(error => {
		console.error(error instanceof Error ? error.message : error);
		return 1;
	});
	console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
	return code === 0 ? {passed: 1, failures: []} : {passed: 0, failures: [{name, why: ''}]};
}

/**
 * Runs tests. A run that ends with a fault though every test passed is one failure.
 * @param args of vitest: files, flags
 * @param clock a name of TEST_CLOCKS; today when omitted
 * @param countsLines whether the lines that the tests run are counted, and held to their share
 */
async function tests(
	args: readonly string[],
	{clock, countsLines = false}: {readonly clock?: string | undefined; readonly countsLines?: boolean} = {},
): Promise<RunReport> {
	const day = clock === undefined ? undefined : TEST_CLOCKS[clock];
	if (day) console.log(`On another day: ${clock}, ${day.startsAt} in ${day.timeZone}, ${day.locale}`);
	const directory = await mkdtemp(join(tmpdir(), 'pulsetop-test-'));
	const file = join(directory, 'report.json');
	const failed = (why: string) => ({name: 'vitest', why, ...(clock !== undefined && {clock})});
	try {
		const reporters = ['--reporter=default', '--reporter=./source/tools/run-report.ts'];
		const coverage = countsLines ? coverageInto(join(directory, 'coverage')) : [];
		const all = ['run', '-c', 'test/vitest.config.ts', ...reporters, ...coverage, ...args];
		const code = await run('vitest', all, {
			[REPORT_FILE]: file,
			...(day && clockEnvironment(day, ROOT)),
			// Hundreds of programs and workers load the same code. Lines of code from a cache are counted less exactly.
			...(!countsLines && {NODE_COMPILE_CACHE: join(directory, 'code')}),
		});
		if (countsLines) console.log(await roomTable(join(directory, 'coverage/coverage-summary.json')));
		const {passed, failures}: RunReport = JSON.parse(await readFile(file, 'utf8'));
		if (code !== 0 && failures.length === 0) {
			return {passed, failures: [failed(`ended with ${code}, though every test passed: see its output`)]};
		}
		return {passed, failures: failures.map(failure => ({...failure, ...(clock !== undefined && {clock})}))};
	} catch (error) {
		return {passed: 0, failures: [failed(`left no report: ${(error as Error).message}`)]};
	} finally {
		// A program that outlived its test may just be writing what it compiled.
		await rm(directory, {recursive: true, force: true, maxRetries: 10});
	}
}

function coverageInto(directory: string): string[] {
	return [
		'--coverage',
		'--coverage.reporter=json-summary',
		'--coverage.reportOnFailure',
		`--coverage.reportsDirectory=${directory}`,
		...HELD_ROOMS.map(room => `--coverage.include=source/${room}/**/*.ts`),
	];
}

/** The build, the types, the lint rules and what nothing uses: what comes before all tests. */
async function checks(): Promise<RunReport[]> {
	return [
		await step('build', async () => (await bundle()) && 0),
		await step('types', () => run('tsc', ['-p', '.'])),
		await step('lint', () => run('biome', ['check', '--max-diagnostics=50'])),
		await step('dead code', () => run('knip', ['-c', 'source/tools/knip.jsonc', '--no-progress'])),
	];
}

/** @throws UnknownTests when a clock or a name is not known */
async function runAll(args: readonly string[]): Promise<RunReport[]> {
	const clock = args[0] === '--clock' ? args[1] : undefined;
	if (args[0] === '--clock' && !(clock !== undefined && clock in TEST_CLOCKS)) {
		throw new UnknownTests(`--clock is one of ${Object.keys(TEST_CLOCKS).join(', ')}`);
	}
	const {paths, flags} = testTargets(clock === undefined ? args : args.slice(2), ROOT);
	const chosen = [...paths, ...flags];
	if (paths.length > 0) return [await tests(chosen, {clock})];
	const reports = await checks();
	if (chosen.length > 0 || clock !== undefined) return [...reports, await tests(chosen, {clock})];
	const counted = COUNTED_PROJECTS.map(name => `--project=${name}`);
	const others = COUNTED_PROJECTS.map(name => `--project=!${name}`);
	reports.push(await tests(counted, {countsLines: true}), await tests(others));
	for (const [name, day] of Object.entries(TEST_CLOCKS)) reports.push(await tests(clockTests(day), {clock: name}));
	return reports;
}

try {
	const reports = await runAll(process.argv.slice(2));
	console.log(lastLines(reports));
	process.exitCode = reports.some(({failures}) => failures.length > 0) ? 1 : 0;
} catch (error) {
	if (!(error instanceof UnknownTests)) throw error;
	console.error(error.message);
	process.exitCode = 2;
}
