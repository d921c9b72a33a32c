import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';

interface Locked {
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
	readonly resolved?: string;
}

const {packages} = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
	readonly packages: Readonly<Record<string, Locked>>;
};

/** Whether the lockfile places a dependency where Node finds it from the package at `path`. */
function isLocked(path: string, dependency: string): boolean {
	const place = `${path === '' ? '' : `${path}/`}node_modules/${dependency}`;
	if (place in packages) return true;
	return path !== '' && isLocked(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), dependency);
}

test('the lockfile holds every dependency of every platform, so that `npm ci` installs anywhere', () => {
	const missing = Object.entries(packages).flatMap(([path, {dependencies, optionalDependencies}]) =>
		Object.keys({...dependencies, ...optionalDependencies})
			.filter(dependency => !isLocked(path, dependency))
			.map(dependency => `${path}: ${dependency}`),
	);
	expect(missing).toEqual([]);
	const platforms = Object.keys(packages['node_modules/@biomejs/biome']!.optionalDependencies!);
	expect(platforms.filter(name => name.includes('darwin') || name.includes('win32')).length).toBeGreaterThan(1);
});

test('the lockfile names no address of a registry', () => {
	const resolved = Object.entries(packages).filter(([, {resolved}]) => resolved !== undefined);
	expect(resolved).toEqual([]);
});
