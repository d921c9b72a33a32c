import {readFile} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import type {Plugin} from 'esbuild';
import {narrowImports} from './narrow-imports.ts';

/**
 * Packages that the program never uses, by the package that imports them: Ink for its developer tools, fastify for compilers
 * of JSON schemas (the contract uses zod) and for responses without a socket, ssh2 to order ciphers, which we order. Without them the bundle is 0.7 MB smaller.
 */
export const UNUSED: Readonly<Record<string, string>> = {
	'react-devtools-core': 'ink',
	'cpu-features': 'ssh2',
	'light-my-request': 'fastify',
	'@fastify/ajv-compiler': 'fastify',
	'@fastify/fast-json-stringify-compiler': 'fastify',
};

/** Leaves packages out; the build fails when one of them is no longer imported. */
export function withoutPackages(unused: Readonly<Record<string, string>> = UNUSED): Plugin {
	return {
		name: 'without-packages',
		setup(build) {
			const met = new Set<string>();
			const filter = new RegExp(`^(?:${Object.keys(unused).join('|')})$`);
			build.onResolve({filter}, ({path}) => {
				met.add(path);
				return {path, namespace: 'absent'};
			});
			build.onLoad({filter: /.*/, namespace: 'absent'}, () => ({contents: 'export default {};'}));
			build.onEnd(({errors}) => {
				if (errors.length > 0) return undefined;
				const unmet = Object.entries(unused).filter(([name]) => !met.has(name));
				return {
					errors: unmet.map(([name, by]) => ({
						text: `${by} no longer imports ${name}: take it out of UNUSED in source/tools/bundle-plugins.ts.`,
					})),
				};
			});
		},
	};
}

/**
 * Our own files as the bundle needs them: `new URL('./worker.ts', import.meta.url)` names an entry, so the name becomes that of
 * the built entry; and imports from barrels are narrowed.
 * @param entries source files by the name that they have when they are built
 * @param more text to put at the end of a file, by its absolute path
 */
export function ownFiles(
	root: string,
	entries: Readonly<Record<string, string>>,
	more: (path: string) => string = () => '',
): Plugin {
	const built = new Map(Object.entries(entries).map(([name, file]) => [resolve(root, file), name]));
	return {
		name: 'own-files',
		setup(build) {
			build.onLoad({filter: /[\\/]source[\\/].*\.tsx?$/}, async ({path}) => {
				const text = await readFile(path, 'utf8');
				const contents = text.replace(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g, (whole, file: string) => {
					const name = built.get(resolve(dirname(path), file));
					return name === undefined ? whole : `new URL('./${name}.js', import.meta.url)`;
				});
				return {contents: `${narrowImports(contents)}\n${more(path)}`, loader: path.endsWith('x') ? 'tsx' : 'ts'};
			});
		},
	};
}
