import {readFile} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import type {Plugin} from 'esbuild';
import {narrowImports} from './narrow-imports.ts';

/**
 * What packages ask for and the program never uses, but esbuild must resolve: Ink's developer's tools, fastify's compilers
 * of JSON schemas and its way to answer without a socket.
 */
const UNUSED = /^(?:react-devtools-core|light-my-request|@fastify\/(?:ajv|fast-json-stringify)-compiler)$/;
export const noUnused: Plugin = {
	name: 'no-unused',
	setup(build) {
		build.onResolve({filter: UNUSED}, ({path}) => ({path, namespace: 'absent'}));
		build.onLoad({filter: /.*/, namespace: 'absent'}, () => ({contents: 'export default {};'}));
	},
};

/**
 * Yoga's loader fetches a data: URL of its own bytes, for which Node loads undici and crypto. Where there is no `fetch`
 * it decodes the base64 text instead, which is a tenth of the start (measured), so this one module sees none.
 */
export const yogaWithoutFetch: Plugin = {
	name: 'yoga-without-fetch',
	setup(build) {
		build.onLoad({filter: /yoga-wasm-base64-esm\.js$/}, async ({path}) => ({
			contents: `const fetch = undefined;\n${await readFile(path, 'utf8')}`,
		}));
	},
};

/**
 * Packages that measure text make a segmenter as they are loaded, and the first one of a process takes 12 ms: it reads
 * tables of Unicode. No frame of plain text needs one, so they get theirs when they first use it.
 */
export const lateSegmenters: Plugin = {
	name: 'late-segmenters',
	setup(build) {
		const filter = /[\\/](?:string-width|wrap-ansi|slice-ansi|ansi-tokenize[\\/]build|ink[\\/]build)[\\/][\w-]+\.js$/;
		build.onLoad({filter}, async ({path}) => ({
			contents: (await readFile(path, 'utf8')).replace(
				/^const (\w+) = new Intl\.Segmenter\((.*)\);$/m,
				'let made$1;\nconst $1 = {segment: text => (made$1 ??= new Intl.Segmenter($2)).segment(text)};',
			),
		}));
	},
};

/**
 * The server and the websockets load Node's TLS and HTTP/2 as they are loaded themselves, for every thread 10 to 20 ms
 * (measured). On loopback neither is ever used, so they are loaded by their first use.
 */
export const lateBuiltins: Plugin = {
	name: 'late-builtins',
	setup(build) {
		const filter = /[\\/](?:fastify[\\/]lib[\\/]server|ws[\\/]lib[\\/]websocket)\.js$/;
		build.onLoad({filter}, async ({path}) => ({
			contents: (await readFile(path, 'utf8'))
				.replace(/^const (?:https|http2|tls) = require\('[\w:]+'\);?$/gm, '')
				.replace(
					/\b(https|http2|tls)\.(createServer|createSecureServer|request|connect)\b/g,
					"process.getBuiltinModule('node:$1').$2",
				),
		}));
	},
};

/**
 * Our own files as the bundle needs them: `new URL('./worker.ts', import.meta.url)` names an entry, so it must name what
 * became of it; and imports from barrels are narrowed.
 * @param entries source files by the name that they have when they are built
 */
export function ownFiles(root: string, entries: Readonly<Record<string, string>>): Plugin {
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
				return {contents: narrowImports(contents), loader: path.endsWith('x') ? 'tsx' : 'ts'};
			});
		},
	};
}
