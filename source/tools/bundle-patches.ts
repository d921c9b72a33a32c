import {readFile} from 'node:fs/promises';
import type {Plugin} from 'esbuild';

/**
 * A change of a package's text as it is put into the bundle. The package in node_modules stays as it is, and the program
 * works without any of these.
 */
export interface Patch {
	/** What it does; messages name it. */
	readonly name: string;
	/** The file of the package, from node_modules on. */
	readonly file: string;
	/** The exact text that is replaced, wherever it stands. */
	readonly find: string;
	readonly replace: string;
	/** In how many places the text has to stand, no more and no fewer. */
	readonly places: number;
	readonly reason: string;
	/** Measured: CPU time, the least of 25 runs on Node 24; or what else a user is spared. */
	readonly gain: string;
}

const SEGMENTER_REASON = 'The first segmenter of a process reads tables of Unicode; a frame of plain text needs none.';
const SEGMENTER_GAIN = '8.5 ms at the start, once all five files make theirs when they first use it';

/** A segmenter that is made when the file first uses it. @param declaration the line that makes it at once */
function lateSegmenter(file: string, declaration: string): Patch {
	const [, name, options] = /^const (\w+) = new Intl\.Segmenter\((.*)\);$/.exec(declaration)!;
	const replace = `let made;\nconst ${name} = {segment: text => (made ??= new Intl.Segmenter(${options})).segment(text)};`;
	return {
		name: 'late segmenter',
		file,
		find: declaration,
		replace,
		places: 1,
		reason: SEGMENTER_REASON,
		gain: SEGMENTER_GAIN,
	};
}

/** A module of Node's own that is loaded when a member of it is first read. @param line the `require` that loads it at once */
function lateBuiltin(file: string, line: string, gain: string): Patch {
	const [, module] = /^const (\w+) = require\('[\w:]+'\);?$/.exec(line)!;
	return {
		name: `late ${module}`,
		file,
		find: `\n${line}\n`,
		replace: `\nconst ${module} = new Proxy({}, {get: (_, name) => process.getBuiltinModule('node:${module}')[name]});\n`,
		places: 1,
		reason: 'On loopback there is neither TLS nor HTTP/2, and every thread with a server or a websocket loads them.',
		gain,
	};
}

/**
 * A key of AES-GCM that Node prepares once for a connection. @param next the code that follows in the class with a new cipher for
 * each packet
 */
function preparedKey(member: string, key: string, next: string): Patch {
	const find = `this._${member} = ${key};\n    this.${next}`;
	return {
		name: `prepared ${key}`,
		file: 'ssh2/lib/protocol/crypto.js',
		find,
		replace: find.replace(`${key};`, `require('crypto').createSecretKey(${key});`),
		places: 1,
		reason: 'A key given as bytes is looked at and copied for each packet, which takes longer than to encrypt a frame.',
		gain: '0.01 ms a packet of 1.5 kB (14 to 5 us)',
	};
}

const KEX = 'ssh2/lib/protocol/kex.js';
const POST_QUANTUM = {
	reason: 'The library has no post-quantum key exchange (ssh2#1471): ssh/post-quantum.ts adds one.',
	gain: '3 lines of warning at each login from OpenSSH 10.1 on',
};

