import {lookup as resolve} from 'node:dns/promises';
import {BlockList, isIP, type LookupFunction} from 'node:net';
import {InvalidRequest} from '../../contract/wire-error.ts';
import {PulsetopError} from '../../errors.ts';

/** A webhook's target lies where the service must not be made to send: this machine, or the network around it. */
export class TargetRefused extends PulsetopError {
	readonly code = 'target-refused';

	constructor(why = 'its address is private, and private targets are not allowed') {
		super('The target of the webhook is refused', {why, next: 'fix-input'});
	}
}

/** Addresses of IPv4 that belong to nobody in particular (RFC 6890 and what it names). */
const SPECIAL_4: readonly (readonly [string, number])[] = [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.0.2.0', 24],
	['192.88.99.0', 24],
	['192.168.0.0', 16],
	['198.18.0.0', 15],
	['198.51.100.0', 24],
	['203.0.113.0', 24],
	['224.0.0.0', 4],
	['240.0.0.0', 4],
];
/** What is special inside 2000::/3: protocol assignments with Teredo, documentation, 6to4 (which wraps any IPv4 address). */
const SPECIAL_6: readonly (readonly [string, number])[] = [
	['2001::', 23],
	['2001:db8::', 32],
	['2002::', 16],
	['3fff::', 20],
];

const special = new BlockList();
for (const [network, bits] of SPECIAL_4) special.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of SPECIAL_6) special.addSubnet(network, bits, 'ipv6');
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address is one of the public internet. Of IPv6 only global unicast is: wrapped IPv4 is not looked into. */
export function isPublicAddress(address: string): boolean {
	const family = isIP(address);
	if (family === 4) return !special.check(address, 'ipv4');
	return family === 6 && global6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** Resolves as net.connect would, and refuses a name of which any address is private: another lookup may answer otherwise. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
	resolve(hostname, {...options, all: true}).then(
		found => {
			if (!found.every(({address}) => isPublicAddress(address))) done(new TargetRefused(), []);
			else if (options.all) done(null, found);
			else done(null, found[0]!.address, found[0]!.family);
		},
		(error: NodeJS.ErrnoException) => done(error, []),
	);
};

/** The IP address that a URL names itself, without brackets; undefined for a name. URLs write odd spellings of IPv4 plainly. */
export function literalAddress({hostname}: URL): string | undefined {
	const bare = hostname.replace(/^\[|\]$/g, '');
	return isIP(bare) === 0 ? undefined : bare;
}

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
