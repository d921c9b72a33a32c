import {eastAsianWidth} from 'get-east-asian-width';
import {cellWidth, clean, isCertainWidth} from '../text.ts';

/** The second cell of a two-cell glyph. */
export const TAIL = 0;
/** No cell: the layer below shows. Only in the live layer. */
export const NONE = 1;
/** The terminal's cell is unknown. Equal to no other. */
export const UNKNOWN = 2;
export const BLANK = 0x20;
/** Ids from here on are given by a table; below, from 0x20 to 0x7e, an id is the character's code. */
const FIRST = 0x80;

/** The mark of a cut text, which every part of the program makes, and the punctuation of our sentences. */
const ASCII_FORMS: Readonly<Record<string, string>> = {'…': '.', '“': '"', '”': '"', '’': "'", '‘': "'", '–': '-'};

interface Glyph {
	readonly text: string;
	readonly width: number;
	readonly reach: number;
	readonly isDisputed: boolean;
}

/** The characters that the terminal can show. */
export interface GlyphOptions {
	/** It draws the wide characters of East Asian fonts (é, Ω, ж) over two cells. */
	readonly isAmbiguousWide?: boolean;
	/** Its lines, marks and punctuation are ASCII, the mark of a cut text too; letters from outside stay as they are. */
	readonly isAscii?: boolean;
	/** It is read by the terminal itself, beside which no program counts cells: otherwise an emoji is one character. Default true. */
	readonly hasClusters?: boolean;
}

/**
 * Gives every grapheme cluster a small number, so that cells are numbers. Nothing that acts on a terminal gets a number:
 * every cluster is cleaned when it is first seen.
 */
export class GlyphTable {
	readonly #glyphs: Glyph[] = [];
	readonly #ids = new Map<string, number>();
	readonly #options: GlyphOptions;

	constructor(options: GlyphOptions = {}) {
		this.#options = options;
	}

	/** How many clusters beyond ASCII are known. */
	get size(): number {
		return this.#glyphs.length;
	}

	/** The number of a cluster, as `graphemes` gives it. */
	intern(cluster: string): number {
		if (cluster.length === 1) {
			const code = cluster.charCodeAt(0);
			if (code >= 0x20 && code < 0x7f) return code;
		}
		const known = this.#ids.get(cluster);
		if (known !== undefined) return known;
		const shown = this.#options.isAscii ? (ASCII_FORMS[cluster] ?? cluster) : cluster;
		const id = FIRST + this.#glyphs.push(glyphOf(shown, this.#options)) - 1;
		this.#ids.set(cluster, id);
		return id;
	}

	text(id: number): string {
		return id < FIRST ? String.fromCharCode(id) : this.#glyphs[id - FIRST]!.text;
	}

	/** Cells that we give it: 1 or 2, or 0 for a character that is not drawn. */
	width(id: number): number {
		return id < FIRST ? 1 : this.#glyphs[id - FIRST]!.width;
	}

	/** The most cells that some terminal may draw it over. */
	reach(id: number): number {
		return id < FIRST ? 1 : this.#glyphs[id - FIRST]!.reach;
	}

	/** Whether terminals may disagree on its width. */
	isDisputed(id: number): boolean {
		return id >= FIRST && this.#glyphs[id - FIRST]!.isDisputed;
	}
}

function glyphOf(cluster: string, {isAmbiguousWide = false, hasClusters = true}: GlyphOptions): Glyph {
	if (isCertainWidth(cluster) && !(isAmbiguousWide && widest(cluster) > cellWidth(cluster))) {
		const width = cellWidth(cluster);
		return {text: cluster, width, reach: width, isDisputed: false};
	}
	const width = Math.min(cellWidth(cluster), 2);
	if (width === 0) return {text: '', width: 0, reach: 0, isDisputed: false};
	const cleaned = clean(hasClusters ? cluster : firstOf(cluster));
	const text = hasClusters ? cleaned : cleaned + ' '.repeat(Math.max(0, width - cellWidth(cleaned)));
	// A space of some kind, or a cluster that shrinks when cleaned: blanks keep its place.
	if (cellWidth(text) !== width) return {text: ' '.repeat(width), width, reach: width, isDisputed: false};
	return {text, width, reach: Math.max(width, widest(text)), isDisputed: true};
}

const NO_CELL = /[\p{Mn}\p{Me}]/u;
/** Asks for the emoji of a character. It has no cell, and makes the character wider. */
const EMOJI_FORM = '\uFE0F';
/** The first of the letters that flags are made of. */
const REGIONAL_A = 0x1f1e6;
const TWO_CELLS = /[\p{Emoji_Presentation}\p{Extended_Pictographic}\p{RI}]/u;

/** The first character of a cluster with its accents; the two letters of a flag. */
function firstOf(cluster: string): string {
	if (/^\p{RI}{2}$/u.test(cluster))
		return Array.from(cluster, letter => String.fromCharCode(letter.codePointAt(0)! - REGIONAL_A + 65)).join('');
	const [first = '', ...others] = cluster;
	return first + others.filter(other => /\p{Mn}/u.test(other) && other !== EMOJI_FORM).join('');
}

/** Cells of a terminal that knows no clusters and draws each code point on its own, as widely as any does. */
function widest(text: string): number {
	let cells = 0;
	for (const character of text) {
		if (NO_CELL.test(character)) continue;
		cells += TWO_CELLS.test(character) ? 2 : eastAsianWidth(character.codePointAt(0)!, {ambiguousAsWide: true});
	}
	// A presented character (heart, keycap) may be drawn as an emoji.
	return text.includes(EMOJI_FORM) ? Math.max(cells, 2) : cells;
}
