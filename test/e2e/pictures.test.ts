import {readFile} from 'node:fs/promises';
import {expect, test} from 'vitest';
import {comparable} from '../pictures/compare-pictures.ts';
import {type Pictures, takeBridgePicture, takeMonitorPictures} from '../pictures/take-pictures.ts';

const PATIENCE_MS = 90_000;

async function expectFresh(pictures: Pictures): Promise<void> {
	for (const [name, svg] of Object.entries(pictures)) {
		const shown = await readFile(new URL(`../pictures/${name}`, import.meta.url), 'utf8');
		expect(comparable(svg), `test/pictures/${name} shows an older screen: npm run pictures takes it anew`).toBe(
			comparable(shown),
		);
	}
}

test(
	'the pictures of the columns and of a token show the screen as it is',
	async () => {
		await expectFresh(await takeMonitorPictures());
	},
	PATIENCE_MS,
);

test(
	'the picture of a transfer shows its review as it is',
	async () => {
		await expectFresh(await takeBridgePicture());
	},
	PATIENCE_MS,
);