/** Every patch of the bundle. */
export const PATCHES: readonly Patch[] = [
	{
		name: 'no fetch',
		file: 'yoga-layout/dist/binaries/yoga-wasm-base64-esm.js',
		find: '"function"!=typeof fetch',
		replace: 'true',
		places: 2,
		reason: 'The loader fetches a data: URL of its own bytes, for which Node loads undici; else it decodes the text.',
		gain: '42 ms at the start',
	},
	lateSegmenter('string-width/index.js', 'const segmenter = new Intl.Segmenter();'),
	{
		name: 'late emoji',
		file: 'string-width/index.js',
		find: 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
		replace:
			'let emoji;\n' +
			'const rgiEmojiRegex = {test: text => /^\\p{Emoji}/u.test(text) && (emoji ??= /^\\p{RGI_Emoji}$/v).test(text)};',
		places: 1,
		reason: 'The expression is a table of all sequences of emoji, made at every start; most starts draw none.',
		gain: '15 ms at the start',
	},
	lateSegmenter('wrap-ansi/index.js', 'const segmenter = new Intl.Segmenter();'),
	lateSegmenter(
		'slice-ansi/tokenize-ansi.js',
		"const GRAPHEME_SEGMENTER = new Intl.Segmenter(undefined, {granularity: 'grapheme'});",
	),
	lateSegmenter(
		'ink/build/line-update.js',
		"const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });",
	),
	lateSegmenter(
		'@alcalzone/ansi-tokenize/build/tokenize.js',
		'const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });',
	),
	lateBuiltin('fastify/lib/server.js', "const https = require('node:https')", '4.4 ms a thread, TLS included'),
	lateBuiltin('fastify/lib/server.js', "const http2 = require('node:http2')", '7.5 ms a thread'),
	lateBuiltin('ws/lib/websocket.js', "const https = require('https');", '4.4 ms a thread, TLS included'),
	lateBuiltin('ws/lib/websocket.js', "const tls = require('tls');", '4.4 ms a thread, together with https'),
	preparedKey('encKey', 'enc.cipherKey', '_encIV = enc.cipherIV;\n    this._dead = false;'),
	preparedKey('decipherKey', 'dec.decipherKey', '_decipherIV = dec.decipherIV;\n    this._len = 0;'),
	{
		name: 'pooled padding',
		file: 'ssh2/lib/protocol/crypto.js',
		find: " randomFillSync, timingSafeEqual\n} = require('crypto');\n",
		replace:
			" timingSafeEqual\n} = require('crypto');\n" +
			'const pool = Buffer.allocUnsafe(4096);\nlet used = pool.length;\n' +
			'const randomFillSync = (packet, from, length) => {\n' +
			'  if (used + length > pool.length) {\n' +
			"    require('crypto').randomFillSync(pool);\n    used = 0;\n  }\n" +
			'  pool.copy(packet, from, used, used + length);\n  used += length;\n};\n',
		places: 1,
		reason: 'Each packet asks for a dozen random bytes, in an object that the garbage collector has to end.',
		gain: '0.03 ms a packet among frames (2.2 % of 60 viewers; 0.9 us in a loop)',
	},
	{
		name: 'more key exchanges',
		file: KEX,
		find: '    const kexType = negotiated.kex;\n    if',
		replace:
			'    const kexType = negotiated.kex;\n' +
			'    const extend = module.exports.EXCHANGES[kexType];\n' +
			"    if (extend) return new (extend(Curve25519Exchange))('sha256', negotiated, ...args);\n    if",
		places: 1,
		...POST_QUANTUM,
	},
	{
		name: 'place for key exchanges',
		file: KEX,
		find: 'module.exports = {\n  KexInit,',
		replace: 'module.exports = {\n  EXCHANGES: {},\n  KexInit,',
		places: 1,
		...POST_QUANTUM,
	},
];

/** What to do about a patch that does not apply. */
const REMEDY =
	'Read the new file: correct `find` and `places` in source/tools/bundle-patches.ts, or remove the patch if the package ' +
	'no longer needs it (the program works without).';

/**
 * The text of a file with a patch applied.
 * @throws Error that names the patch and says what to do, unless the text stands in exactly as many places as expected
 */
export function patched(text: string, {name, file, find, replace, places}: Patch): string {
	const found = text.split(find).length - 1;
	if (found === places) return text.replaceAll(find, () => replace);
	const where = `${places} ${places === 1 ? 'place' : 'places'}`;
	throw new Error(`The patch "${name}" of ${file} must apply in ${where}, and applies in ${found}. ${REMEDY}`);
}

/**
 * Applies patches to the packages in a bundle. The build fails when one does not apply as expected, and when the file of one
 * is not in the bundle at all.
 */
export function patchPackages(patches: readonly Patch[] = PATCHES): Plugin {
	const files = [...new Set(patches.map(patch => patch.file))];
	const filter = new RegExp(`[\\\\/]node_modules[\\\\/](?:${files.map(pathPattern).join('|')})$`);
	return {
		name: 'patches',
		setup(build) {
			const met = new Set<string>();
			build.onLoad({filter}, async ({path}) => {
				const file = files.find(name => path.replaceAll('\\', '/').endsWith(`/node_modules/${name}`))!;
				met.add(file);
				return {
					contents: patches.filter(patch => patch.file === file).reduce(patched, await readFile(path, 'utf8')),
				};
			});
			build.onEnd(({errors}) => {
				if (errors.length > 0) return undefined;
				const unmet = patches.filter(patch => !met.has(patch.file));
				return {
					errors: unmet.map(({name, file}) => ({
						text: `The patch "${name}" is for ${file}, which is not in the bundle. ${REMEDY}`,
					})),
				};
			});
		},
	};
}

/** Names of packages and files have no other letters that a pattern reads in its own way. */
function pathPattern(file: string): string {
	return file.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]');
}
