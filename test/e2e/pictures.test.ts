import {readFile} from 'node:fs/promises';
import {test} from 'vitest';
import {comparable} from '../pictures/compare-pictures.ts';
import {takeBridgePicture} from '../pictures/take-pictures.ts';

/* The other pictures of the README are drawn without a program: ui/pictures.test.tsx. */
test('the picture of a transfer has the words of its review (`npm run pictures` takes it again)', async () => {
	const stored = comparable(await readFile(new URL('../pictures/bridge.svg', import.meta.url), 'utf8'));
	await takeBridgePicture(svg => comparable(svg) === stored);
});
