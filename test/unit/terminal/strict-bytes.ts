/** Sequences that the painter makes, and no other: moves, erasures, styles, and marks around a frame. */
const PAINTED =
	/^(?:\x1B\[\d*[ABCDGd]|\x1B\[(?:\d+(?:;\d+)?)?H|\x1B\[[JK]|\x1B\[[\d;]*m|\x1B\[\?(?:25|2026)[hl]|[\r\b]|\p{RI}|[^\p{C}\p{Zl}\p{Zp}]|\u200D)/u;

/** Gives what is left of bytes from the first that a painter would not write on; empty if all are in order. */
export function foreignBytes(bytes: string): string {
	let rest = bytes;
	while (rest !== '') {
		const known = PAINTED.exec(rest)?.[0];
		if (known === undefined) return rest;
		rest = rest.slice(known.length);
	}
	return '';
}
