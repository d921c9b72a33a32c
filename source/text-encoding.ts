export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** The encoding of a text file, by its byte order mark or, without one, by the zeros of ASCII in UTF-16. */
export function encodingOf(bytes: Uint8Array): TextEncoding {
	const [first, second] = bytes;
	if (first === 0xff && second === 0xfe) return 'utf-16le';
	if (first === 0xfe && second === 0xff) return 'utf-16be';
	if (bytes.length < 4 || (first === 0) === (second === 0)) return 'utf-8';
	return second === 0 ? 'utf-16le' : 'utf-16be';
}
