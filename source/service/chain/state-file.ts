import {chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, statSync} from 'node:fs';
import {open, rename} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {gunzip} from 'node:zlib';

const unzip = promisify(gunzip);

/**
 * The files that hold one practice chain between runs. Two, since the node writes one of them itself when it is asked
 * to stop by somebody else than us, and may be cut off in the middle of it.
 */
export interface StateFiles {
	/** Where the node writes on its way out. */
	readonly onExit: string;
	/** The files there are, newest first. */
	candidates(): string[];
	/** Takes the node's dump (hex of gzip of JSON) and replaces the saved file with it, whole or not at all. */
	save(dump: string): Promise<void>;
	/** Keeps a file that cannot be loaded, under another name, and gives that name. */
	setAside(path: string): string;
}

/** The state files of one chain in a directory, which is made when missing. */
export function stateFiles(directory: string, chainId: number): StateFiles {
	mkdirSync(directory, {recursive: true, mode: 0o700});
	const saved = join(directory, `${chainId}.json`);
	const onExit = join(directory, `${chainId}.exit.json`);
	// One of an earlier version may be open to others, and a node that writes it again leaves that as it is.
	if (existsSync(onExit)) chmodSync(onExit, 0o600);
	return {
		onExit,
		candidates: () =>
			[saved, onExit]
				.map(path => ({path, mtimeMs: statSync(path, {throwIfNoEntry: false})?.mtimeMs}))
				.filter((file): file is {path: string; mtimeMs: number} => file.mtimeMs !== undefined)
				.sort((a, b) => b.mtimeMs - a.mtimeMs)
				.map(file => file.path),
		async save(dump) {
			const fresh = `${saved}.${process.pid}.new`;
			const file = await open(fresh, 'w', 0o600);
			try {
				await file.writeFile(await unzip(Buffer.from(dump.slice(2), 'hex')));
				await file.sync();
			} finally {
				await file.close();
			}
			await rename(fresh, saved);
			syncDirectory(dirname(saved));
		},
		setAside(path) {
			const kept = `${path}.unreadable-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
			renameSync(path, kept);
			return kept;
		},
	};
}

/** Whether a chain was kept in a directory by a former run. */
export function hasState(directory: string, chainId: number): boolean {
	return [`${chainId}.json`, `${chainId}.exit.json`].some(name => existsSync(join(directory, name)));
}

/** A rename is on the disk only when its directory is. Windows has no such thing. */
function syncDirectory(path: string): void {
	if (process.platform === 'win32') return;
	const directory = openSync(path, 'r');
	try {
		fsyncSync(directory);
	} finally {
		closeSync(directory);
	}
}
