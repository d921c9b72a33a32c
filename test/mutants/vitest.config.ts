import base from '../vitest.config.ts';

/** The projects of the tests; with operators to change, each test runs once more for each of them (runner.ts). */
const runner = new URL('runner.ts', import.meta.url).pathname;
const {test} = base;
const isChanging = process.env['PULSETOP_TEST_NOTICED'] !== undefined;
const projects = (test!.projects as {test: {name: string; exclude?: string[]}}[]).map(project => ({
	...project,
	test: {
		...project.test,
		// They read the source as text.
		exclude: ['test/unit/tools/**', 'test/docs/**', 'test/release.test.ts'],
		...(isChanging && {isolate: true, runner, execArgv: ['--max-old-space-size=1500']}),
	},
}));

export default {...base, test: {...test, projects}};
