import {generateKeyPairSync, sign} from 'node:crypto';
import {EventEmitter} from 'node:events';
import type {AuthenticationContext, Connection} from 'ssh2/lib/server.js';
import {expect, test} from 'vitest';
import {type Admission, type Identity, takeLogin} from '../../../source/ssh/login.ts';
import {readPublicKey} from '../../../source/ssh/public-key.ts';
import {wireKey} from '../../helpers/ssh-wire.ts';

const OPEN: Admission = {isOpen: true, nameOf: () => undefined};
const {publicKey, privateKey} = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const blob = wireKey(publicKey);
const BLOB = Buffer.from('session and request');
const {fingerprint} = readPublicKey(blob)!;

/** One step of a login, as the library hands it over. */
type Step = Partial<Omit<AuthenticationContext, 'accept' | 'reject'>>;

const offered: Step = {method: 'publickey', key: {algo: 'ssh-ed25519', data: blob}};
const signed: Step = {...offered, blob: BLOB, signature: sign(null, BLOB, privateKey)};
const forged: Step = {...offered, blob: BLOB, signature: sign(null, BLOB, other.privateKey)};

/** Carries out a login. @returns the answers, and who came in */
function login(steps: readonly Step[], admission: Admission = OPEN) {
	const connection = Object.assign(new EventEmitter(), {ended: 0, end: () => connection.ended++});
	const answers: string[] = [];
	let who: Identity | undefined;
	takeLogin(connection as unknown as Connection, admission, '192.0.2.1', identity => {
		who = identity;
	});
	for (const step of steps) {
		const context = {
			username: 'x',
			method: 'none',
			...step,
			accept: () => {
				answers.push('yes');
				// An offered key may sign next; all else that is accepted is the end of the login.
				if (step.method !== 'publickey' || step.signature) connection.emit('ready');
			},
			reject: (methods: readonly string[]) => answers.push(`no: ${methods.join()}`),
		};
		connection.emit('authentication', context);
	}
	return {answers, who, ended: connection.ended};
}

const ASKS = 'no: publickey,keyboard-interactive';

test('a client is asked for a key first; without one it comes in as a guest', () => {
	expect(login([{method: 'none'}, {method: 'keyboard-interactive'}])).toEqual({
		answers: [ASKS, 'yes'],
		who: {kind: 'guest'},
		ended: 0,
	});
});

test('guest@ comes in without a look at any key', () => {
	expect(login([{method: 'none', username: 'guest'}]).who).toEqual({kind: 'guest'});
	expect(login([{method: 'none', username: 'Guest'}]).who).toBeUndefined();
});

test('a key counts once it has signed, whatever the user name is', () => {
	const names = ['root', 'anna'].map(username =>
		login([
			{...offered, username},
			{...signed, username},
		]),
	);
	for (const {answers, who} of names) {
		expect(answers).toEqual(['yes', 'yes']);
		expect(who).toMatchObject({kind: 'key', fingerprint});
	}
});

test('an offered key is nobody: who goes on without it is a guest', () => {
	expect(login([offered, {method: 'keyboard-interactive'}]).who).toEqual({kind: 'guest'});
	expect(login([offered]).who).toBeUndefined();
});

test('the signature of another key, of something else, and none are refused', () => {
	expect(login([offered, forged])).toMatchObject({answers: ['yes', ASKS], who: undefined});
	expect(login([{...signed, blob: Buffer.from('other')}]).who).toBeUndefined();
	expect(login([{...signed, signature: Buffer.alloc(0)}]).who).toBeUndefined();
	expect(login([{...offered, key: {algo: 'ssh-ed25519', data: Buffer.alloc(10)}}]).answers).toEqual([ASKS]);
});

test('a forged signature makes nobody a key, whatever follows', () => {
	expect(login([forged, {method: 'keyboard-interactive'}]).who).toEqual({kind: 'guest'});
});

test('passwords, host keys and other ways are refused', () => {
	for (const method of ['password', 'hostbased'] as const) expect(login([{method}]).answers).toEqual([ASKS]);
});

test('where only listed keys may come nobody else does, and no other way is named', () => {
	const listed: Admission = {isOpen: false, nameOf: print => (print === fingerprint ? 'anna' : undefined)};
	expect(login([offered, signed], listed).who).toEqual({kind: 'key', fingerprint, name: 'anna'});
	const none: Admission = {isOpen: false, nameOf: () => undefined};
	expect(login([{method: 'none', username: 'guest'}, {method: 'keyboard-interactive'}, offered, signed], none)).toEqual(
		{
			answers: Array(4).fill('no: publickey'),
			who: undefined,
			ended: 0,
		},
	);
});

test('the thirteenth try ends the connection', () => {
	expect(login(Array(12).fill({method: 'none'})).ended).toBe(0);
	expect(login(Array(13).fill({method: 'none'})).ended).toBe(1);
});
