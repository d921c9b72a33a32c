import {lookup as resolve} from 'node:dns/promises';
import {InvalidRequest} from '../../contract/wire-error.ts';
import {isPublicAddress, literalAddress} from '../../net-guard.ts';

/** A name that is still not found after this long is judged when something is delivered to it. */
const RESOLVE_MS = 2000;

/**
 * Judges a target when it is registered. The judgement that counts is made at each connection; this one is for people.
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
	// Names of this machine by definition (RFC 6761), whether they can be looked up or not.
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
