import {join} from 'node:path';
import type {Metafile, Plugin} from 'esbuild';

/*
 * esbuild makes one file of shared code for each set of entries that need the code. Every dynamic import is an entry, some
 * 120 here, so shared code falls into hundreds of small files, and each file that the start loads costs a quarter of a
 * millisecond: 17 to 24 of 200 ms to the first frame (measured). A first build shows the small files. In the second
 * build each entry that needs one of them imports all of them, and esbuild makes one file of them.
 */

/** Shared files below this size are joined, bytes. */
const SMALL_BYTES = 20_000;

/** Shared code that becomes one file. Paths are relative to the root, as in esbuild's metafile. */
export interface SharedChunk {
	readonly modules: readonly string[];
	/** The entries that need one of the modules. */
	readonly entries: ReadonlySet<string>;
}

/**
 * Finds the small shared files of a build: those that the first entry needs at once are one group, all others another, so
 * that a command that only prints its version loads no more than before.
 * @param metafile of a build with splitting
 * @param first path of the entry whose static imports are a group of their own
 * @param entryFiles the entries that the build was given: what they run when they are loaded stays in a file of its own
 */
export function sharedChunks(
	{outputs}: Metafile,
	first: string,
	entryFiles: readonly string[],
): readonly SharedChunk[] {
	const reachable = (from: string): ReadonlySet<string> => {
		const met = new Set([from]);
		for (const path of met) for (const next of staticImports(outputs, path)) met.add(next);
		return met;
	};
	const entries = Object.entries(outputs).flatMap(([path, {entryPoint}]) =>
		entryPoint === undefined ? [] : [{entryPoint, needed: reachable(path)}],
	);
	const early = entries.find(({entryPoint}) => entryPoint === first)!.needed;
	const small = Object.entries(outputs).filter(
		([, {entryPoint, bytes, inputs}]) =>
			entryPoint === undefined &&
			bytes < SMALL_BYTES &&
			Object.keys(inputs).every(input => input.startsWith('source/') && !entryFiles.includes(input)),
	);
	const groups = [true, false].map(isEarly => {
		const group = new Set(small.flatMap(([path]) => (early.has(path) === isEarly ? [path] : [])));
		return closed(outputs, group, isEarly ? new Set() : early);
	});
	return groups.map(group => ({
		modules: [...group].flatMap(path => Object.keys(outputs[path]!.inputs)).sort(),
		entries: new Set(entries.flatMap(({entryPoint, needed}) => (group.isDisjointFrom(needed) ? [] : [entryPoint]))),
	}));
}

function staticImports(outputs: Metafile['outputs'], path: string): readonly string[] {
	return outputs[path]!.imports.flatMap(imported =>
		imported.kind === 'import-statement' && imported.external !== true ? [imported.path] : [],
	);
}

/** The files of a group that import nothing but each other and `loaded`: the joined file is never part of a circle. */
function closed(outputs: Metafile['outputs'], group: ReadonlySet<string>, loaded: ReadonlySet<string>): Set<string> {
	const kept = new Set(group);
	for (let size = -1; size !== kept.size; ) {
		size = kept.size;
		for (const path of kept) {
			if (!staticImports(outputs, path).every(next => kept.has(next) || loaded.has(next))) kept.delete(path);
		}
	}
	return kept;
}

const NAME = 'shared-chunk:';

/** The imports that join shared code, as text for the end of an entry's file. @param path absolute */
export function sharedImports(root: string, chunks: readonly SharedChunk[], path: string): string {
	return chunks
		.map(({entries}, at) => ([...entries].some(entry => join(root, entry) === path) ? `import '${NAME}${at}';` : ''))
		.join('');
}

/** Resolves the imports of {@link sharedImports}. */
export function joinSharedChunks(root: string, chunks: readonly SharedChunk[]): Plugin {
	return {
		name: 'join-shared-chunks',
		setup(build) {
			build.onResolve({filter: new RegExp(`^${NAME}`)}, ({path}) => ({
				path: path.slice(NAME.length),
				namespace: NAME,
			}));
			build.onLoad({filter: /.*/, namespace: NAME}, ({path}) => ({
				contents: chunks[Number(path)]!.modules.map(module => `import ${JSON.stringify(join(root, module))};`).join(''),
				resolveDir: root,
			}));
		},
	};
}
