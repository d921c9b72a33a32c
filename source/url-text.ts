/** Invisible characters in an address: controls, blanks, zero-width characters. */
const UNSEEN = /[\0-\x20\x7f-\xa0\xad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/;

/**
 * An address as it was meant: without blanks, line ends and a byte order mark around it, which copies and mounted files have.
 * A URL parser would drop or encode such characters without a word.
 * @returns undefined for anything but a text, for an empty one, and where a character that nobody sees is inside
 */
export function urlText(raw: unknown): string | undefined {
	const given = typeof raw === 'string' ? raw.trim() : '';
	return given === '' || UNSEEN.test(given) ? undefined : given;
}
