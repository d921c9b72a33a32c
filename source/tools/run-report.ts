import {writeFileSync} from 'node:fs';
import type {Reporter, TestModule} from 'vitest/node';

/** A test, a file or a step of a run that failed. */
export interface Failure {
	/** A test as `PROJECT FILE > TITLE`. */
	readonly name: string;
	/** First line of its error; empty without one. */
	readonly why: string;
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

/** The last lines of a run: what failed, so that a log which was cut still names it, and the count. */
export function lastLines(reports: readonly RunReport[]): string {
	const passed = reports.reduce((sum, report) => sum + report.passed, 0);
	const failures = reports.flatMap(report => report.failures);
	const named = failures.map(({name, why, clock}) =>
		[`FAIL ${clock === undefined ? '' : `on ${clock}: `}${name}`, ...(why === '' ? [] : [`     ${why}`])].join('\n'),
	);
	return [...named, `${passed} passed, ${failures.length} failed`].join('\n');
}

interface Problem {
	readonly message?: string;
}

function failuresOf(module: TestModule): readonly Failure[] {
	const file = `${module.project.name} ${module.relativeModuleId}`;
	const suites = [...module.children.allSuites()];
	const tests = [...module.children.allTests('failed')];
	return [
		...failure(file, module.errors()),
		...suites.flatMap(suite => failure(`${file} > ${suite.fullName}`, suite.errors())),
		...tests.flatMap(test => failure(`${file} > ${test.fullName}`, test.result().errors ?? [{}])),
	];
}

/** One failure, however many errors it has; none without an error. */
function failure(name: string, [error]: readonly Problem[]): readonly Failure[] {
	return error === undefined ? [] : [{name, why: (error.message ?? '').split('\n', 1)[0]!}];
}

/**
 * The reporter of vitest that writes a {@link RunReport} as JSON. A file that breaks outside its tests is one failure, and so is a group of tests, and
 * an error that belongs to no file.
 */
// biome-ignore lint/style/noDefaultExport: vitest takes a reporter from the default export of its file
export default class RunReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Problem[]): void {
		const report: RunReport = {
			passed: modules.reduce((sum, module) => sum + [...module.children.allTests('passed')].length, 0),
			failures: [...modules.flatMap(failuresOf), ...unhandled.flatMap(error => failure('outside the tests', [error]))],
		};
		writeFileSync(process.env[REPORT_FILE]!, JSON.stringify(report));
	}
}
