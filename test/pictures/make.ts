import {readFile, writeFile} from 'node:fs/promises';
import {bundleIfStale} from '../../source/tools/bundle.ts';
import {comparable} from './compare-pictures.ts';
import {takeBridgePicture} from './take-pictures.ts';

// A part of `npm run pictures`: takes the picture of a transfer again, and keeps the stored one if it shows the same words.
await bundleIfStale();
const file = new URL('bridge.svg', import.meta.url);
const svg = await takeBridgePicture();
if (comparable(await readFile(file, 'utf8').catch(() => '')) !== comparable(svg)) await writeFile(file, svg);
