import type {Entry} from './entry.ts';
import type {Field} from './fields.ts';
import type {Read, Readable} from './filter.ts';
import type {Scalar, Value} from './filter-test.ts';
import type {SecurityFlag} from './security-flags.ts';
import type {WireEntry} from './wire-entry.ts';

/** Reads an entry of the program for `matches`, `explain` and sorting. */
export function readEntry(entry: Entry): Read {
	return of => (isFlag(of) ? entry.security?.[of.name] : entry[of.name]);
}

/**
 * Reads an entry as the service writes it, by the table of fields: the first spelling that is there, in pool mode at the
 * root, in `pair`, then in the base token. A 0 that stands for "unknown" on the wire reads as 0.
 */
export function readWireEntry(entry: WireEntry, mode: 'asset' | 'pool'): Read {
	const pair = objectOr(entry['pair'], entry);
	const token = objectOr(pair[pair['baseToken'] === 'token1' ? 'token1' : 'token0'], {});
	return of => {
		if (isFlag(of)) return scalarOf(objectOr(entry['security'], {})[of.name], of.kind);
		if (of.name === 'twitter' || of.name === 'website' || of.name === 'telegram') {
			return scalarOf(objectOr(entry['socials'], {})[of.name], of.kind);
		}
		if (mode === 'asset') return firstOf(entry, of.asset, of);
		return firstOf(entry, of.pool, of) ?? firstOf(pair, of.pair, of) ?? firstOf(token, of.token, of);
	};
}

function isFlag(of: Readable): of is SecurityFlag {
	return !('aliases' in of);
}

function objectOr(value: unknown, otherwise: WireEntry): WireEntry {
	return typeof value === 'object' && value !== null ? (value as WireEntry) : otherwise;
}

function firstOf(object: WireEntry, spellings: readonly string[], field: Field): Scalar | undefined {
	for (const spelling of spellings) {
		const value = scalarOf(object[spelling], field.kind);
		if (value !== undefined && value !== null) return value;
	}
	return undefined;
}

function scalarOf(value: unknown, kind: Readable['kind']): Value {
	if (typeof value !== 'string') return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
	if (kind === 'text') return value;
	if (kind === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
	return kind === 'date' ? Date.parse(value) : value === '' ? undefined : Number(value);
}
