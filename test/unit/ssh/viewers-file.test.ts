import {generateKeyPairSync} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {readPublicKey} from '../../../source/ssh/public-key.ts';
import {admissionOf, readViewers} from '../../../source/ssh/viewers-file.ts';
import {wireKey} from '../../helpers/ssh-wire.ts';

const blob = wireKey(generateKeyPairSync('ed25519').publicKey);
const KEY = `ssh-ed25519 ${blob.toString('base64')}`;
const {fingerprint} = readPublicKey(blob)!;

const one = (line: string) => readViewers(line).keys.get(fingerprint);

test('a line is a key with a name; blank lines and comments are nothing', () => {
	const {keys, problems} = readViewers(`# the team\n\n${KEY} anna laptop\r\n`);
	expect(problems).toEqual([]);
	expect([...keys]).toMatchObject([[fingerprint, {name: 'anna'}]]);
	expect(one(KEY)?.name).toBe(fingerprint.slice(7, 15));
});

test('a name with escapes is shown without them', () => {
	expect(one(`${KEY} an\u001b[31mna`)?.name).not.toMatch(/\u001b/);
});

describe('from', () => {
	test.each([
		{from: '192.0.2.7', address: '192.0.2.7', may: true},
		{from: '192.0.2.7', address: '192.0.2.8', may: false},
		{from: '192.0.2.7', address: '::ffff:192.0.2.7', may: true},
		{from: '10.0.0.0/8', address: '10.255.255.255', may: true},
		{from: '10.0.0.0/8', address: '11.0.0.0', may: false},
		{from: '10.0.0.0/8', address: '9.255.255.255', may: false},
		{from: '2001:db8::/32', address: '2001:db8:1::9', may: true},
		{from: '2001:db8::/32', address: '2001:db9::9', may: false},
		{from: '192.0.2.*', address: '192.0.2.44', may: true},
		{from: '192.0.2.?', address: '192.0.2.44', may: false},
		{from: '10.0.0.0/8,!10.1.0.0/16', address: '10.1.2.3', may: false},
		{from: '10.0.0.0/8,!10.1.0.0/16', address: '10.2.2.3', may: true},
		{from: '!10.1.0.0/16', address: '10.2.2.3', may: false},
	])('$from lets $address in: $may', ({from, address, may}) => {
		expect(one(`from="${from}" ${KEY} anna`)?.isFrom(address)).toBe(may);
	});

	test.each(['example.com', '10.0.0.0/33', '*.example.com', ''])('"%s" refuses the line, aloud', from => {
		const {keys, problems} = readViewers(`from="${from}" ${KEY}`);
		expect(keys.size).toBe(0);
		expect(problems).toEqual([expect.stringMatching(/^line 1: from=".*" is no address/)]);
	});
});

test.each([
	['20300102', Date.parse('2030-01-02T00:00:00')],
	['203001020304', Date.parse('2030-01-02T03:04:00')],
	['20300102030405Z', Date.parse('2030-01-02T03:04:05Z')],
])('expiry-time="%s" ends a key', (text, ms) => {
	expect(one(`expiry-time="${text}" ${KEY}`)?.expiresMs).toBe(ms);
});

test.each([
	[`command="/bin/sh" ${KEY}`, 'line 1: the option command is not known here'],
	[`from="10.0.0.0/8",no-pty ${KEY}`, 'line 1: the option no-pty is not known here'],
	[`expiry-time="tomorrow" ${KEY}`, 'line 1: expiry-time="tomorrow" is no time'],
	[`expiry-time="20301399" ${KEY}`, 'line 1: expiry-time="20301399" is no time'],
	['anna', 'line 1: there is no key in it'],
	['ssh-ed25519 AAAA anna', "line 1: the key ssh-ed25519 can't be used"],
	['ssh-dss AAAAB3NzaC1kc3M= anna', "line 1: the key ssh-dss can't be used"],
])('%s lets nobody in and says why', (line, problem) => {
	const {keys, problems} = readViewers(line);
	expect(keys.size).toBe(0);
	expect(problems).toHaveLength(1);
	expect(problems[0]).toContain(problem);
});

describe('who may come', () => {
	const EXPIRES_MS = Date.UTC(2026, 0, 31, 12);
	const listed = (options: string) => {
		const file = readViewers(`${options} ${KEY} anna`);
		return () => file;
	};

	test('a listed key by its name, from its addresses and until it expires; no other key', () => {
		const until = listed('expiry-time="202601311200Z",from="10.0.0.0/8"');
		const at = (nowMs: number, address = '10.1.2.3') =>
			admissionOf(false, until, () => nowMs).nameOf(fingerprint, address);
		expect([at(EXPIRES_MS - 1), at(EXPIRES_MS), at(EXPIRES_MS - 1, '11.0.0.1')]).toEqual([
			'anna',
			undefined,
			undefined,
		]);
		const always = admissionOf(false, listed(''), () => 9e15);
		expect([always.nameOf(fingerprint, '1.2.3.4'), always.nameOf('SHA256:x', '1.2.3.4')]).toEqual(['anna', undefined]);
		expect([always.isOpen, admissionOf(true, undefined, () => 0).isOpen]).toEqual([false, true]);
		expect(admissionOf(true, undefined, () => 0).nameOf(fingerprint, '1.2.3.4')).toBeUndefined();
	});

	test('a key that left the file may come no more', () => {
		let file = listed('')();
		const admission = admissionOf(
			false,
			() => file,
			() => 0,
		);
		expect(admission.nameOf(fingerprint, '1.2.3.4')).toBe('anna');
		file = readViewers('');
		expect(admission.nameOf(fingerprint, '1.2.3.4')).toBeUndefined();
	});
});
