import {execFile} from 'node:child_process';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import type {Metafile} from 'esbuild';
import {bundle, ROOT} from './bundle.ts';
import {restoreManifest, shrinkManifest} from './packed-manifest.ts';

/*
 * `npm pack` and `npm publish` run this first: dist/ made from nothing, with the licence texts of all that is bundled in it
 * and a bill of materials (CycloneDX), and a manifest without the packages that are in the bundle; with `--after` the manifest
 * of the checkout comes back. The same commit gives the same bytes.
 */

/** The part of a CycloneDX document that is read here. */
interface Bill {
	readonly components: readonly {
		readonly group?: string;
		readonly name: string;
		readonly version: string;
		readonly licenses?: readonly {readonly license?: {readonly id?: string}; readonly expression?: string}[];
		readonly evidence?: {
			readonly licenses?: readonly {
				readonly license: {readonly text?: {readonly content: string; readonly encoding?: string}};
			}[];
		};
	}[];
}

/** Packages under MIT that ship no text of it: whose copyright they name in their sources or manifest. */
const MIT_COPYRIGHTS: Readonly<Record<string, string>> = {
	'abstract-logging': 'James Sumners',
	'yoga-layout': 'Meta Platforms, Inc. and affiliates',
};

const mit = (holder: string): string => `Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * The bill of materials of what esbuild put together, made by CycloneDX's own tool.
 * @param metafile what esbuild says of its build
 */
async function billOfMaterials(metafile: Metafile): Promise<string> {
	// What the build leaves out (withoutPackages) has no licence and no version.
	const isAbsent = (path: unknown) => typeof path === 'string' && path.startsWith('absent:');
	const present = JSON.stringify(metafile, (key, value) => {
		if (isAbsent(key)) return undefined;
		return Array.isArray(value) ? value.filter(item => !isAbsent(item?.path)) : value;
	});

	const directory = await mkdtemp(join(tmpdir(), 'pulsetop-release-'));
	try {
		const [input, output] = [join(directory, 'meta.json'), join(directory, 'sbom.json')];
		await writeFile(input, present);
		const tool = join(
			dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-esbuild')),
			'../bin/cyclonedx-esbuild-cli.js',
		);
		const flags = ['--output-reproducible', '--gather-license-texts', '--bwd', ROOT, '-o', output];
		await promisify(execFile)(process.execPath, [tool, ...flags, input], {cwd: ROOT});
		return await readFile(output, 'utf8');
	} finally {
		await rm(directory, {recursive: true, force: true});
	}
}

const UNLICENSE = `This is free and unencumbered software released into the public domain.

Anyone is free to copy, modify, publish, use, compile, sell, or distribute this software, either in source code form or as a
compiled binary, for any purpose, commercial or non-commercial, and by any means.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS BE LIABLE FOR ANY CLAIM, DAMAGES OR
OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE
OR OTHER DEALINGS IN THE SOFTWARE.

For more information, please refer to <https://unlicense.org/>`;

/**
 * The licence texts of all bundled packages, one after another, as MIT, ISC and BSD ask for.
 * @throws Error that names the packages of which no text was found
 */
function licenceTexts({components}: Bill): string {
	const missing: string[] = [];
	const parts = components.map(({group, name, version, licenses = [], evidence}) => {
		const full = group === undefined ? name : `${group}/${name}`;
		const texts = (evidence?.licenses ?? []).flatMap(({license: {text}}) =>
			text === undefined
				? []
				: [Buffer.from(text.content, text.encoding === 'base64' ? 'base64' : 'utf8').toString('utf8')],
		);
		const terms = licenses.flatMap(({license, expression}) => expression ?? license?.id ?? []).join(', ');
		const holder = MIT_COPYRIGHTS[full];
		if (texts.length === 0 && holder !== undefined && terms === 'MIT') texts.push(mit(holder));
		// It asks for nothing, and packages under it may come without its text.
		if (texts.length === 0 && terms === 'Unlicense') texts.push(UNLICENSE);
		if (texts.length === 0) missing.push(`${full} ${version}`);
		return `${full} ${version}${terms && ` (${terms})`}\n\n${texts.map(text => text.trim()).join('\n\n')}\n`;
	});
	if (missing.length > 0) throw new Error(`No licence text was found of: ${missing.join(', ')}`);
	const head = 'pulsetop contains code of these packages. Their licences follow, one after another.\n';
	return [head, ...parts].join(`\n${'='.repeat(80)}\n\n`);
}

if (process.argv.includes('--after')) {
	restoreManifest(ROOT);
	process.exit();
}
await rm(join(ROOT, 'dist'), {recursive: true, force: true});
const {metafile, files} = await bundle();
const bill = await billOfMaterials(metafile);
const read: Bill = JSON.parse(bill);
await writeFile(join(ROOT, 'dist/sbom.cdx.json'), bill);
await writeFile(join(ROOT, 'dist/licenses.txt'), licenceTexts(read));
shrinkManifest(ROOT, metafile);
console.error(`dist: ${files} files of pulsetop and ${read.components.length} packages, licenses.txt, sbom.cdx.json`);
