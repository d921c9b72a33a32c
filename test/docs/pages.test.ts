import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {PACING_MS, REORDER_MS, TRADE_TO_CELL_MS} from '../../source/pacing.ts';
import {ROOT} from '../../source/tools/bundle.ts';
import {PAGES, PART_NAMES, partsIn, refreshed} from '../../source/tools/docs-parts.ts';

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** A page without its blocks of code, where nothing is a link or a heading. */
const prose = (page: string): string => read(page).replaceAll(/^```.*?^```/gms, '');

/** The names under which the headings of a page can be linked to. */
function anchorsOf(page: string): ReadonlySet<string> {
	const seen = new Map<string, number>();
	const names = Array.from(prose(page).matchAll(/^#+ (.*)$/gm), ([, title]) => {
		const name = title!
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-');
		const times = seen.get(name) ?? 0;
		seen.set(name, times + 1);
		return times === 0 ? name : `${name}-${times}`;
	});
	return new Set(names);
}

test('the README and the manual are short enough to be read', () => {
	expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150);
	const words = PAGES.filter(page => /^README|\/docs\//.test(page)).flatMap(page => read(page).trim().split(/\s+/));
	expect(words.length).toBeLessThan(15_000);
});

test.each(PAGES)('the tables of %s say what the code does (npm run docs makes them)', page => {
	expect(refreshed(read(page))).toBe(read(page));
});

test('each generated part stands on one page', () => {
	expect(PAGES.flatMap(page => partsIn(read(page))).toSorted()).toEqual(PART_NAMES.toSorted());
});

test('every page of the reference is linked from the README', () => {
	for (const page of PAGES) if (page !== 'README.md') expect(prose('README.md'), page).toContain(`](${page})`);
});

describe.each([...PAGES, 'CHANGELOG.md'])('%s', page => {
	const links = Array.from(prose(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g), ([, link]) => link!);

	test('leads only to places that are there', () => {
		for (const link of links) {
			const [path, anchor] = link.split('#') as [string, string?];
			const target = path === '' ? page : join(dirname(page), path);
			expect(existsSync(join(ROOT, target)), link).toBe(true);
			if (anchor !== undefined) expect(anchorsOf(target), link).toContain(anchor);
		}
	});
});

test('a link that leads nowhere would be found', () => {
	expect(anchorsOf('README.md')).toContain('two-commands');
	expect(anchorsOf('README.md')).not.toContain('three-commands');
});

describe.each([
	['source/README.md', 'source'],
	['test/README.md', 'test'],
])('%s', (page, folder) => {
	const named = Array.from(prose(page).matchAll(/`((?:[\w.-]+\/)*[\w.-]+(?:\.tsx?|\.json|\/))`/g), ([, path]) => path!);

	test('names only files and folders that there are', () => {
		expect(named.length).toBeGreaterThan(20);
		const isThere = (path: string) => existsSync(join(ROOT, folder, path)) || existsSync(join(ROOT, path));
		// Recipes write NAME for what is new.
		expect(named.filter(path => !path.includes('NAME') && !isThere(path))).toEqual([]);
	});
});

test('the delays of the architecture are those of the code', () => {
	const rows = [...read('source/README.md').matchAll(/^\| (\d+) ms \| `([^`]+)` \| `([^`]+)` \|/gm)];
	const delays = Object.entries(PACING_MS).map(([stage, ms]) => [`PACING_MS.${stage}`, ms]);
	expect(rows.map(([, ms, constant]) => [constant, Number(ms)])).toEqual([...delays, ['REORDER_MS', REORDER_MS]]);
	for (const [, , constant, file] of rows) expect(read(`source/${file}`), file).toContain(constant!);
	expect(prose('source/README.md')).toContain(`${TRADE_TO_CELL_MS} ms old`);
});

test('the story of the test page is a test', () => {
	const [, story] = /^```ts\n(.*?)^```/ms.exec(read('test/README.md'))!;
	expect(read('test/e2e/help.test.ts')).toBe(story);
});
