import {readFile} from 'node:fs/promises';
import {expect, test} from 'vitest';
import {refreshed} from '../../source/tools/readme-parts.ts';

const README = new URL('../../README.md', import.meta.url);

test('the tables of the README say what the code does (npm run docs makes them)', async () => {
	const readme = await readFile(README, 'utf8');
	expect(refreshed(readme)).toBe(readme);
});

test('every file that the README points to is there', async () => {
	const readme = await readFile(README, 'utf8');
	for (const [, path] of readme.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)) await readFile(new URL(path!, README));
});
