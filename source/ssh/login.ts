import type {AuthenticationContext, Connection} from 'ssh2/lib/server.js';
import {readPublicKey} from './public-key.ts';

/** The person who came: a key that signed, or a guest. The user name says nothing, since anybody can type it. */
export type Identity =
	| {readonly kind: 'guest'}
	| {readonly kind: 'key'; readonly fingerprint: string; readonly name: string};

/** Who may come. */
export interface Admission {
	/** Everybody, guests too. */
	readonly isOpen: boolean;
	/** The name of a listed key that may come from this address; undefined for any other key. */
	nameOf(fingerprint: string, address: string): string | undefined;
}

/** An SSH client offers each key of its agent, and then signs with one. */
const MAX_TRIES = 12;
/** `ssh guest@host` is let in without a look at any key. */
const GUEST = 'guest';

/**
 * Lets people in by their keys; where everybody may come also without one. A key counts once it has signed: an offered one
 * proves nothing, and the next step of a login makes it forgotten.
 * @param onIn called once, with the person
 */
export function takeLogin(
	connection: Connection,
	{isOpen, nameOf}: Admission,
	address: string,
	onIn: (identity: Identity) => void,
): void {
	let tries = 0;
	let identity: Identity | undefined;
	connection.on('authentication', context => {
		identity = undefined;
		if (++tries > MAX_TRIES) return connection.end();
		const accepted = decide(context);
		if (accepted === 'offered') return context.accept();
		if (accepted === undefined) return context.reject(isOpen ? ['publickey', 'keyboard-interactive'] : ['publickey']);
		identity = accepted;
		context.accept();
	});
	connection.on('ready', () => {
		if (identity) onIn(identity);
		else connection.end();
	});

	/** The person, `offered` for a key that may sign next, undefined for a refusal. */
	function decide({
		method,
		username,
		key,
		blob,
		signature,
		hashAlgo,
	}: AuthenticationContext): Identity | 'offered' | undefined {
		if (method === 'none') return isOpen && username === GUEST ? {kind: 'guest'} : undefined;
		// A client without a usable key: no question is asked.
		if (method === 'keyboard-interactive') return isOpen ? {kind: 'guest'} : undefined;
		if (method !== 'publickey' || key === undefined) return undefined;
		const known = readPublicKey(key.data);
		if (known === undefined) return undefined;
		const {fingerprint} = known;
		const name = nameOf(fingerprint, address) ?? (isOpen ? fingerprint.slice('SHA256:'.length, 15) : undefined);
		if (name === undefined) return undefined;
		if (signature === undefined || blob === undefined) return 'offered';
		return known.signed(blob, signature, hashAlgo) ? {kind: 'key', fingerprint, name} : undefined;
	}
}
