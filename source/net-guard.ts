import {lookup as resolve} from 'node:dns/promises';
import {BlockList, isIP, type LookupFunction} from 'node:net';
import {PulsetopError} from './errors.ts';

/*
 * Restricts connections to URLs from outside to the public internet: not to this machine and not to its local network. The
 * service guards webhook targets, the client URLs of responses.
 */

/** An address of a URL from outside is on this machine or its local network. */
export class AddressRefused extends PulsetopError {
	readonly code = 'address-refused';

	constructor(why = 'its address is private, and private targets are not allowed') {
		super('An address is refused', {why, next: 'fix-input'});
	}
}

/** Special-purpose addresses of IPv4 (RFC 6890). */
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
/** Special ranges inside 2000::/3: protocol assignments with Teredo, documentation, 6to4 (which wraps any IPv4 address). */
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

/** Resolves as net.connect would, and refuses a name with any private address: another lookup may return only that one. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
	resolve(hostname, {...options, all: true}).then(
		found => {
			if (!found.every(({address}) => isPublicAddress(address))) done(new AddressRefused(), []);
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
