import {PulsetopError} from '../../../errors.ts';
import type {Log} from './log.ts';
import type {Address, Hex} from './venue.ts';

/** The bytes of a log or of a call's answer cannot be what they claim to be. */
export class DecodeFailed extends PulsetopError {
	readonly code = 'decode-failed';

	/** @param why to be read on its own: `word 2 is no address` */
	constructor(why: string) {
		super('The chain gave bytes that cannot be read', {
			why,
			next: 'report',
			advice: 'The contract may have changed: a newer version of pulsetop may know it.',
		});
	}
}

/** Digits of one word of the ABI. */
const WORD = 64;
const NO_ADDRESS = /[^0]/;

/**
 * Reads the words of ABI-encoded bytes. Everything is checked against its type; words behind the known ones are ignored,
 * because events grow.
 */
export class AbiWords {
	readonly #digits: string;
	readonly #start: number;

	/**
	 * @param data 0x and hex digits
	 * @param least words that must be there
	 * @param start where the words begin, in digits behind 0x: for a tuple inside
	 * @throws DecodeFailed when there are fewer, or not whole ones
	 */
	constructor(data: Hex, least: number, start = 0) {
		this.#digits = data;
		this.#start = start + 2;
		const length = data.length - this.#start;
		if (length < least * WORD || (data.length - 2) % WORD !== 0) {
			throw new DecodeFailed(
				`${Math.max(0, length) / 2} bytes came, at least ${least * 32} in words of 32 were expected`,
			);
		}
	}

	/** An unsigned integer of this width in bits. */
	uint(word: number, bits = 256): bigint {
		return readUint(this.#hex(word), bits, word);
	}

	/** A signed integer of this width in bits. */
	int(word: number, bits = 256): bigint {
		return readInt(this.#hex(word), bits, word);
	}

	address(word: number): Address {
		return readAddress(this.#hex(word), word);
	}

	flag(word: number): boolean {
		const value = this.uint(word);
		if (value > 1n) throw new DecodeFailed(`word ${word} is neither true nor false`);
		return value === 1n;
	}

	/**
	 * The text that a word points to, cut at a number of bytes. Bytes that are not UTF-8 become U+FFFD; nothing else is
	 * cleaned here.
	 */
	text(word: number, maxBytes = 256): string {
		const length = this.#at(word);
		const bytes = this.#count(length.at);
		const end = length.at + WORD + bytes * 2;
		if (end > this.#digits.length) throw new DecodeFailed(`the text of word ${word} ends behind the last byte`);
		const cut = Math.min(bytes, maxBytes);
		const text = Buffer.from(this.#digits.slice(length.at + WORD, length.at + WORD + cut * 2), 'hex').toString('utf8');
		// A character that the cut went through.
		return cut < bytes ? text.replace(/\uFFFD$/, '') : text;
	}

	/** The words of a tuple that a word points to. */
	tuple(word: number, least: number): AbiWords {
		return new AbiWords(this.#digits as Hex, least, this.#at(word).at - 2);
	}

	#hex(word: number): string {
		const at = this.#start + word * WORD;
		if (at + WORD > this.#digits.length) throw new DecodeFailed(`word ${word} is missing`);
		return this.#digits.slice(at, at + WORD);
	}

	/** Where the bytes are that a word points to, in digits. */
	#at(word: number): {readonly at: number} {
		const offset = this.uint(word);
		const at = this.#start + Number(offset) * 2;
		if (offset > 0xffff_ffffn || at + WORD > this.#digits.length) {
			throw new DecodeFailed(`word ${word} points behind the last byte`);
		}
		return {at};
	}

	#count(at: number): number {
		const count = readUint(this.#digits.slice(at, at + WORD), 256, -1);
		if (count > 0xffff_ffffn) throw new DecodeFailed('a text is longer than all bytes');
		return Number(count);
	}
}

/**
 * The words of a log's data.
 * @param topics how many topics the event has, its own among them
 * @param words how many words of data it has at least
 * @throws DecodeFailed when there are others
 */
export function eventWords(log: Log, topics: number, words: number): AbiWords {
	if (log.topics.length !== topics) throw new DecodeFailed(`${log.topics.length} topics came, ${topics} were expected`);
	return new AbiWords(log.data, words);
}

/** The address of an indexed parameter; the first is 1. */
export function topicAddress(log: Log, index: number): Address {
	return readAddress(topicDigits(log, index), -index);
}

/** The unsigned number of an indexed parameter. */
export function topicUint(log: Log, index: number, bits = 256): bigint {
	return readUint(topicDigits(log, index), bits, -index);
}

/** The 32 bytes of an indexed parameter. */
export function topicBytes32(log: Log, index: number): Hex {
	return `0x${topicDigits(log, index)}`;
}

function topicDigits(log: Log, index: number): string {
	const topic = log.topics[index];
	if (topic?.length !== WORD + 2) throw new DecodeFailed(`topic ${index} is not 32 bytes`);
	return topic.slice(2);
}

function readUint(digits: string, bits: number, word: number): bigint {
	const value = bigOf(digits, word);
	if (bits < 256 && value >> BigInt(bits) !== 0n) throw new DecodeFailed(`${place(word)} is no uint${bits}`);
	return value;
}

function readInt(digits: string, bits: number, word: number): bigint {
	const value = BigInt.asIntN(256, bigOf(digits, word));
	if (bits < 256 && BigInt.asIntN(bits, value) !== value) throw new DecodeFailed(`${place(word)} is no int${bits}`);
	return value;
}

function readAddress(digits: string, word: number): Address {
	if (NO_ADDRESS.test(digits.slice(0, 24))) throw new DecodeFailed(`${place(word)} is no address`);
	return `0x${digits.slice(24)}`;
}

function bigOf(digits: string, word: number): bigint {
	try {
		return BigInt(`0x${digits}`);
	} catch {
		throw new DecodeFailed(`${place(word)} is not hexadecimal`);
	}
}

/** Topics have negative numbers. */
function place(word: number): string {
	return word < 0 ? `topic ${-word}` : `word ${word}`;
}
