import {execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {cp, mkdir, readdir, readFile, rm} from 'node:fs/promises';
import {isBuiltin} from 'node:module';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {bundle, ROOT} from '../source/tools/bundle.ts';

/* What `npm publish` would send: made twice, in two places, from the same sources. */

const exec = promisify(execFile);
/** Inside the checkout, where packages are found and git looks at nothing. */
const PLACES = join(ROOT, 'coverage/release');
const RELEASED = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'source', 'test/README.md', 'test/pictures'];

interface Release {
	/** SHA-256 of each file of dist/, by its name. */
	readonly files: Readonly<Record<string, string>>;
	readonly tarball: {readonly integrity: string; readonly files: readonly {readonly path: string}[]};
	readonly directory: string;
}

async function release(name: string): Promise<Release> {
	const directory = join(PLACES, name);
	await mkdir(directory, {recursive: true});
	for (const path of RELEASED) await cp(join(ROOT, path), join(directory, path), {recursive: true});
	await exec(process.execPath, ['source/tools/release.ts'], {cwd: directory});
	const {stdout} = await exec('npm', ['pack', '--json', '--ignore-scripts'], {cwd: directory});
	const names = (await readdir(join(directory, 'dist'))).toSorted();
	const sums = await Promise.all(
		names.map(async file => [
			file,
			createHash('sha256')
				.update(await readFile(join(directory, 'dist', file)))
				.digest('hex'),
		]),
	);
	const packed = JSON.parse(stdout);
	return {files: Object.fromEntries(sums), tarball: Array.isArray(packed) ? packed[0] : packed.pulsetop, directory};
}

let [one, other]: Release[] = [];
beforeAll(async () => {
	await rm(PLACES, {recursive: true, force: true});
	[one, other] = await Promise.all([release('one'), release('another')]);
});
afterAll(() => rm(PLACES, {recursive: true, force: true}));

test('the same sources give the same bytes, wherever they lie', () => {
	expect(Object.keys(one!.files).length).toBeGreaterThan(50);
	expect(other!.files).toEqual(one!.files);
	expect(other!.tarball.integrity).toBe(one!.tarball.integrity);
});

test('the package holds the program, its documents, licences and bill of materials, and neither sources nor tests', () => {
	const paths = one!.tarball.files.map(({path}) => path);
	expect(paths).toEqual(
		expect.arrayContaining(['dist/cli.js', 'dist/licenses.txt', 'dist/sbom.cdx.json', 'LICENSE', 'README.md']),
	);
	expect(
		paths.filter(
			path =>
				!/^(?:source\/docs\/[\w.-]+\.(?:service|yaml)|dist\/[\w.-]+|package\.json|LICENSE|(?:\w+\/)*[\w.-]+\.(?:md|svg))$/.test(
					path,
				),
		),
	).toEqual([]);
});

test('its manifest asks for nothing that is in the bundle, and that of the checkout names all that the program imports', async () => {
	const packed = JSON.parse(await readFile(join(one!.directory, 'package.json'), 'utf8'));
	expect(Object.keys(packed.dependencies)).toEqual(['tiny-secp256k1']);
	const whole = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
	const bill = JSON.parse(await readFile(join(one!.directory, 'dist/sbom.cdx.json'), 'utf8'));
	const bundled = bill.components.map(({group, name}: {group?: string; name: string}) =>
		group === undefined ? name : `${group}/${name}`,
	);
	expect(Object.keys(whole.devDependencies).filter(name => bundled.includes(name))).toEqual([]);
	expect(Object.keys(whole.dependencies)).toEqual(
		expect.arrayContaining(['date-fns', 'ink', 'react', 'undici', 'viem', 'ws']),
	);
	await exec(process.execPath, ['source/tools/release.ts', '--after'], {cwd: one!.directory});
	expect(JSON.parse(await readFile(join(one!.directory, 'package.json'), 'utf8'))).toEqual(whole);
});

test('every file that its documents link to is in the package, too', async () => {
	const paths = new Set(one!.tarball.files.map(({path}) => path));
	const pages = [...paths].filter(path => path.endsWith('.md'));
	expect(pages.length).toBeGreaterThan(10);
	for (const page of pages) {
		const text = await readFile(join(one!.directory, page), 'utf8');
		for (const [, link] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)) {
			expect(paths, `${page} links to ${link}`).toContain(join(dirname(page), link!));
		}
	}
});

test('every installed dependency is loaded by the program', async () => {
	const {dependencies, optionalDependencies} = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
	const {metafile} = await bundle(join(PLACES, 'bundle'));
	const outside = Object.values(metafile.outputs).flatMap(({imports}) => imports.filter(({external}) => external));
	const imported = outside.map(({path}) => path).filter(path => !isBuiltin(path));
	const known = [...Object.keys(dependencies), ...Object.keys(optionalDependencies)];
	// ws tries two native helpers and ssh2 one, and both do without them.
	const tried = ['bufferutil', 'utf-8-validate', './crypto/build/Release/sshcrypto.node'];
	expect(imported.filter(path => !known.includes(path) && !tried.includes(path))).toEqual([]);
	// A dependency that no file of the program names would be installed for nothing.
	const scripts = Object.keys(one!.files).filter(name => name.endsWith('.js'));
	const texts = await Promise.all(scripts.map(name => readFile(join(one!.directory, 'dist', name), 'utf8')));
	for (const name of known) expect(texts.join('\n'), name).toContain(name);
});

test('each bundled package stands in the bill of materials and its licence in the texts', async () => {
	const read = (name: string) => readFile(join(one!.directory, 'dist', name), 'utf8');
	const bill = JSON.parse(await read('sbom.cdx.json'));
	const texts = await read('licenses.txt');
	expect(bill).toMatchObject({bomFormat: 'CycloneDX', metadata: {component: {name: 'pulsetop'}}});
	const names = bill.components.map(({name}: {name: string}) => name);
	expect(names).toEqual(expect.arrayContaining(['ink', 'react', 'ws', 'undici', 'viem', 'date-fns', 'fastify', 'zod']));
	for (const {name, version} of bill.components) expect(texts).toContain(`${name} ${version}`);
	expect(texts.match(/copyright/gi)!.length).toBeGreaterThanOrEqual(names.length);
	expect(JSON.stringify(bill) + texts).not.toContain(ROOT);
});
