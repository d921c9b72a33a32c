import {closeSync, fstatSync, openSync, readSync, writeSync} from 'node:fs';
import {deserialize, serialize} from 'node:v8';
import {crc32} from 'node:zlib';

/** A column of figures. */
export type Column = Float64Array | Float32Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

/**
 * The state of an engine in a file, so that a restart need not compute it again. What has a state passes it through in a fixed
 * order, once for writing and once for reading: both give back what the state is from then on.
 */
export interface Image {
	/** @param used how much of the column is in use; the rest is zero after reading, and as long as it was */
	column<T extends Column>(column: T, used?: number): T;
	/** Plain data that structured cloning takes. An object that stands in several places stays one object. */
	value<T>(value: T): T;
}

/** The image cannot be used: the state has to be computed. Internal: the message is for the log. */
export class ImageUnusable extends Error {}

/** Length of what follows in bytes, and of the column that it becomes. */
const HEAD_BYTES = 16;
const CHECKSUM_BYTES = 4;
/** A column is longer than what is used of it by this factor at most, and by this much. */
const MAX_SPARE = {factor: 4, more: 2 ** 22};

/** Writes an image into a new file. @throws the error of the file system */
export function writeImage(path: string, pass: (image: Image) => void): void {
	const file = openSync(path, 'w', 0o600);
	try {
		let checksum = 0;
		const write = (bytes: Uint8Array): void => {
			checksum = crc32(bytes, checksum);
			for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
		};
		const item = (bytes: Uint8Array, length: number): void => {
			write(new Uint8Array(Float64Array.of(bytes.length, length).buffer));
			write(bytes);
		};
		pass({
			column(column, used = column.length) {
				item(new Uint8Array(column.buffer, column.byteOffset, used * column.BYTES_PER_ELEMENT), column.length);
				return column;
			},
			value(value) {
				const bytes = serialize(value);
				item(bytes, bytes.length);
				return value;
			},
		});
		write(new Uint8Array(Uint32Array.of(checksum).buffer));
	} finally {
		closeSync(file);
	}
}

/**
 * Reads an image into columns without a copy of them.
 * @param pass reads the image and returns the result; after an error the caller drops whatever `pass` has changed
 * @throws ImageUnusable for a damaged image; the errors of `pass` and of the file system
 */
export function readImage<R>(path: string, pass: (image: Image) => R): R {
	const file = openSync(path, 'r');
	try {
		const {size} = fstatSync(file);
		let checksum = 0;
		const read = (bytes: Uint8Array): void => {
			for (let from = 0; from < bytes.length; ) {
				const count = readSync(file, bytes, from, bytes.length - from, null);
				if (count === 0) throw new ImageUnusable('it ends too early');
				from += count;
			}
		};
		const summed = (bytes: Uint8Array): void => {
			read(bytes);
			checksum = crc32(bytes, checksum);
		};
		const head = (): {readonly bytes: number; readonly length: number} => {
			const words = new Float64Array(HEAD_BYTES / 8);
			summed(new Uint8Array(words.buffer));
			const [bytes = 0, length = 0] = words;
			if (![bytes, length].every(count => Number.isSafeInteger(count) && count >= 0 && count < 2 ** 32) || bytes > size)
				throw new ImageUnusable('it has a length that cannot be');
			return {bytes, length};
		};
		const result = pass({
			column<T extends Column>(column: T): T {
				const {bytes, length} = head();
				const used = bytes / column.BYTES_PER_ELEMENT;
				if (!Number.isInteger(used) || used > length || length > used * MAX_SPARE.factor + MAX_SPARE.more)
					throw new ImageUnusable('it has a column that cannot be');
				const Kind = column.constructor as new (length: number) => T;
				const own = new Kind(length);
				summed(new Uint8Array(own.buffer, 0, bytes));
				return own;
			},
			value<T>(): T {
				const bytes = Buffer.allocUnsafeSlow(head().bytes);
				summed(bytes);
				try {
					return deserialize(bytes) as T;
				} catch (error) {
					throw new ImageUnusable(`it has data that cannot be read: ${(error as Error).message}`);
				}
			},
		});
		const sum = new Uint32Array(CHECKSUM_BYTES / 4);
		read(new Uint8Array(sum.buffer));
		if (sum[0] !== checksum) throw new ImageUnusable('its checksum is another one');
		return result;
	} finally {
		closeSync(file);
	}
}
