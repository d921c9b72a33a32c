import {readFile, writeFile} from 'node:fs/promises';
import {bundleIfStale} from '../../source/tools/bundle.ts';
import {comparable} from './compare-pictures.ts';
import {takeBridgePicture, takeMonitorPictures} from './take-pictures.ts';

// `npm run pictures`: takes the pictures of README.md again, and keeps those that show the same as before.
await bundleIfStale();
const pictures = {...(await takeMonitorPictures()), ...(await takeBridgePicture())};
for (const [name, svg] of Object.entries(pictures)) {
	const file = new URL(name, import.meta.url);
	const before = await readFile(file, 'utf8').catch(() => '');
	if (comparable(before) === comparable(svg)) continue;
	await writeFile(file, svg);
	process.stdout.write(`${name}: ${Math.round(svg.length / 1024)} kB\n`);
}
