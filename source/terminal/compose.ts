import type {Cells} from './cells.ts';
import {BLANK, NONE, TAIL} from './glyphs.ts';
import {PLAIN} from './style.ts';

/**
 * Makes a row of the picture: the live cell where Ink left a plain blank, Ink's cell everywhere else. A wide glyph of which
 * one half is covered becomes a blank of its style, as in Ink.
 * @param ink undefined when Ink left the whole row blank
 * @param into receives the row; as large as both layers
 * @param from the first cell of the row that may be another than before; `to` the one after the last
 */
export function composeRow(
	y: number,
	ink: Cells | undefined,
	live: Cells,
	into: Cells,
	from = 0,
	to: number = into.columns,
): void {
	const start = y * into.columns + from;
	const end = y * into.columns + to;
	if (ink === undefined) {
		for (let at = start; at < end; at++) {
			const glyph = live.glyphs[at]!;
			into.glyphs[at] = glyph === NONE ? BLANK : glyph;
			into.styles[at] = live.styles[at]!;
		}
		return;
	}
	/** Whether the cell before is the head of a wide live glyph. */
	let isLiveHead = false;
	for (let at = start; at < end; at++) {
		const glyph = ink.glyphs[at]!;
		const style = ink.styles[at]!;
		const liveGlyph = live.glyphs[at]!;
		if (glyph !== BLANK || style !== PLAIN || liveGlyph === NONE) {
			into.glyphs[at] = glyph;
			into.styles[at] = style;
			isLiveHead = false;
			continue;
		}
		const isCut: boolean =
			liveGlyph === TAIL ? !isLiveHead : live.glyphs[at + 1] === TAIL && at + 1 < end && isCovered(at + 1, ink);
		into.glyphs[at] = isCut ? BLANK : liveGlyph;
		into.styles[at] = live.styles[at]!;
		isLiveHead = !isCut && liveGlyph !== TAIL && live.glyphs[at + 1] === TAIL;
	}
}

function isCovered(at: number, ink: Cells): boolean {
	return ink.glyphs[at] !== BLANK || ink.styles[at] !== PLAIN;
}
