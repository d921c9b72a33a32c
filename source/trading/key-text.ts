import {encodingOf, type TextEncoding} from '../text-encoding.ts';

/*
 * Texts with keys as other programs and editors leave them. They stay bytes, which can be wiped.
 */

const BYTE_ORDER_MARKS: Readonly<Record<TextEncoding, Buffer>> = {
	'utf-8': Buffer.from([0xef, 0xbb, 0xbf]),
	'utf-16le': Buffer.from([0xff, 0xfe]),
	'utf-16be': Buffer.from([0xfe, 0xff]),
};
/** Straight quotes, and the curly ones that editors make of them. */
const QUOTES = ['"', "'", '`', '“', '”', '‘', '’', '„', '«', '»'].map(quote => Buffer.from(quote));

/**
 * A text in UTF-8 without byte order mark, white space and quotes around it, from UTF-8 or UTF-16.
 * @returns a copy, for the caller to wipe; the given bytes stay
 */
export function plainText(bytes: Uint8Array): Buffer {
	const text = asUtf8(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
	let [start, end] = trimmed(text, 0, text.length);
	for (;;) {
		const part = text.subarray(start, end);
		const opening = QUOTES.find(quote => part.subarray(0, quote.length).equals(quote));
		const closing = QUOTES.find(quote => part.subarray(-quote.length).equals(quote));
		if (opening === undefined || closing === undefined || part.length < opening.length + closing.length) break;
		[start, end] = trimmed(text, start + opening.length, end - closing.length);
	}
	const plain = Buffer.from(text.subarray(start, end));
	text.fill(0);
	return plain;
}

/** A copy of a text in UTF-8, without its byte order mark. */
function asUtf8(bytes: Buffer): Buffer {
	const encoding = encodingOf(bytes);
	const mark = BYTE_ORDER_MARKS[encoding];
	const text = bytes.subarray(0, mark.length).equals(mark) ? bytes.subarray(mark.length) : bytes;
	return encoding === 'utf-8' ? Buffer.from(text) : narrow(text, encoding === 'utf-16le');
}

/** UTF-16 as UTF-8. ASCII, as every key is, is never made a string on the way. */
function narrow(bytes: Buffer, isLittle: boolean): Buffer {
	const length = bytes.length >> 1;
	const [low, high] = isLittle ? [0, 1] : [1, 0];
	const narrowed = Buffer.alloc(length);
	for (let at = 0; at < length; at++) {
		if (bytes[at * 2 + high] !== 0 || bytes[at * 2 + low]! > 0x7f) {
			narrowed.fill(0);
			return Buffer.from(new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(bytes));
		}
		narrowed[at] = bytes[at * 2 + low]!;
	}
	return narrowed;
}

function trimmed(text: Buffer, from: number, to: number): [start: number, end: number] {
	let [start, end] = [from, to];
	while (start < end && text[start]! <= 0x20) start++;
	while (end > start && text[end - 1]! <= 0x20) end--;
	return [start, end];
}

/** Why a text is no private key, where its form says it; never with anything that it holds. */
export function whyNoPrivateKey(text: Uint8Array): {readonly why: string; readonly advice?: string} {
	const of = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
	const is = (form: RegExp) => form.test(of.toString('latin1'));
	const digits = /^(?:0x)?([0-9a-f]*)$/i.exec(of.toString('latin1'))?.[1]?.length;
	if (is(/^[a-z]+(\s+[a-z]+){11,23}$/i))
		return {
			why: 'these are the words of a recovery phrase, which stands for many keys',
			advice: 'Import the phrase in the wallet that made it, and export the private key of the account there.',
		};
	if (is(/^\[\s*\d+(\s*,\s*\d+){31,}\s*\]$/) || is(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/))
		return {why: 'it is a key of Solana, and only EVM chains are signed for here'};
	if (is(/^[xyz]p(rv|ub)/)) return {why: 'it is an extended key, which stands for many keys', advice: EXPORT};
	if (is(/^-----BEGIN/)) return {why: 'it is a PEM file, which wallets do not use', advice: EXPORT};
	if (is(/^[5KL][1-9A-HJ-NP-Za-km-z]{50,51}$/)) return {why: 'it is a key of Bitcoin (WIF)', advice: EXPORT};
	if (digits === 40) return {why: 'it has 40 hex digits: it is an address, which anybody may know', advice: EXPORT};
	if (digits === 66 || digits === 128 || digits === 130)
		return {why: `it has ${digits} hex digits: it may be a public key`, advice: EXPORT};
	if (digits !== undefined && digits !== 64) return {why: `it has ${digits} hex digits, and a private key has 64`};
	return {why: 'it must be 32 bytes of hex, below the order of the curve'};
}

const EXPORT = 'Export the private key of the account in its wallet: 64 hex digits, or a key file of version 3.';

/** Why a JSON document is no key file of version 3, where its members say it. */
export function whyNoKeyFile(json: unknown): {readonly why: string; readonly advice?: string} | undefined {
	const has = (...names: string[]) => typeof json === 'object' && json !== null && names.every(name => name in json);
	if (has('encseed', 'ethaddr'))
		return {
			why: 'it is a wallet of the presale of 2014',
			advice: 'geth wallet import makes a key file of version 3 of it.',
		};
	if (has('data', 'iv', 'salt') || has('keyringcontroller') || has('vault'))
		return {why: "it is the vault of a browser's wallet, which holds many accounts", advice: EXPORT};
	if (
		has('xpub') ||
		has('xpubs') ||
		has('extendedpublickey') ||
		has('deviceid') ||
		has('fingerprint') ||
		has('accounts')
	)
		return {
			why: 'it holds accounts without their keys, as hardware wallets export them',
			advice:
				'The key never leaves a hardware wallet: make a wallet of its own here, and send what is to be traded to it.',
		};
	if (has('mnemonic') || has('seed')) return {why: 'it holds a recovery phrase and no key file', advice: EXPORT};
	const version = has('version') ? (json as {version: unknown}).version : undefined;
	if (version !== undefined && version !== 3)
		return {
			why: `it is of version ${/^[\w.]{1,8}$/.test(String(version)) ? String(version) : 'unknown'}, and only version 3 is read`,
			advice: 'Open it once in a wallet of today, which writes version 3.',
		};
	return undefined;
}
