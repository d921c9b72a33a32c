import {writeFileSync} from 'node:fs';
import {loadavg} from 'node:os';
import type {Reporter, TestCase, TestModule} from 'vitest/node';

/** A test, a file or a step of a run that failed. */
export interface Failure {
	/** A test as `PROJECT FILE > TITLE`. */
	readonly name: string;
	/** First line of its error, with the reason where the error has one; empty without an error. */
	readonly why: string;
	/** The file of the tests, from the project's root; omitted for a step. */
	readonly file?: string;
	/** Processes that wanted a core when it failed, as `uptime` counts them over the last minute. */
	readonly load?: number;
	/** The name in test/clocks.ts of the day on which it failed; today when omitted. */
	readonly clock?: string;
}

/** How a run, or a part of it, went. */
export interface RunReport {
	readonly passed: number;
	readonly failures: readonly Failure[];
}

/** The environment variable that names the file which the reporter below writes. */
export const REPORT_FILE = 'PULSETOP_TEST_REPORT';

/**
 * The last lines of a run: each failure, the load and the command that repeats the test, so that the end of a log is enough; then
 * the count.
 * @param seed of the properties of the run
 */
export function lastLines(reports: readonly RunReport[], seed: number): string {
	const passed = reports.reduce((sum, report) => sum + report.passed, 0);
	const failures = reports.flatMap(report => report.failures);
	return [...failures.map(failure => failureLines(failure, seed)), `${passed} passed, ${failures.length} failed`].join(
		'\n',
	);
}

function failureLines({name, why, file, load, clock}: Failure, seed: number): string {
	const day = clock === undefined ? '' : `--clock ${clock} `;
	return [
		`FAIL ${clock === undefined ? '' : `on ${clock}: `}${name}`,
		...(why === '' ? [] : [`     ${why}`]),
		...(load === undefined ? [] : [`     at a load of ${load.toFixed(1)}`]),
		...(file === undefined ? [] : [`     again: npm test -- ${day}--seed ${seed} ${file}`]),
	].join('\n');
}

interface Problem {
	readonly message?: string;
	/** The reason of a PulsetopError; anything of another error. */
	readonly why?: unknown;
}

/** One failure, however many errors it has; none without an error. */
function failure(name: string, [error]: readonly Problem[], more: Partial<Failure> = {}): readonly Failure[] {
	if (error === undefined) return [];
	const reason = typeof error.why === 'string' ? [error.why] : [];
	const why = [error.message ?? '', ...reason].map(text => text.split('\n', 1)[0]!).join(': ');
	return [{name, why, ...more}];
}

/**
 * The reporter of vitest that writes a {@link RunReport} as JSON. A file that breaks outside its tests is one failure, and so is a group of tests, and
 * an error that belongs to no file.
 */
// biome-ignore lint/style/noDefaultExport: vitest takes a reporter from the default export of its file
export default class RunReporter implements Reporter {
	/** The load of the machine when a test failed, by the test's id. */
	readonly #loads = new Map<string, number>();

	onTestCaseResult(test: TestCase): void {
		if (test.result().state === 'failed') this.#loads.set(test.id, loadavg()[0]!);
	}

	onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Problem[]): void {
		const report: RunReport = {
			passed: modules.reduce((sum, module) => sum + [...module.children.allTests('passed')].length, 0),
			failures: [
				...modules.flatMap(module => this.#failuresOf(module)),
				...unhandled.flatMap(error => failure('outside the tests', [error])),
			],
		};
		writeFileSync(process.env[REPORT_FILE]!, JSON.stringify(report));
	}

	#failuresOf(module: TestModule): readonly Failure[] {
		const file = module.relativeModuleId;
		const name = `${module.project.name} ${file}`;
		const load = loadavg()[0]!;
		const suites = [...module.children.allSuites()];
		const tests = [...module.children.allTests('failed')];
		return [
			...failure(name, module.errors(), {file, load}),
			...suites.flatMap(suite => failure(`${name} > ${suite.fullName}`, suite.errors(), {file, load})),
			...tests.flatMap(test =>
				failure(`${name} > ${test.fullName}`, test.result().errors ?? [{}], {
					file,
					load: this.#loads.get(test.id) ?? load,
				}),
			),
		];
	}
}
