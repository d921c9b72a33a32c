import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {ROOT} from './bundle.ts';
import {PAGES, refreshed} from './docs-parts.ts';

// `npm run docs`: makes the generated tables of all pages again, from the code that they describe.
for (const page of PAGES) {
	const file = join(ROOT, page);
	writeFileSync(file, refreshed(readFileSync(file, 'utf8')));
}
