import {BlockList, isIP, isIPv6} from 'node:net';

/** An IPv4 address that came over an IPv6 socket as itself. */
export function plainAddress(address: string): string {
	return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/**
 * A test whether addresses are in a network: `10.0.0.0/8`, or one address.
 * @returns undefined for text that is no network
 */
export function networkTest(text: string): ((address: string) => boolean) | undefined {
	const [base = '', bits, more] = text.split('/');
	const most = isIPv6(base) ? 128 : 32;
	const size = bits === undefined ? most : Number(bits || Number.NaN);
	if (isIP(base) === 0 || more !== undefined || !Number.isInteger(size) || size < 0 || size > most) return undefined;
	const list = new BlockList();
	list.addSubnet(base, size, familyOf(base));
	return address => {
		const plain = plainAddress(address);
		return list.check(plain, familyOf(plain));
	};
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
	return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** The network that counts as one address: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
	const plain = plainAddress(address);
	if (!isIPv6(plain)) return plain;
	const [head = '', tail] = plain.replace(/%.*$/, '').toLowerCase().split('::');
	const before = head === '' ? [] : head.split(':');
	const after = tail === undefined || tail === '' ? [] : tail.split(':');
	const zeros = tail === undefined ? [] : Array.from({length: 8 - before.length - after.length}, () => '0');
	return [...before, ...zeros, ...after]
		.slice(0, 4)
		.map(part => Number.parseInt(part, 16).toString(16))
		.join(':');
}
