import {globSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {nearest} from '../nearest.ts';

/** The arguments of `npm test -- ARGUMENTS`. */
export interface TestTargets {
	/** Files and folders from the project's root; a folder ends with `/`. Empty: all tests. */
	readonly paths: readonly string[];
	/** Flags of vitest, from the first argument that begins with `-` on. */
	readonly flags: readonly string[];
}

/** A name that leads to no test. The message says which names there are. */
export class UnknownTests extends Error {}

/**
 * Finds the requested tests.
 * @param args paths from the root (`test/unit/ui`) or from `test/` (`unit/ui`), names of files (`keys`), then flags of vitest
 * @param root the project's directory
 * @throws UnknownTests when a name leads to no test
 */
export function testTargets(args: readonly string[], root: string): TestTargets {
	const firstFlag = args.findIndex(arg => arg.startsWith('-'));
	const names = firstFlag < 0 ? args : args.slice(0, firstFlag);
	const tests = globSync('test/**/*.test.{ts,tsx}', {cwd: root}).toSorted();
	const paths = names.flatMap(name => pathsOf(name, tests, root));
	return {
		paths,
		flags: firstFlag < 0 ? [] : args.slice(firstFlag),
	};
}

function pathsOf(name: string, tests: readonly string[], root: string): readonly string[] {
	const bare = name.replace(/^\.\//, '').replace(/\/+$/, '');
	for (const path of [bare, `test/${bare}`]) {
		if (tests.includes(path)) return [path];
		const isFolder = statSync(join(root, path), {throwIfNoEntry: false})?.isDirectory() ?? false;
		if (!isFolder) continue;
		if (tests.some(test => test.startsWith(`${path}/`))) return [`${path}/`];
		throw new UnknownTests(`${path}/ holds no tests. ${foldersLine(tests)}`);
	}
	const named = tests.filter(test => subjectOf(test) === bare);
	if (named.length > 0) return named;
	const meant = nearest(bare.replace(/^test\//, ''), [...foldersOf(tests), ...tests.map(subjectOf)]);
	const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
	throw new UnknownTests(`No test file or folder is named ${name}.${hint} ${foldersLine(tests)}`);
}

/** What a test file is named after: `keys` of test/unit/ui/keymap/keys.test.ts. */
function subjectOf(test: string): string {
	return test.replace(/^.*\//, '').replace(/\.test\.tsx?$/, '');
}

/** Every folder with tests in it, as seen from test/. */
function foldersOf(tests: readonly string[]): ReadonlySet<string> {
	const folders = tests.flatMap(test => {
		const parts = test.split('/').slice(1, -1);
		return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
	});
	return new Set(folders);
}

function foldersLine(tests: readonly string[]): string {
	const folders = [...foldersOf(tests)].filter(name => !name.includes('/'));
	return `Folders: ${folders.join(', ')}. Paths below them (unit/ui) and names of files (keys) work, too.`;
}
