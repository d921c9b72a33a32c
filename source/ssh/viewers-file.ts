import {clean} from '../text.ts';
import {networkTest, plainAddress} from './addresses.ts';
import type {Admission} from './login.ts';
import {readPublicKey} from './public-key.ts';

/*
 * The keys that may come, in the form of OpenSSH's authorized_keys: one a line, with options before the key and a comment
 * behind it. Options that narrow (`from`, `expiry-time`) count; a line with any other is refused, since its writer relies on
 * something that would not happen.
 */

/** A key that may come. */
interface ListedKey {
	readonly name: string;
	/** Unix ms from which on the key may not come. */
	readonly expiresMs?: number;
	/** Whether the key may come from an address. */
	readonly isFrom: (address: string) => boolean;
}

/** The keys of a file, and its unusable lines. */
export interface ViewersFile {
	/** By fingerprint. */
	readonly keys: ReadonlyMap<string, ListedKey>;
	/** `line 3: …`, without a full stop. */
	readonly problems: readonly string[];
}

/**
 * Who may come.
 * @param isOpen everybody may
 * @param listed the keys of a file, as they are now; undefined without a file
 * @param nowMs the time, Unix ms
 */
export function admissionOf(isOpen: boolean, listed: (() => ViewersFile) | undefined, nowMs: () => number): Admission {
	return {
		isOpen,
		nameOf(fingerprint, address) {
			const key = listed?.().keys.get(fingerprint);
			if (!key || (key.expiresMs !== undefined && nowMs() >= key.expiresMs) || !key.isFrom(address)) return undefined;
			return key.name;
		},
	};
}

/** A name is shown in the header and in the log, cells. */
const MAX_NAME = 32;

/** Reads the lines of a file of keys. */
export function readViewers(text: string): ViewersFile {
	const keys = new Map<string, ListedKey>();
	const problems: string[] = [];
	for (const [at, line] of text.split(/\r?\n/).entries()) {
		const trimmed = line.trim();
		if (trimmed === '' || trimmed.startsWith('#')) continue;
		const read = readLine(trimmed);
		if (typeof read === 'string') problems.push(`line ${at + 1}: ${read}`);
		else keys.set(read.fingerprint, read.key);
	}
	return {keys, problems};
}

const KEY = /(?:^|\s)((?:ssh|ecdsa|sk)-[\w@.-]+)\s+([A-Za-z0-9+/]+=*)(?:\s+(.*))?$/;

function readLine(line: string): {readonly fingerprint: string; readonly key: ListedKey} | string {
	const found = KEY.exec(line);
	if (!found) return 'there is no key in it';
	const [, kind = '', base64 = '', comment = ''] = found;
	const key = readPublicKey(Buffer.from(base64, 'base64'));
	if (key === undefined)
		return `the key ${clean(kind, {maxCells: 40})} can't be used: ed25519, ECDSA and RSA of 2048 to 8192 bits can`;
	const options = readOptions(line.slice(0, found.index).trim());
	if (typeof options === 'string') return options;
	const name = clean(comment.trim().split(/\s+/)[0] ?? '', {maxCells: MAX_NAME});
	return {
		fingerprint: key.fingerprint,
		key: {name: name === '' ? key.fingerprint.slice('SHA256:'.length, 15) : name, ...options},
	};
}

function readOptions(text: string): Pick<ListedKey, 'expiresMs' | 'isFrom'> | string {
	let isFrom: ListedKey['isFrom'] = () => true;
	let expiresMs: number | undefined;
	for (const [, name = '', quoted = ''] of text.matchAll(/\s*([\w-]+)(?:="([^"]*)")?\s*(?:,|$)/g)) {
		if (name === '') continue;
		if (name === 'from') {
			const matcher = addressMatcher(quoted.split(','));
			if (typeof matcher === 'string') return matcher;
			isFrom = matcher;
		} else if (name === 'expiry-time') {
			const read = expiryOf(quoted);
			if (read === undefined)
				return `expiry-time="${clean(quoted, {maxCells: 20})}" is no time: write 20271231 or 202712312359Z`;
			expiresMs = read;
		} else return `the option ${clean(name, {maxCells: 40})} is not known here: only from and expiry-time are`;
	}
	return {isFrom, ...(expiresMs !== undefined && {expiresMs})};
}

/** `20271231`, `202712312359`, with seconds, with Z for UTC; else local time, as in OpenSSH. */
function expiryOf(text: string): number | undefined {
	const [, year, month, day, hour = '00', minute = '00', second = '00', zone = ''] =
		/^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?(Z?)$/.exec(text) ?? [];
	if (year === undefined) return undefined;
	const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
	return Number.isNaN(ms) ? undefined : ms;
}

/** Addresses, networks (`10.0.0.0/8`) and patterns with `*` and `?`; one with `!` before it excludes. */
function addressMatcher(patterns: readonly string[]): ListedKey['isFrom'] | string {
	const tests: {readonly isExcluded: boolean; readonly matches: (address: string) => boolean}[] = [];
	for (const pattern of patterns) {
		const isExcluded = pattern.startsWith('!');
		const matches = oneAddress(pattern.replace(/^!/, ''));
		if (matches === undefined) return `from="${clean(pattern, {maxCells: 40})}" is no address: names are not looked up`;
		tests.push({isExcluded, matches});
	}
	return address =>
		tests.some(({isExcluded, matches}) => !isExcluded && matches(address)) &&
		!tests.some(({isExcluded, matches}) => isExcluded && matches(address));
}

function oneAddress(pattern: string): ((address: string) => boolean) | undefined {
	const network = networkTest(pattern);
	if (network || !/^[\d.:a-f*?]+$/i.test(pattern) || !/[*?]/.test(pattern)) return network;
	const form = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')}$`, 'i');
	return address => form.test(plainAddress(address));
}
