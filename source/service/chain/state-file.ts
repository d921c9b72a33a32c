import {chmodSync, existsSync, renameSync, statSync} from 'node:fs';
import {open, rename} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {gunzip} from 'node:zlib';
import {makeDirectory} from '../../make-directory.ts';
import {syncDirectory} from '../../sync-directory.ts';

const unzip = promisify(gunzip);

/**
 * The two files of one practice chain between runs. The node writes one of them when another program ends the node, and may be
 * killed while it writes.
 */
export interface StateFiles {
	/** The file that the node writes when it ends. */
	readonly onExit: string;
	/** The existing files, newest first. */
	candidates(): string[];
	/** Replaces the saved file by the node's dump (hex of gzip of JSON), completely or not at all. */
	save(dump: string): Promise<void>;
	/** Renames a file that cannot be loaded, and returns the new name. */
	setAside(path: string): string;
}

/** The state files of one chain in a directory, which is made when missing. */
export function stateFiles(directory: string, chainId: number): StateFiles {
	makeDirectory(directory);
	const saved = join(directory, `${chainId}.json`);
	const onExit = join(directory, `${chainId}.exit.json`);
	// A file of an earlier version may be readable by others, and a node that writes the file again keeps its mode.
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

/** Whether an earlier run left a chain in a directory. */
export function hasState(directory: string, chainId: number): boolean {
	return [`${chainId}.json`, `${chainId}.exit.json`].some(name => existsSync(join(directory, name)));
}
