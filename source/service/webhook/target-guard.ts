import {lookup as resolve} from 'node:dns/promises';
import {InvalidRequest} from '../../contract/wire-error.ts';
import {isPublicAddress, literalAddress} from '../../net-guard.ts';

/** A name that takes longer to resolve is checked at its first delivery. */
const RESOLVE_MS = 2000;

/**
 * Checks a target when it is registered, so that the caller learns early. Each connection checks again.
 * @throws InvalidRequest `url`
 */
export async function checkTarget(text: string, {allowPrivate}: {allowPrivate: boolean}): Promise<void> {
	const url = URL.parse(text);
	if (url === null || !/^https?:$/.test(url.protocol)) {
		throw new InvalidRequest('url', 'must be an address of the web', 'http or https');
	}
	if (url.username !== '' || url.password !== '') {
		throw new InvalidRequest('url', 'must not carry a name or a password', 'deliveries are signed instead');
	}
	if (allowPrivate) return;
	const literal = literalAddress(url);
	const addresses = literal === undefined ? await addressesOf(url.hostname) : [literal];
	if (addresses.every(isPublicAddress)) return;
	throw new InvalidRequest('url', 'must not lead to a private address', 'this service delivers to the public internet');
}

async function addressesOf(hostname: string): Promise<readonly string[]> {
	// Names of this machine by definition (RFC 6761), even when they cannot be resolved.
	if (/(^|\.)localhost\.?$/.test(hostname)) return ['127.0.0.1'];
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never[]>(resolve => {
		timer = setTimeout(() => resolve([]), RESOLVE_MS);
	});
	const found = resolve(hostname, {all: true}).then(
		all => all.map(({address}) => address),
		() => [],
	);
	return Promise.race([found, late]).finally(() => clearTimeout(timer));
}
