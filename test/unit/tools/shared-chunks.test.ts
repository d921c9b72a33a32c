import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {build, type Metafile} from 'esbuild';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {ownFiles} from '../../../source/tools/bundle-plugins.ts';
import {joinSharedChunks, type SharedChunk, sharedChunks, sharedImports} from '../../../source/tools/shared-chunks.ts';

/** A program with three late parts that share five modules two by two, and a thread that runs when it is loaded. */
const FILES: Readonly<Record<string, string>> = {
	'cli.ts': `import {log} from './log.ts';
log('cli');
for (const part of ['one', 'two', 'three'] as const) await {one: () => import('./one.ts'), two: () => import('./two.ts'), three: () => import('./three.ts')}[part]().then(m => log(m.text()));`,
	'thread.ts': `import {log} from './log.ts'; log('a thread');`,
	'threads-too.ts': `import './thread.ts';`,
	'log.ts': `export const log = (text: string) => console.log(text);`,
	'one.ts': `import {a} from './a.ts'; import {b} from './b.ts'; import {big} from './big.ts'; export const text = () => 'one ' + a() + b() + big.length;`,
	'two.ts': `import {b} from './b.ts'; import {c} from './c.ts'; export const text = () => 'two ' + b() + c();`,
	'three.ts': `import {a} from './a.ts'; import {c} from './c.ts'; import {usesBig} from './uses-big.ts'; export const text = () => 'three ' + a() + c() + usesBig();`,
	'a.ts': `import {log} from './log.ts'; log('a is loaded'); export const a = () => 'a';`,
	'b.ts': `import {a} from './a.ts'; export const b = () => 'b' + a();`,
	'c.ts': `export const c = () => 'c';`,
	'big.ts': `import {a} from './a.ts'; export const big = '${'x'.repeat(30_000)}' + a();`,
	'uses-big.ts': `import {big} from './big.ts'; export const usesBig = () => big.length;`,
};
const ENTRIES = {cli: 'source/cli.ts', thread: 'source/thread.ts', 'threads-too': 'source/threads-too.ts'};

let root = '';
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), 'pulsetop-chunks-'));
	await mkdir(join(root, 'source'));
	for (const [name, text] of Object.entries(FILES)) await writeFile(join(root, 'source', name), text);
	await writeFile(join(root, 'package.json'), '{"type": "module"}');
});
afterAll(() => rm(root, {recursive: true, force: true}));

async function built(name: string, chunks: readonly SharedChunk[]): Promise<Metafile> {
	const {metafile} = await build({
		absWorkingDir: root,
		entryPoints: ENTRIES,
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		outdir: join(root, name),
		metafile: true,
		plugins: [joinSharedChunks(root, chunks), ownFiles(root, ENTRIES, path => sharedImports(root, chunks, path))],
	});
	return metafile;
}

async function printed(name: string): Promise<string> {
	return (await promisify(execFile)(process.execPath, [join(root, name, 'cli.js')])).stdout;
}

/** The built files that hold a module. */
function filesOf({outputs}: Metafile, module: string): string[] {
	return Object.keys(outputs).filter(path => `source/${module}` in outputs[path]!.inputs);
}

test('small shared files become one, each module stands in one file, and the program does the same', async () => {
	const apart = await built('apart', []);
	const chunks = sharedChunks(apart, ENTRIES.cli, Object.values(ENTRIES));
	const joined = await built('joined', chunks);
	expect(new Set(['a.ts', 'b.ts', 'c.ts'].flatMap(module => filesOf(apart, module))).size).toBe(3);
	expect(new Set(['a.ts', 'b.ts', 'c.ts'].flatMap(module => filesOf(joined, module))).size).toBe(1);
	for (const module of Object.keys(FILES)) expect(filesOf(joined, module), module).toHaveLength(1);
	expect(await printed('joined')).toBe(await printed('apart'));
	expect(await printed('joined')).toContain('three ac30001');
});

test('a large file, what needs it, and what runs when it is loaded stay apart', async () => {
	const chunks = sharedChunks(await built('apart', []), ENTRIES.cli, Object.values(ENTRIES));
	const modules = chunks.flatMap(chunk => chunk.modules);
	expect(modules).toEqual(['source/log.ts', 'source/a.ts', 'source/b.ts', 'source/c.ts']);
	expect([...chunks[1]!.entries].sort()).toEqual(['source/one.ts', 'source/three.ts', 'source/two.ts']);
});
