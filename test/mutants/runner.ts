import {appendFileSync, existsSync, readFileSync} from 'node:fs';
import type {RunnerTestCase, RunnerTestSuite} from 'vitest';
import {TestRunner} from 'vitest';
import {type changes as Changes, idsOf, MAX_OPERATORS} from './switches.ts';

/*
 * Runs each test as it is, then once more for each operator of interest that ran in it, with that operator changed. A test that
 * fails then has noticed the change.
 */

const {PULSETOP_TEST_OPERATORS = '', PULSETOP_TEST_NOTICED = '', PULSETOP_TEST_BUDGET_MS = '4000'} = process.env;
/** Longest time for the changes of one test. */
const BUDGET_MS = Number(PULSETOP_TEST_BUDGET_MS);
/** A test that runs more operators than this while one is changed counts as endless. */
const MAX_OPERATORS_RUN = 2e6;
/** Tests that replace the clock do not stop these. */
const nowMs = performance.now.bind(performance);
const {setTimeout, clearTimeout} = globalThis;
const wanted = new Set(PULSETOP_TEST_OPERATORS.split(',').map(Number));

function noticed(): ReadonlySet<number> {
	return new Set(
		existsSync(PULSETOP_TEST_NOTICED) ? readFileSync(PULSETOP_TEST_NOTICED, 'utf8').split('\n').map(Number) : [],
	);
}

/** Whether the work fails, or takes much longer than before. */
async function fails(work: () => Promise<void>, limitMs: number): Promise<boolean> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<boolean>(resolve => {
		timer = setTimeout(resolve, limitMs, true);
	});
	const failed = work().then(
		() => false,
		() => true,
	);
	return Promise.race([failed, late]).finally(() => clearTimeout(timer));
}

// biome-ignore lint/style/noDefaultExport: the form of a runner
export default class extends TestRunner {
	async runTask(test: RunnerTestCase): Promise<void> {
		const body = TestRunner.getTestFn(test);
		const {changedOperators: changes} = globalThis as {changedOperators?: typeof Changes};
		// Nothing of the source was loaded.
		if (!changes) return body();
		const ran = new Uint8Array(MAX_OPERATORS);
		const beganMs = nowMs();
		Object.assign(changes, {active: 0, ran});
		try {
			await body();
		} finally {
			delete changes.ran;
		}
		const tookMs = nowMs() - beganMs;
		const known = noticed();
		const left = idsOf(ran).filter(id => wanted.has(id) && !known.has(id));
		const again = () => withHooks(test, body);
		// A long test is left to the second step; a test that does not pass twice says nothing.
		if (left.length === 0 || tookMs > BUDGET_MS || (await fails(again, 5 * tookMs + 2000))) return;
		for (const id of left) {
			if (nowMs() - beganMs > BUDGET_MS + 2 * tookMs) break;
			Object.assign(changes, {active: id, left: MAX_OPERATORS_RUN});
			if (await fails(again, 4 * tookMs + 1500)) appendFileSync(PULSETOP_TEST_NOTICED, `${id}\n`);
			changes.active = 0;
		}
	}
}

async function withHooks(test: RunnerTestCase, body: () => PromiseLike<void> | void): Promise<void> {
	const suites: RunnerTestSuite[] = [];
	for (let suite = test.suite; suite; suite = suite.suite) suites.unshift(suite);
	if (suites[0] !== test.file) suites.unshift(test.file);
	const undone: (() => unknown)[] = [];
	try {
		for (const suite of suites)
			for (const hook of TestRunner.getSuiteHooks(suite).beforeEach) {
				const undo = await hook(test.context, suite);
				if (typeof undo === 'function') undone.push(undo as () => unknown);
			}
		await body();
	} finally {
		for (const suite of suites)
			for (const hook of TestRunner.getSuiteHooks(suite).afterEach) await hook(test.context, suite);
		for (const undo of undone) await undo();
	}
}
