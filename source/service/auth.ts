import {createHmac, randomBytes, timingSafeEqual} from 'node:crypto';
import type {IncomingHttpHeaders} from 'node:http';
import {isLoopback} from '../loopback.ts';

/** Checks API keys without keeping them: only keyed hashes stay in memory. */
export interface Keyring {
	/**
	 * The identity of a valid key, for limits and records (not the key itself); undefined for any other text. Takes the
	 * same time for every text.
	 */
	identify(key: string | undefined): string | undefined;
}

/** A keyring of these keys. */
export function createKeyring(keys: readonly string[]): Keyring {
	// A new salt in each run: a dump of the process gives nothing to compare with.
	const salt = randomBytes(32);
	const digest = (key: string) => createHmac('sha256', salt).update(key).digest();
	const known = keys.map(digest);
	return {
		identify(key) {
			const presented = digest(key ?? '');
			let found = -1;
			for (const [i, hash] of known.entries()) if (timingSafeEqual(hash, presented)) found = i;
			return found < 0 || key === undefined ? undefined : `key:${found}`;
		},
	};
}

/** A new random API key. */
export function makeApiKey(): string {
	return `pt_${randomBytes(24).toString('base64url')}`;
}

/**
 * The key of a request: `Authorization`, raw or after `Bearer`, or `?apiKey=` (spec 5, contract gaps 9).
 * @param query the part after `?`, parsed
 */
export function presentedKey(headers: IncomingHttpHeaders, query: URLSearchParams): string | undefined {
	return bareKey(headers.authorization) ?? (query.get('apiKey') || undefined);
}

/** A key without the word Bearer before it; undefined when empty. */
export function bareKey(value: string | undefined): string | undefined {
	const key = value?.replace(/^Bearer +/i, '').trim();
	return key || undefined;
}

/**
 * Whether a request may be answered without a key. A page in a browser, or a name that was made to point here (DNS
 * rebinding), must not read a service that trusts every program on this machine.
 */
export function isLocalRequest(headers: IncomingHttpHeaders): boolean {
	const {origin} = headers;
	// A picture or a link of a page comes without an origin, but the browser sends which site the page is from.
	if (headers['sec-fetch-site'] === 'cross-site') return false;
	return isLoopback(hostName(headers.host)) && (origin === undefined || isLoopback(hostName(origin)));
}

function hostName(hostOrOrigin: string | undefined): string {
	if (hostOrOrigin === undefined) return '';
	const url = hostOrOrigin.includes('://') ? hostOrOrigin : `http://${hostOrOrigin}`;
	return URL.parse(url)?.hostname ?? '';
}
