import type {Entry} from './entry.ts';
import type {Read, Readable} from './filter.ts';
import type {SecurityFlag} from './security-flags.ts';

/** Reads an entry of the program for `matches`, `explain` and sorting. */
export function readEntry(entry: Entry): Read {
	return of => (isFlag(of) ? entry.security?.[of.name] : entry[of.name]);
}

function isFlag(of: Readable): of is SecurityFlag {
	return !('aliases' in of);
}
