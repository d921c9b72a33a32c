/** Bytes that do not have the form they should have. */
export class DamagedBytes extends Error {}

const NULL = 0;
const UTF8 = 1;
const HEX = 2;
/** Texts that were there before are numbered from here. */
const SEEN = 3;

const SMALL_VARINT = 2 ** 28;

/** Writes numbers and texts one behind the other; a text that comes again takes a byte or two. */
export class ByteWriter {
	#bytes = Buffer.allocUnsafe(256);
	#view = viewOf(this.#bytes);
	#at = 0;
	readonly #seen = new Map<string, number>();

	/** A copy of the bytes written so far. */
	bytes(): Uint8Array {
		return Uint8Array.prototype.slice.call(this.#bytes, 0, this.#at);
	}

	byte(value: number): void {
		this.#reserve(1);
		this.#bytes[this.#at++] = value;
	}

	/** A whole number from 0 to 2^53 - 1. */
	varint(value: number): void {
		this.#reserve(8);
		let rest = value;
		for (; rest >= SMALL_VARINT; rest = Math.floor(rest / 128)) this.#bytes[this.#at++] = (rest % 128) | 128;
		for (; rest >= 128; rest >>>= 7) this.#bytes[this.#at++] = (rest & 127) | 128;
		this.#bytes[this.#at++] = rest;
	}

	/** A whole number whose double is safe. */
	signed(value: number): void {
		this.varint(value >= 0 ? value * 2 : value * -2 - 1);
	}

	/** Any number, or null. */
	number(value: number | null): void {
		this.#reserve(8);
		this.#view.setFloat64(this.#at, value ?? Number.NaN, true);
		this.#at += 8;
	}

	text(value: string | null): void {
		const seen = value === null ? NULL : this.#seen.get(value);
		if (seen === undefined) this.#newText(value!);
		else this.varint(seen);
	}

	#newText(value: string): void {
		this.#seen.set(value, SEEN + this.#seen.size);
		if (isPlainHex(value)) {
			const length = (value.length - 2) / 2;
			this.byte(HEX);
			this.varint(length);
			this.#reserve(length);
			this.#at += this.#bytes.write(value.slice(2), this.#at, 'hex');
		} else this.#utf8(value);
	}

	/** A text that will not come again. */
	fresh(value: string): void {
		// It has a number all the same: the reader cannot know.
		this.#seen.set(`\0${this.#seen.size}`, SEEN + this.#seen.size);
		this.#utf8(value);
	}

	#utf8(value: string): void {
		const length = Buffer.byteLength(value);
		this.byte(UTF8);
		this.varint(length);
		this.#reserve(length);
		this.#at += this.#bytes.write(value, this.#at, 'utf8');
	}

	#reserve(more: number): void {
		const least = this.#at + more;
		if (least <= this.#bytes.length) return;
		const larger = Buffer.allocUnsafe(Math.max(least, this.#bytes.length * 2));
		larger.set(this.#bytes);
		this.#bytes = larger;
		this.#view = viewOf(larger);
	}
}

/** Reads what a ByteWriter wrote. Every method throws DamagedBytes where that is not there. */
export class ByteReader {
	readonly #bytes: Buffer;
	readonly #view: DataView;
	#at = 0;
	readonly #seen: string[] = [];

	constructor(bytes: Uint8Array) {
		this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		this.#view = viewOf(bytes);
	}

	get isAtEnd(): boolean {
		return this.#at >= this.#bytes.length;
	}

	byte(): number {
		return this.#bytes[this.#move(1)]!;
	}

	varint(): number {
		let value = 0;
		for (let scale = 1; scale < 2 ** 56; scale *= 128) {
			const byte = this.byte();
			value += (byte & 127) * scale;
			if (byte < 128) return value;
		}
		throw new DamagedBytes('a number without an end');
	}

	signed(): number {
		const value = this.varint();
		return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
	}

	number(): number {
		return this.#view.getFloat64(this.#move(8), true);
	}

	/** A number that may be null. */
	maybe(): number | null {
		const value = this.number();
		return Number.isNaN(value) ? null : value;
	}

	text(): string | null {
		const kind = this.varint();
		if (kind === NULL) return null;
		if (kind >= SEEN) {
			const seen = this.#seen[kind - SEEN];
			if (seen === undefined) throw new DamagedBytes('a text that was never there');
			return seen;
		}
		const length = this.varint();
		const from = this.#move(length);
		const text =
			kind === HEX
				? `0x${this.#bytes.toString('hex', from, from + length)}`
				: this.#bytes.toString('utf8', from, from + length);
		this.#seen.push(text);
		return text;
	}

	/** A text that may not be null. */
	someText(): string {
		const text = this.text();
		if (text === null) throw new DamagedBytes('null instead of a text');
		return text;
	}

	#move(by: number): number {
		const from = this.#at;
		if (from + by > this.#bytes.length) throw new DamagedBytes('the bytes end too early');
		this.#at = from + by;
		return from;
	}
}

function viewOf({buffer, byteOffset, byteLength}: Uint8Array): DataView {
	return new DataView(buffer, byteOffset, byteLength);
}

/** True for 0x and whole bytes in lower case, at most 64 of them: what hex gives back as it was. */
function isPlainHex(text: string): boolean {
	if (text.length > 130 || text.length % 2 !== 0 || !text.startsWith('0x')) return false;
	for (let n = 2; n < text.length; n++) {
		const code = text.charCodeAt(n);
		if (!((code >= 48 && code <= 57) || (code >= 97 && code <= 102))) return false;
	}
	return true;
}
