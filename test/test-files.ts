import {globSync} from 'node:fs';
import {MAIN_STORIES, REST, type Suite} from './suites.ts';

const ROOT = new URL('..', import.meta.url).pathname;

/** Paths of files, from the project's root. */
export function filesOf(patterns: readonly string[]): readonly string[] {
	return globSync([...patterns], {cwd: ROOT}).toSorted();
}

/** The test files of a list; all of them without one. */
export function testFiles(suite?: Suite): ReadonlySet<string> {
	const all = filesOf(['test/**/*.test.{ts,tsx}']);
	if (suite === undefined) return new Set(all);
	const stories = new Set(filesOf(['test/e2e/*.test.{ts,tsx}']));
	const rest = new Set(filesOf(REST));
	const isMain = (file: string): boolean => (stories.has(file) ? MAIN_STORIES.includes(file) : !rest.has(file));
	return new Set(all.filter(file => isMain(file) === (suite === 'main')));
}
