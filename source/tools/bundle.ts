import {statSync} from 'node:fs';
import {mkdir, readdir, rename, rm, utimes, writeFile} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {BuildOptions, Metafile, Plugin} from 'esbuild';
import {patchPackages} from './bundle-patches.ts';
import {ownFiles, withoutPackages} from './bundle-plugins.ts';
import {joinSharedChunks, type SharedChunk, sharedChunks, sharedImports} from './shared-chunks.ts';

/** The project's root directory. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** What the build writes into dist/, by name, from which file of source/. */
const ENTRIES = {
	cli: 'source/cli.ts',
	'service-worker': 'source/threads/service-worker.ts',
	'service-and-feeds': 'source/threads/service-and-feeds.ts',
	'feed-thread': 'source/threads/feed-thread.ts',
} as const;

/** What stays outside the bundle: binaries (that of ssh2 is not there: Node has its ciphers), and the compiler that only a tool of the checkout needs. */
const EXTERNAL = ['@foundry-rs/*', 'solc', '*/sshcrypto.node'];

const OPTIONS: BuildOptions = {
	absWorkingDir: ROOT,
	bundle: true,
	splitting: true,
	format: 'esm',
	platform: 'node',
	target: 'node22',
	// All in one directory, so that a file beside the bundle has one address for every chunk.
	chunkNames: '[name]-[hash]',
	minifySyntax: true,
	minifyWhitespace: true,
	legalComments: 'none',
	define: {'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"'},
	// Bundled CommonJS packages call require() for Node's own modules, and ssh2 reads __dirname.
	banner: {
		js: "import {createRequire as requireFrom} from 'node:module';const require = requireFrom(import.meta.url),__dirname=import.meta.dirname;",
	},
	external: EXTERNAL,
	logLevel: 'silent',
};

/** @param shared what is joined in the second build; nothing in the first */
function plugins(shared: readonly SharedChunk[]): Plugin[] {
	const more = (path: string): string => sharedImports(ROOT, shared, path);
	return [withoutPackages(), patchPackages(), joinSharedChunks(ROOT, shared), ownFiles(ROOT, ENTRIES, more)];
}

/** How long the files of an earlier build stay. */
const KEPT_MS = 3_600_000;

/** What a build made: the files, their total size, and how long it took. */
export interface Bundle {
	readonly files: number;
	readonly bytes: number;
	readonly ms: number;
	/** Which files of which packages went into which file. */
	readonly metafile: Metafile;
}

/**
 * Builds source/ into a directory. Each file appears whole, and the entries last, so that a program that starts
 * meanwhile never meets half a build.
 * @param target the directory, dist/ by default
 * @throws BuildFailure of esbuild, with every error's place
 */
export async function bundle(target = join(ROOT, 'dist')): Promise<Bundle> {
	const {build} = await import('esbuild');
	// Of the machine, whatever day tests make Date believe in: it is compared with the times of files.
	const startedAt = new Date(performance.timeOrigin + performance.now());
	const options = {...OPTIONS, entryPoints: {...ENTRIES}, outdir: target, write: false, metafile: true} as const;
	const split = await build({...options, plugins: plugins([])});
	const shared = sharedChunks(split.metafile, ENTRIES.cli, Object.values(ENTRIES));
	const {outputFiles, metafile} = await build({...options, plugins: plugins(shared)});
	const inOrder = outputFiles.toSorted((a, b) => Number(isEntry(a.path)) - Number(isEntry(b.path)));
	await mkdir(target, {recursive: true});
	for (const {path, contents} of inOrder) await writeWhole(path, contents);
	// A file saved while esbuild was reading is newer than the build that missed it.
	for (const {path} of inOrder) await utimes(path, startedAt, startedAt);
	await removeOthers(target, new Set(inOrder.map(file => file.path)));
	return {
		files: inOrder.length,
		bytes: inOrder.reduce((sum, {contents}) => sum + contents.length, 0),
		ms: performance.timeOrigin + performance.now() - startedAt.getTime(),
		metafile,
	};
}

function isEntry(path: string): boolean {
	return basename(path, '.js') in ENTRIES;
}

async function writeWhole(path: string, contents: Uint8Array): Promise<void> {
	const fresh = `${path}.${process.pid}.new`;
	await writeFile(fresh, contents, {mode: isEntry(path) ? 0o755 : 0o644});
	await rename(fresh, path);
}

/** Removes what earlier builds left, but not at once: a program that still runs may have yet to load a part of itself. */
async function removeOthers(target: string, kept: ReadonlySet<string>): Promise<void> {
	for (const name of await readdir(target)) {
		const path = join(target, name);
		const ageMs = Date.now() - (statSync(path, {throwIfNoEntry: false})?.mtimeMs ?? 0);
		if (!kept.has(path) && ageMs > KEPT_MS) await rm(path, {recursive: true, force: true});
	}
}

/**
 * Builds dist/ if a source file, the manifest or the build itself is newer than it.
 * @returns what was built, or undefined when dist/ was up to date
 */
export async function bundleIfStale(): Promise<Bundle | undefined> {
	const built = statSync(join(ROOT, 'dist/cli.js'), {throwIfNoEntry: false});
	if (built && (await newestSource()) < built.mtimeMs) return undefined;
	return bundle();
}

async function newestSource(): Promise<number> {
	const files = (await readdir(join(ROOT, 'source'), {recursive: true})).filter(name => /\.(tsx?|json)$/.test(name));
	const paths = [...files.map(name => join(ROOT, 'source', name)), join(ROOT, 'package.json')];
	return Math.max(...paths.map(path => statSync(path, {throwIfNoEntry: false})?.mtimeMs ?? 0));
}
