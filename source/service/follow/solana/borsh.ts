import {PulsetopError} from '../../../errors.ts';
import {encodeBase58} from './base58.ts';

/** Bytes that are not what their first eight say. */
export class DecodeFailed extends PulsetopError {
	readonly code = 'decode-failed';

	constructor(what: string, why: string) {
		super(`${what} could not be read`, {why, next: 'report'});
	}
}

/** Kinds of fields, as Borsh writes them: little-endian, texts and lists behind a length of four bytes. */
export type Kind = 'u8' | 'u16' | 'u64' | 'i64' | 'i128' | 'bool' | 'pubkey' | 'string' | ListKind;

/** A list of structs. What is in it is skipped: no figure needs it. */
export interface ListKind {
	readonly list: readonly Exclude<Kind, 'string' | ListKind>[];
}

interface ValueOf {
	readonly u8: number;
	readonly u16: number;
	readonly u64: bigint;
	readonly i64: bigint;
	readonly i128: bigint;
	readonly bool: boolean;
	readonly pubkey: string;
	readonly string: string;
}

/** Fields in their order. Programs append fields and never take one away, so a table holds for every event before it. */
export type Layout = readonly (readonly [name: string, kind: Kind])[];

type Value<K extends Kind> = K extends keyof ValueOf ? ValueOf[K] : number;
/** Values of a layout: fields up to the needed one are there, the others may be missing. */
export type Read<L extends Layout> = {readonly [F in L[number] as F[0]]?: Value<F[1]>};

/** Maximum length of texts in bytes: they come from strangers. */
const LONGEST_TEXT = 256;
const LONGEST_URI = 512;
const SIZE = {u8: 1, u16: 2, u64: 8, i64: 8, i128: 16, bool: 1, pubkey: 32} as const;
const text = new TextDecoder();

/** Bytes read by a layout. */
export interface Decoded<L extends Layout> {
	readonly fields: Read<L>;
	/** Bytes behind the last field of the layout: fields that are newer than it. */
	readonly extra: number;
}

/**
 * Reads the fields that are there: bytes that end early leave the rest undefined, further bytes are counted.
 * @param needed the last field that must be there: without it the bytes are something else
 * @throws DecodeFailed when bytes end inside a field or before the needed one, or a length or a flag cannot be
 */
export function decode<const L extends Layout>(
	what: string,
	layout: L,
	needed: L[number][0],
	bytes: Uint8Array,
	from = 0,
): Decoded<L> {
	const reader = new Reader(what, bytes, from);
	const fields: Record<string, unknown> = {};
	let isComplete = false;
	for (const [name, kind] of layout) {
		if (reader.left === 0) break;
		fields[name] = reader.read(kind, name);
		isComplete ||= name === needed;
	}
	if (!isComplete) throw new DecodeFailed(what, `it ends before ${needed}`);
	return {fields: fields as Read<L>, extra: reader.left};
}

class Reader {
	readonly #what: string;
	readonly #bytes: Uint8Array;
	readonly #view: DataView;
	#at: number;

	constructor(what: string, bytes: Uint8Array, from: number) {
		this.#what = what;
		this.#bytes = bytes;
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		this.#at = from;
	}

	get left(): number {
		return this.#bytes.length - this.#at;
	}

	read(kind: Kind, name: string): unknown {
		if (typeof kind === 'object') return this.#list(kind, name);
		if (kind === 'string') return this.#string(name);
		const at = this.#take(SIZE[kind], name);
		switch (kind) {
			case 'u8':
				return this.#bytes[at];
			case 'u16':
				return this.#view.getUint16(at, true);
			case 'u64':
				return this.#view.getBigUint64(at, true);
			case 'i64':
				return this.#view.getBigInt64(at, true);
			case 'i128':
				return (this.#view.getBigInt64(at + 8, true) << 64n) | this.#view.getBigUint64(at, true);
			case 'bool':
				if (this.#bytes[at]! > 1) throw new DecodeFailed(this.#what, `${name} is neither true nor false`);
				return this.#bytes[at] === 1;
			case 'pubkey':
				return encodeBase58(this.#bytes.subarray(at, at + 32));
		}
	}

	#take(size: number, name: string): number {
		if (size > this.left) throw new DecodeFailed(this.#what, `it ends inside ${name}`);
		const at = this.#at;
		this.#at += size;
		return at;
	}

	#string(name: string): string {
		const length = this.#view.getUint32(this.#take(4, name), true);
		const at = this.#take(length, name);
		const most = name === 'uri' ? LONGEST_URI : LONGEST_TEXT;
		return text.decode(this.#bytes.subarray(at, at + Math.min(length, most)));
	}

	#list({list}: ListKind, name: string): number {
		const length = this.#view.getUint32(this.#take(4, name), true);
		const size = list.reduce((sum, kind) => sum + SIZE[kind], 0);
		this.#take(length * size, name);
		return length;
	}
}
