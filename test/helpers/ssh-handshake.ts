import {
	createHash,
	createPublicKey,
	decapsulate,
	diffieHellman,
	generateKeyPairSync,
	type KeyObject,
	verify,
} from 'node:crypto';
import {connect, type Socket} from 'node:net';
import {wireString} from './ssh-wire.ts';

/* The first steps of an SSH client, up to the server's signature: the protocol itself, without a library. */

const KEXINIT = 20;
const ECDH_INIT = 30;
const ECDH_REPLY = 31;
const IDENT = 'SSH-2.0-handshake';
/** DER before the 32 bytes of a public key (RFC 8410). */
const KEY_INFO = {x25519: '302a300506032b656e032100', ed25519: '302a300506032b6570032100'};

/** The server's part of a key exchange that its signature confirms. */
export interface Handshake {
	/** What the server offers. */
	readonly offers: readonly string[];
	/** Whether the server signed the secret that the client has computed. */
	readonly isSigned: boolean;
}

/** The keys of a client of `mlkem768x25519-sha256` (draft-ietf-sshm-mlkem-hybrid-kex). */
export class HybridKeys {
	readonly #kem = generateKeyPairSync('ml-kem-768');
	readonly #curve = generateKeyPairSync('x25519');

	/** The client's public keys. */
	get init(): Buffer {
		return Buffer.concat([rawKey(this.#kem.publicKey, 1184), rawKey(this.#curve.publicKey, 32)]);
	}

	/** The secret of both sides. @param reply the server's ciphertext and public key */
	secret(reply: Buffer): Buffer {
		const ofKem = decapsulate(this.#kem.privateKey, reply.subarray(0, 1088));
		const publicKey = publicKeyOf('x25519', reply.subarray(1088));
		const ofCurve = diffieHellman({privateKey: this.#curve.privateKey, publicKey});
		return createHash('sha256').update(ofKem).update(ofCurve).digest();
	}
}

/**
 * Exchanges keys with a server by one algorithm.
 * @param init the client's public keys @param secretOf computes the secret from the server's answer
 * @returns undefined where the server closes the connection instead of answering
 */
export async function shakeHands(
	{port, from, algorithm}: {readonly port: number; readonly from: string; readonly algorithm: string},
	init: Buffer,
	secretOf: (reply: Buffer) => Buffer,
): Promise<Handshake | undefined> {
	const socket = connect({port, host: '127.0.0.1', localAddress: from});
	const reader = new Reader(socket);
	try {
		const ident = await reader.line();
		const ours = kexInit(algorithm);
		socket.write(`${IDENT}\r\n`);
		socket.write(packet(ours));
		const theirs = await reader.payload(KEXINIT);
		socket.write(packet(Buffer.concat([Buffer.from([ECDH_INIT]), wireString(init)])));
		const [hostKey, reply, signature] = strings(await reader.payload(ECDH_REPLY), 1);
		const signed = [IDENT, ident, ours, theirs, hostKey!, init, reply!, secretOf(reply!)].map(wireString);
		const hash = createHash('sha256').update(Buffer.concat(signed)).digest();
		const key = publicKeyOf('ed25519', strings(hostKey!)[1]!);
		const [names] = strings(theirs, 17);
		return {offers: String(names).split(','), isSigned: verify(undefined, hash, key, strings(signature!)[1]!)};
	} catch (error) {
		if (error instanceof Closed) return undefined;
		throw error;
	} finally {
		socket.destroy();
	}
}

class Closed extends Error {}

/** What a server sends before encryption begins: a line, then packets. */
class Reader {
	readonly #chunks: AsyncIterator<Buffer>;
	#bytes = Buffer.alloc(0);

	constructor(socket: Socket) {
		this.#chunks = socket[Symbol.asyncIterator]();
	}

	/** A line without its end. */
	async line(): Promise<string> {
		while (!this.#bytes.includes('\n')) await this.#more();
		return String(this.#take(this.#bytes.indexOf('\n') + 1)).trim();
	}

	/** The payload of the next packet of a kind. */
	async payload(kind: number): Promise<Buffer> {
		for (;;) {
			while (this.#bytes.length < 4 || this.#bytes.length < 4 + this.#bytes.readUInt32BE()) await this.#more();
			const bytes = this.#take(4 + this.#bytes.readUInt32BE());
			const payload = bytes.subarray(5, bytes.length - bytes[4]!);
			if (payload[0] === kind) return payload;
		}
	}

	#take(count: number): Buffer {
		const taken = this.#bytes.subarray(0, count);
		this.#bytes = this.#bytes.subarray(count);
		return taken;
	}

	async #more(): Promise<void> {
		const next = await this.#chunks.next().catch(() => ({done: true, value: undefined}));
		if (next.done) throw new Closed();
		this.#bytes = Buffer.concat([this.#bytes, next.value!]);
	}
}

/** The offer of a client that knows one algorithm of each kind (RFC 4253, 7.1). */
function kexInit(algorithm: string): Buffer {
	const cipher = 'aes128-gcm@openssh.com';
	const mac = 'hmac-sha2-256';
	const lists = [algorithm, 'ssh-ed25519', cipher, cipher, mac, mac, 'none', 'none', '', ''];
	return Buffer.concat([Buffer.from([KEXINIT]), Buffer.alloc(16), ...lists.map(wireString), Buffer.alloc(5)]);
}

/** A packet without encryption (RFC 4253, 6). */
function packet(payload: Buffer): Buffer {
	const padding = 4 + ((8 - ((5 + payload.length + 4) % 8)) % 8);
	const head = Buffer.alloc(5);
	head.writeUInt32BE(1 + payload.length + padding);
	head[4] = padding;
	return Buffer.concat([head, payload, Buffer.alloc(padding)]);
}

/** The strings of a message. */
function strings(bytes: Buffer, from = 0): Buffer[] {
	const found: Buffer[] = [];
	for (let at = from; at + 4 <= bytes.length; ) {
		const end = at + 4 + bytes.readUInt32BE(at);
		found.push(bytes.subarray(at + 4, end));
		at = end;
	}
	return found;
}

function rawKey(key: KeyObject, length: number): Buffer {
	return key.export({type: 'spki', format: 'der'}).subarray(-length);
}

function publicKeyOf(kind: keyof typeof KEY_INFO, bytes: Buffer): KeyObject {
	const key = Buffer.concat([Buffer.from(KEY_INFO[kind], 'hex'), bytes]);
	return createPublicKey({key, format: 'der', type: 'spki'});
}
