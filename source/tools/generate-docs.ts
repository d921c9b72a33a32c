import {readFile, writeFile} from 'node:fs/promises';
import {refreshed} from './readme-parts.ts';

// `npm run docs`: puts the tables of README.md in their places anew, from the code that they describe.
const file = new URL('../../README.md', import.meta.url);
await writeFile(file, refreshed(await readFile(file, 'utf8')));
