import {type FSWatcher, realpathSync, watch} from 'node:fs';
import {dirname, relative, resolve, sep} from 'node:path';

/** Debounce: editors write a file in several steps. */
const QUIET_MS = 100;

/**
 * Calls back when a file may have been created, changed or deleted. Watches directories, because editors replace the file.
 * Follows links; while a directory is missing, watches the nearest one above it.
 * @returns stops watching
 */
export function watchFile(path: string, onChange: () => void): () => void {
	const file = resolve(path);
	let watchers: readonly FSWatcher[] = [];
	let timer: NodeJS.Timeout | undefined;
	function follow(): void {
		for (const watcher of watchers) watcher.close();
		watchers = [...new Set([file, targetOf(file)])].flatMap(one => watched(one, changed) ?? []);
	}
	function changed(): void {
		clearTimeout(timer);
		timer = setTimeout(() => {
			// Directories may have been created or deleted, and a link may lead elsewhere.
			follow();
			onChange();
		}, QUIET_MS);
	}
	follow();
	return () => {
		clearTimeout(timer);
		for (const watcher of watchers) watcher.close();
	};
}

/** The target of a link; the path itself for a broken link or no link. */
function targetOf(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}

/** Watches the directory of a file, or the nearest existing one above it; undefined when none can be watched. */
function watched(path: string, onChange: () => void): FSWatcher | undefined {
	for (let directory = dirname(path); ; directory = dirname(directory)) {
		const [name] = relative(directory, path).split(sep);
		try {
			const watcher = watch(directory, {persistent: false}, (_, changed) => {
				if (changed === null || changed === name) onChange();
			});
			// The directory was deleted: the next one above it is watched from then on.
			return watcher.on('error', onChange);
		} catch {
			if (directory === dirname(directory)) return undefined;
		}
	}
}
