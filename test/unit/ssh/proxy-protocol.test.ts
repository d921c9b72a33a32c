import {describe, expect, test} from 'vitest';
import {readProxyHeader, trustedProxies} from '../../../source/ssh/proxy-protocol.ts';
import {fc} from '../../helpers/properties.ts';

/** A header of version 2. */
function binary({command = 0x21, family = 0x11, body}: {command?: number; family?: number; body: Buffer}): Buffer {
	const head = Buffer.from([...Buffer.from('\r\n\r\n\0\r\nQUIT\n'), command, family, 0, 0]);
	head.writeUInt16BE(body.length, 14);
	return Buffer.concat([head, body]);
}
const V4 = Buffer.from([192, 0, 2, 7, 10, 0, 0, 1, 0x1f, 0x90, 0, 22]);
const V6 = Buffer.concat([Buffer.from('20010db8000000000000000000000009', 'hex'), Buffer.alloc(16), Buffer.alloc(4)]);

describe('a header', () => {
	test.each([
		{
			name: 'version 1, IPv4',
			data: Buffer.from('PROXY TCP4 192.0.2.7 10.0.0.1 4000 22\r\nSSH'),
			address: '192.0.2.7',
			bytes: 39,
		},
		{
			name: 'version 1, IPv6',
			data: Buffer.from('PROXY TCP6 2001:db8::9 ::1 4000 22\r\n'),
			address: '2001:db8::9',
			bytes: 36,
		},
		{name: 'version 1, of the balancer itself', data: Buffer.from('PROXY UNKNOWN\r\n'), address: undefined, bytes: 15},
		{name: 'version 2, IPv4', data: binary({body: V4}), address: '192.0.2.7', bytes: 28},
		{name: 'version 2, IPv6', data: binary({family: 0x21, body: V6}), address: '2001:db8:0:0:0:0:0:9', bytes: 52},
		{
			name: 'version 2, with additions',
			data: binary({body: Buffer.concat([V4, Buffer.alloc(20)])}),
			address: '192.0.2.7',
			bytes: 48,
		},
		{
			name: 'version 2, of the balancer itself',
			data: binary({command: 0x20, body: Buffer.alloc(0)}),
			address: undefined,
			bytes: 16,
		},
	])('of $name is read, in pieces too', ({data, address, bytes}) => {
		for (let at = 0; at < bytes; at++) expect(readProxyHeader(data.subarray(0, at))).toBe('more');
		expect(readProxyHeader(data)).toEqual({address, bytes});
	});

	test.each([
		['a greeting of SSH', Buffer.from('SSH-2.0-x\r\n')],
		['an address that is none', Buffer.from('PROXY TCP4 192.0.2.999 10.0.0.1 1 2\r\n')],
		['IPv6 named IPv4', Buffer.from('PROXY TCP4 2001:db8::9 ::1 1 2\r\n')],
		['a line of 108 bytes', Buffer.from(`PROXY TCP4 192.0.2.7 ${'1'.repeat(85)}\r\n`)],
		['a line without an end', Buffer.from(`PROXY ${'x'.repeat(120)}`)],
		['version 3', binary({command: 0x31, body: V4})],
		['an unknown command', binary({command: 0x22, body: V4})],
		['a local socket', binary({family: 0x31, body: Buffer.alloc(216)})],
		['too few bytes', binary({body: V4.subarray(0, 11)})],
		['more than a kilobyte', binary({body: Buffer.alloc(1025)})],
	])('%s is none', (_, data) => {
		expect(readProxyHeader(data)).toBe('wrong');
	});

	test('any bytes are read without an error', () => {
		fc.assert(
			fc.property(
				fc.uint8Array({maxLength: 200}),
				fc.constantFrom('', 'PROXY ', '\r\n\r\n\0\r\nQUIT\n'),
				(bytes, start) => {
					readProxyHeader(Buffer.concat([Buffer.from(start), bytes]));
				},
			),
		);
	});
});

test.each([
	{networks: ['10.0.0.0/8'], address: '10.255.0.1', isTrusted: true},
	{networks: ['10.0.0.0/8'], address: '11.0.0.1', isTrusted: false},
	{networks: ['192.0.2.7'], address: '::ffff:192.0.2.7', isTrusted: true},
	{networks: ['192.0.2.7', '2001:db8::/32'], address: '2001:db8::1', isTrusted: true},
])('$networks trusts $address: $isTrusted', ({networks, address, isTrusted}) => {
	const trusted = trustedProxies(networks);
	expect(typeof trusted === 'string' ? trusted : trusted.has(address)).toBe(isTrusted);
});

test.each(['x', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/-1', '::/129', ''])('"%s" is no network', text => {
	expect(trustedProxies(['10.0.0.0/8', text])).toBe(text);
});
