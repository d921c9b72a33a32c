import {type FSWatcher, realpathSync, watch} from 'node:fs';
import {dirname, relative, resolve, sep} from 'node:path';

/** Editors write a file in several steps: it is looked at when nothing has happened for this long, ms. */
const QUIET_MS = 100;

/**
 * Calls back when a file may have changed, came or went. Directories are watched: editors put a new file in the place of the
 * old one. A link is followed; of a directory that is not there the nearest one above it is watched until it is.
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
			// Directories may have come or gone, and a link may lead elsewhere.
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

/** Where a link leads; the path itself where it is none, or leads nowhere. */
function targetOf(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}

/** Watches the directory of a file, or the nearest there is above it; undefined where none can be watched. */
function watched(path: string, onChange: () => void): FSWatcher | undefined {
	for (let directory = dirname(path); ; directory = dirname(directory)) {
		const [name] = relative(directory, path).split(sep);
		try {
			const watcher = watch(directory, {persistent: false}, (_, changed) => {
				if (changed === null || changed === name) onChange();
			});
			// The directory itself went: the next one above it is watched from then on.
			return watcher.on('error', onChange);
		} catch {
			if (directory === dirname(directory)) return undefined;
		}
	}
}
