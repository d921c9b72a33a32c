import {existsSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Metafile} from 'esbuild';

/** The manifest of the checkout while the smaller one is packed. */
const WHOLE = '.package.json.whole';

/** The names of the packages whose code esbuild put into the bundle. */
function bundledPackages({inputs}: Metafile): ReadonlySet<string> {
	const names = Object.keys(inputs).flatMap(path => {
		const [, name] = /.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
		return name ?? [];
	});
	return new Set(names);
}

/**
 * Takes the packages that are in the bundle out of the manifest's dependencies: who installs pulsetop downloads none of them twice.
 * @param root the directory of package.json; `restoreManifest` puts the whole manifest back
 */
export function shrinkManifest(root: string, metafile: Metafile): void {
	restoreManifest(root);
	const path = join(root, 'package.json');
	const text = readFileSync(path, 'utf8');
	writeFileSync(join(root, WHOLE), text);
	const bundled = bundledPackages(metafile);
	const manifest = JSON.parse(text) as {dependencies: Readonly<Record<string, string>>};
	const dependencies = Object.fromEntries(Object.entries(manifest.dependencies).filter(([name]) => !bundled.has(name)));
	writeFileSync(path, `${JSON.stringify({...manifest, dependencies}, null, '\t')}\n`);
}

/** Puts the manifest of the checkout back, also after a pack that was interrupted. */
export function restoreManifest(root: string): void {
	if (existsSync(join(root, WHOLE))) renameSync(join(root, WHOLE), join(root, 'package.json'));
}
