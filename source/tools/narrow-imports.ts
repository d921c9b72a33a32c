import {readFileSync} from 'node:fs';
import {findPackageJSON} from 'node:module';
import {dirname, join, resolve} from 'node:path';

/*
 * A file that takes one name from a barrel makes everything behind the barrel reachable, and esbuild puts code that is
 * reachable from two entries into chunks that both entries load, used or not: one checksum of an address brought 0.4 MB of
 * elliptic curves into the start of the service. Taken from its own file, a name brings only what it needs.
 */

/** The last is where viem has `parseAbi` from. */
const BARRELS: readonly string[] = ['viem', 'viem/utils', 'viem/accounts', 'abitype'];
const IMPORT = /^import (?!type\b)\{([^}]*)\} from '([^']+)';/gm;

/** The text of a module with each import from a barrel of viem turned into imports from the files that define the names. */
export function narrowImports(text: string): string {
	return text.replace(IMPORT, (whole, names: string, from: string) => {
		const files = BARRELS.includes(from) ? filesOf(from) : undefined;
		if (files === undefined) return whole;
		return names
			.split(',')
			.map(name => name.trim())
			.filter(name => name !== '' && !name.startsWith('type '))
			.map(name => `import {${name}} from '${files.get(name.split(' ')[0]!) ?? from}';`)
			.join('');
	});
}

const known = new Map<string, ReadonlyMap<string, string>>();

/** Where a barrel has its names from: a file, by name. @param importer the path of a module that can import the barrel */
function filesOf(barrel: string, importer: string = import.meta.filename): ReadonlyMap<string, string> {
	const files = known.get(barrel) ?? readBarrel(pathOf(barrel, importer));
	known.set(barrel, files);
	return files;
}

function readBarrel(path: string): ReadonlyMap<string, string> {
	const files = new Map<string, string>();
	for (const [, names, from] of readFileSync(path, 'utf8').matchAll(/export \{([^}]*)\} from '([^']+)'/g)) {
		// `a as b` has another name in its file than in the barrel: those stay with the barrel.
		for (const name of names!.split(',').map(text => text.trim())) {
			if (!/^\w+$/.test(name)) continue;
			if (from!.startsWith('.')) files.set(name, resolve(dirname(path), from!));
			else if (BARRELS.includes(from!)) files.set(name, filesOf(from!, path).get(name)!);
		}
	}
	if (files.size === 0) {
		throw new Error(
			`${path} has no \`export {name} from './file'\` any more. Read how viem lists its names now, and correct ` +
				'source/tools/narrow-imports.ts, or remove it (it only keeps the bundle small).',
		);
	}
	return files;
}

function pathOf(barrel: string, importer: string): string {
	const [name, ...rest] = barrel.split('/');
	const manifest = findPackageJSON(name!, importer)!;
	const {exports} = JSON.parse(readFileSync(manifest, 'utf8')) as {exports: Record<string, {import: string}>};
	return join(dirname(manifest), exports[['.', ...rest].join('/')]!.import);
}
