import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {build, type Plugin} from 'esbuild';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';
import {PATCHES, type Patch, patched, patchPackages} from '../../../source/tools/bundle-patches.ts';
import {UNUSED, withoutPackages} from '../../../source/tools/bundle-plugins.ts';

let directory: string;
beforeAll(async () => {
	// Where packages are found as in the checkout.
	directory = await mkdtemp(join(ROOT, 'node_modules/.patches-'));
});
afterAll(() => rm(directory, {recursive: true}));

async function bundled(text: string, plugins: Plugin[]): Promise<string> {
	const {outputFiles} = await build({
		stdin: {contents: text, resolveDir: directory},
		bundle: true,
		format: 'esm',
		platform: 'node',
		banner: {js: "import {createRequire as from} from 'node:module';const require = from(import.meta.url);"},
		plugins,
		write: false,
		logLevel: 'silent',
	});
	return outputFiles![0]!.text;
}

/** What a program prints as JSON, bundled with its packages and these patches. */
async function printed(program: string, patches: readonly Patch[]): Promise<unknown> {
	const file = join(directory, `program-${Math.random()}.mjs`);
	await writeFile(file, await bundled(program, [patchPackages(patches)]));
	const {stdout} = await promisify(execFile)(process.execPath, [file]);
	return JSON.parse(stdout);
}

const of = (file: string) => PATCHES.filter(patch => patch.file.startsWith(file));

describe.each(PATCHES.map(patch => [`${patch.name} of ${patch.file}`, patch] as const))('the patch %s', (_, patch) => {
	const read = () => readFile(join(ROOT, 'node_modules', patch.file), 'utf8');

	test('applies to the installed package, and only once', async () => {
		const text = patched(await read(), patch);
		expect(text).not.toContain(patch.find);
		expect(() => patched(text, patch)).toThrow('applies in 0');
	});

	test('says why it is there and what it brings, with a figure', () => {
		expect(patch.reason).toMatch(/\.$/);
		expect(patch.gain).toMatch(/^\d+(\.\d+)? (ms|lines) /);
	});
});

describe('a package that changed', () => {
	const patch: Patch = {
		name: 'late thing',
		file: 'thing/index.js',
		find: 'const thing = make();',
		replace: '',
		places: 1,
		reason: '',
		gain: '',
	};
	const build = async (text: string, entry = "import 'thing'") => {
		await mkdir(join(directory, 'node_modules/thing'), {recursive: true});
		await writeFile(join(directory, 'node_modules/thing/index.js'), text);
		return bundled(entry, [patchPackages([patch])]);
	};

	test('is patched while the text stands in the expected number of places', async () => {
		expect(await build('const thing = make(); export const other = 1;')).not.toContain('make');
	});

	test.each([
		['no longer has the text', 'let thing = make();', 'must apply in 1 place, and applies in 0'],
		['has it twice', '{const thing = make();}{const thing = make();}', 'must apply in 1 place, and applies in 2'],
	])('fails the build when it %s', async (_, text, words) => {
		await expect(build(text)).rejects.toThrow(
			new RegExp(
				`The patch "late thing" of thing/index.js ${words}. Read the new file: correct .* or remove the patch`,
			),
		);
	});

	test('fails the build when its file is no longer in the bundle', async () => {
		await expect(build('', 'export {}')).rejects.toThrow(
			'The patch "late thing" is for thing/index.js, which is not in the bundle. Read the new file:',
		);
	});

	test('fails the build when it no longer imports a package that is left out', async () => {
		await expect(bundled('export {}', [withoutPackages({'some-compiler': 'fastify'})])).rejects.toThrow(
			'fastify no longer imports some-compiler: take it out of UNUSED in source/tools/bundle-plugins.ts.',
		);
		expect(Object.keys(UNUSED)).toContain('light-my-request');
	});
});

describe('what is patched still works, and loads late', () => {
	test('yoga lays out, and loads nothing to fetch with', async () => {
		const program = `
			import Yoga from 'yoga-layout';
			const node = Yoga.Node.create();
			node.setWidth(7);
			node.calculateLayout(undefined, undefined, Yoga.DIRECTION_LTR);
			const hasUndici = process.moduleLoadList.some(name => name.includes('undici'));
			console.log(JSON.stringify([node.getComputedWidth(), hasUndici]));`;
		expect(await printed(program, of('yoga-layout/'))).toEqual([7, false]);
		expect(await printed(program, [])).toEqual([7, true]);
	});

	test.each([
		['string-width', "import width from 'string-width'; const use = () => width('日本👩‍👧')"],
		['wrap-ansi', "import wrap from 'wrap-ansi'; const use = () => wrap('日本日本日本', 5, {hard: true})"],
		['slice-ansi', "import slice from 'slice-ansi'; const use = () => slice('日本日本', 2, 6)"],
		[
			'@alcalzone/ansi-tokenize',
			"import {tokenize} from '@alcalzone/ansi-tokenize'; const use = () => tokenize('日本')",
		],
	])('%s makes its segmenter when it needs one', async (name, uses) => {
		await writeFile(
			join(directory, 'count.mjs'),
			`globalThis.made = 0;
			Intl.Segmenter = class extends Intl.Segmenter { constructor(...all) { super(...all); globalThis.made++; } };`,
		);
		const program = `
			import './count.mjs';
			${uses};
			const before = globalThis.made;
			const result = use();
			use();
			console.log(JSON.stringify({before, after: globalThis.made, result}));`;
		type Run = {readonly before: number; readonly after: number; readonly result: unknown};
		const early = (await printed(program, [])) as Run;
		expect(await printed(program, of(`${name}/`))).toEqual({...early, before: early.before - 1});
		expect(early.after).toBe(early.before);
	});

	test('a websocket without TLS loads none, and one with TLS does', async () => {
		const program = `
			import {WebSocket} from 'ws';
			const hasTls = () => process.moduleLoadList.some(name => /^NativeModule (tls|https)$/.test(name));
			const before = hasTls();
			await new Promise(resolve => new WebSocket('wss://127.0.0.1:1').on('error', resolve));
			console.log(JSON.stringify([before, hasTls()]));`;
		expect(await printed(program, of('ws/'))).toEqual([false, true]);
		expect(await printed(program, [])).toEqual([true, true]);
	});

	test('a server without TLS loads neither TLS nor HTTP/2, and one with either does', async () => {
		const program = `
			import fastify from 'fastify';
			const before = process.moduleLoadList.some(name => /^NativeModule (tls|https|http2)$/.test(name));
			const isTls = fastify({https: {}}).server instanceof require('node:https').Server;
			console.log(JSON.stringify([before, isTls, typeof fastify({http2: true}).server.setTimeout]));`;
		expect(await printed(program, of('fastify/'))).toEqual([false, true, 'function']);
		expect(await printed(program, [])).toEqual([true, true, 'function']);
	});
});
