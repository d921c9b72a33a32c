import {accessSync, constants} from 'node:fs';
import {createRequire} from 'node:module';
import {delimiter, dirname, join} from 'node:path';

const PLATFORMS: Readonly<Record<string, string>> = {
	'linux-x64': 'linux-amd64',
	'linux-arm64': 'linux-arm64',
	'darwin-x64': 'darwin-amd64',
	'darwin-arm64': 'darwin-arm64',
	'win32-x64': 'win32-amd64',
};

/** Where to look for anvil besides the package that comes with the program. */
export interface AnvilSearch {
	/** The configured path; when given, nothing else is tried. */
	readonly path?: string | undefined;
	readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * The path of the anvil program: the configured one, `ANVIL_BIN`, the installed platform package, or one on PATH. The
 * program itself, never the package's script around it: the script would be another process, which outlives its parent.
 * @returns without `path` when no binary was found; `tried` lists every place that was searched
 */
export function findAnvil({path, env = process.env}: AnvilSearch = {}): {path?: string; tried: readonly string[]} {
	const tried: string[] = [];
	for (const [place, candidate] of candidates(path, env)) {
		if (candidate !== undefined && isExecutable(candidate)) return {path: candidate, tried};
		tried.push(place);
	}
	return {tried};
}

function* candidates(
	path: string | undefined,
	env: Readonly<Record<string, string | undefined>>,
): Generator<readonly [place: string, candidate: string | undefined]> {
	if (path !== undefined) {
		yield ['the configured path', path];
		return;
	}
	if (env['ANVIL_BIN']) {
		yield ['ANVIL_BIN', env['ANVIL_BIN']];
		return;
	}
	const program = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
	const target = PLATFORMS[`${process.platform}-${process.arch}`];
	yield [`the package @foundry-rs/anvil for ${process.platform}-${process.arch}`, packaged(target, program)];
	// Where the package's own install script puts what it has fetched.
	yield ['what the package @foundry-rs/anvil has fetched', beside('@foundry-rs/anvil/package.json', program)];
	const onPath = (env['PATH'] ?? '')
		.split(delimiter)
		.filter(Boolean)
		.map(directory => join(directory, program));
	// npm puts a link to the package's script into node_modules/.bin, which is on PATH in npm scripts.
	yield ['PATH', onPath.find(candidate => !candidate.includes('node_modules') && isExecutable(candidate))];
}

function packaged(target: string | undefined, program: string): string | undefined {
	return target && resolve(`@foundry-rs/anvil-${target}/bin/${program}`);
}

function beside(file: string, program: string): string | undefined {
	const found = resolve(file);
	return found && join(dirname(found), program);
}

function resolve(specifier: string): string | undefined {
	try {
		return createRequire(import.meta.url).resolve(specifier);
	} catch {
		return undefined;
	}
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
