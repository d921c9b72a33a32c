import {eastAsianWidth} from 'get-east-asian-width';
import stringWidth from 'string-width';
import {keptByText} from './kept-by-text.ts';

/*
 * Text that came from outside, made harmless and measured in terminal cells. Pure, and written for the hot path: these
 * functions run for every cell drawn, so printable ASCII never meets a regular expression or the segmenter.
 *
 * The treatment of characters by `clean`, by their effect on the reader:
 *   it only dressed up the text          complete escape sequences, zero-width characters, soft hyphens,
 *                                        fillers, tags, stray variation selectors               -> nothing
 *   it stood for space                   TAB, CR, LF, VT, FF, NEL, every Unicode space, the
 *                                        braille blank; runs of it, and both ends               -> one space, or none at the ends
 *   it would have changed the reading   other control characters (BS, DEL, NUL, a lone ESC, ...),
 *                                        bidi embeddings, overrides and isolates, lone
 *                                        surrogates, unassigned and private code points         -> one � a run
 * Text that was not blank never becomes empty: a text of nothing but removed characters becomes �.
 */

const REPLACEMENT = '\uFFFD';
const ELLIPSIS = '…';

/** Longest text, in UTF-16 units, that `clean` reads by default. */
const MAX_LENGTH = 4096;

/**
 * Control sequences as a terminal reads them, 7-bit and 8-bit: CSI; OSC, DCS, SOS, PM and APC up to their end; the
 * charset and other two- and three-byte escapes. A string sequence without an end swallows nothing: only its opener goes.
 */
const ESCAPE_SEQUENCE =
	/(?:\x1B\[|\x9B)[0-?]*[ -/]*[@-~]|(?:\x1B[\]PX^_]|[\x9D\x90\x98\x9E\x9F])(?:[^\x07\x1B\x9C]*(?:\x07|\x1B\\|\x9C))?|\x1B[ -/]*[0-Z\\`-~]/g;
const WHITE_SPACE = /[\s\x85\u2800]+/g;
/** Joins or presents an emoji: kept where it does that, dropped elsewhere. */
const JOINED_EMOJI = /(?<=\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}\uFE0F]?)\u200D(?=\p{Extended_Pictographic})/gu;
const EMOJI_PRESENTATION = /(?<=[\p{Emoji}--[0-9#*]])\uFE0F|(?<=[0-9#*])\uFE0F(?=\u20E3)/gv;
const KEPT_JOINER = '\u0001';
const KEPT_PRESENTATION = '\u0002';
const CHANGES_READING = /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\u202A-\u202E\u2066-\u2069]+/gu;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]+/gu;
/** More than two marks on one character, or more than three joined emoji, draw over the lines above or past the cell. */
const EXTRA_MARKS = /(\p{M}{2})\p{M}+/gu;
const ORPHAN_MARKS = /(^|[\s\uFFFD])\p{M}+/gu;
const EXTRA_JOINED = /((?:\u200D\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}\uFE0F]?){3})\u200D/gu;

export interface CleanOptions {
	/** At most this many cells; a cut leaves an ellipsis. */
	readonly maxCells?: number;
	/** At most this many UTF-16 units of the text are read; a cut leaves an ellipsis. 4096 if not given. */
	readonly maxLength?: number;
}

/**
 * Gives the text without anything that could act on a terminal, hide, reorder or spill: see the table at the top of the
 * file. The result is one line in NFC, without white space at its ends, and cleaning it again changes nothing.
 */
export function clean(text: string, {maxCells, maxLength = MAX_LENGTH}: CleanOptions = {}): string {
	if (isTidyAscii(text) && text.length <= maxLength) return maxCells === undefined ? text : truncate(text, maxCells);
	const cut = text.length > maxLength;
	let tidy = tidyUp(cut ? text.slice(0, maxLength) : text);
	if (cut) tidy += ELLIPSIS;
	return maxCells === undefined ? tidy : truncate(tidy, maxCells);
}

function tidyUp(text: string): string {
	let tidy = text.replace(WHITE_SPACE, ' ');
	const isBlank = tidy.trim() === '';
	tidy = tidy.toWellFormed().replace(ESCAPE_SEQUENCE, '');
	// Before the first stand-in is used, no stand-in of the sender's may be left.
	tidy = tidy.replace(CHANGES_READING, REPLACEMENT);
	tidy = tidy.replace(JOINED_EMOJI, KEPT_JOINER).replace(EMOJI_PRESENTATION, KEPT_PRESENTATION);
	tidy = tidy.replace(INVISIBLE, '').replaceAll(KEPT_JOINER, '\u200D').replaceAll(KEPT_PRESENTATION, '\uFE0F');
	// A removed character may have stood between two marks, two spaces or two emoji: this comes last.
	tidy = tidy.normalize('NFC').replace(EXTRA_MARKS, '$1').replace(ORPHAN_MARKS, '$1').replace(EXTRA_JOINED, '$1');
	tidy = tidy.replace(/�{2,}/g, REPLACEMENT).replace(/ {2,}/g, ' ').trim();
	return tidy === '' && !isBlank ? REPLACEMENT : tidy;
}

/** Printable ASCII with single spaces inside and none at the ends: already clean. */
function isTidyAscii(text: string): boolean {
	let previous = 0x20;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code < 0x20 || code > 0x7e || (code === 0x20 && previous === 0x20)) return false;
		previous = code;
	}
	return previous !== 0x20 || text.length === 0;
}

/** Whether every character is printable ASCII, so that length, cells and clusters are the same number. */
export function isAscii(text: string): boolean {
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code < 0x20 || code > 0x7e) return false;
	}
	return true;
}

/**
 * The clusters of a text, in order: each fills one or two cells of a terminal. None is wider than two cells: the few
 * that would be (stacked jamo, Indic syllables) are given code point by code point.
 */
export function graphemes(text: string): readonly string[] {
	return isOneUnitEach(text) ? text.split('') : segmented(text);
}

/** Made when first needed: it reads tables of Unicode, which takes 12 ms. */
let segmenter: Intl.Segmenter | undefined;
const segmented = keptByText((text: string): readonly string[] => {
	const clusters: string[] = [];
	segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
	for (const {segment} of segmenter.segment(text)) {
		if (clusterWidth(segment) <= 2) clusters.push(segment);
		else clusters.push(...segment);
	}
	return clusters;
});

/** Cells that a text takes on the screen: two for wide characters and emoji sequences, none for marks and controls. */
export function cellWidth(text: string): number {
	let cells = 0;
	for (let at = 0; at < text.length; at++) {
		const width = unitWidth(text.charCodeAt(at));
		if (width === undefined) return graphemes(text).reduce((sum, cluster) => sum + clusterWidth(cluster), 0);
		cells += width;
	}
	return cells;
}

/** Cells that one cluster of `graphemes` takes: 0, 1 or 2. */
export function clusterWidth(cluster: string): number {
	const width = cluster.length === 1 ? unitWidth(cluster.charCodeAt(0)) : undefined;
	return width ?? measured(cluster);
}

/**
 * The text cut to `cells`, with an ellipsis in the last one if something was cut.
 * @param ellipsis the sign for the rest; `''` cuts without a sign
 */
export function truncate(text: string, cells: number, ellipsis: string = ELLIPSIS): string {
	if (text.length <= cells && isAscii(text)) return text;
	if (cells <= 0) return '';
	if (cellWidth(text) <= cells) return text;
	return takeStart(text, cells - cellWidth(ellipsis)) + ellipsis;
}

/** The text cut in its middle to `cells`, so that both ends can be compared: `0x12ab…89ef`. The start gets the odd cell. */
export function middleEllipsis(text: string, cells: number): string {
	if (cells <= 0) return '';
	if (cellWidth(text) <= cells) return text;
	const kept = cells - 1;
	return takeStart(text, Math.ceil(kept / 2)) + ELLIPSIS + takeEnd(text, Math.floor(kept / 2));
}

/** The text followed by spaces up to `cells`; a longer text unchanged. */
export function padEnd(text: string, cells: number): string {
	const missing = cells - cellWidth(text);
	return missing > 0 ? text + ' '.repeat(missing) : text;
}

/** The text after spaces up to `cells`, for right-aligned figures; a longer text unchanged. */
export function padStart(text: string, cells: number): string {
	const missing = cells - cellWidth(text);
	return missing > 0 ? ' '.repeat(missing) + text : text;
}

/** The text in exactly `cells`: cut with an ellipsis or followed by spaces. */
export function fitTo(text: string, cells: number): string {
	return padEnd(truncate(text, cells), cells);
}

/** Clusters from the start that fit in `cells`. */
function takeStart(text: string, cells: number): string {
	if (cells <= 0) return '';
	if (isAscii(text)) return text.slice(0, cells);
	let taken = '';
	let left = cells;
	for (const cluster of graphemes(text)) {
		left -= clusterWidth(cluster);
		if (left < 0) break;
		taken += cluster;
	}
	return taken;
}

/** Clusters from the end that fit in `cells`. */
function takeEnd(text: string, cells: number): string {
	if (cells <= 0) return '';
	if (isAscii(text)) return text.slice(-cells);
	let taken = '';
	let left = cells;
	for (const cluster of graphemes(text).toReversed()) {
		left -= clusterWidth(cluster);
		if (left < 0) break;
		taken = cluster + taken;
	}
	return taken;
}

/** One cell in every terminal, and never part of a longer cluster: Latin, Greek, Cyrillic, the marks, lines, blocks and dots we draw with. */
function isPlainNarrow(code: number): boolean {
	return (
		(code >= 0xa0 && code < 0x300 && code !== 0xad && code !== 0xa9 && code !== 0xae) ||
		// Greek without its unassigned code points.
		(code >= 0x391 && code < 0x3a2) ||
		(code >= 0x3a3 && code < 0x483) ||
		(code >= 0x2010 && code < 0x2028) ||
		(code >= 0x2030 && code < 0x203c) ||
		(code >= 0x2190 && code < 0x2194) ||
		(code >= 0x2500 && code < 0x25aa) ||
		(code >= 0x25b2 && code < 0x25b6) ||
		(code >= 0x25bc && code < 0x25c0) ||
		(code >= 0x25c6 && code < 0x25d0) ||
		(code >= 0x2200 && code < 0x2300) ||
		code === 0x2605 ||
		code === 0x2606 ||
		code === 0x2713 ||
		code === 0x2717 ||
		(code >= 0x2800 && code < 0x2900) ||
		code === 0xfffd
	);
}

/** Two cells in every terminal, and never part of a longer cluster: kana, CJK, Hangul syllables, full-width forms. */
function isPlainWide(code: number): boolean {
	return (
		(code >= 0x3041 && code < 0x3097) ||
		(code >= 0x30a1 && code < 0x30fb) ||
		(code >= 0x3400 && code < 0x4dc0) ||
		(code >= 0x4e00 && code < 0xa000) ||
		(code >= 0xac00 && code < 0xd7a4) ||
		(code >= 0xff01 && code < 0xff61)
	);
}

/** Cells of a UTF-16 unit that is a cluster of its own, and as wide in every terminal; undefined for any other. */
function unitWidth(code: number): 1 | 2 | undefined {
	if ((code >= 0x20 && code < 0x7f) || isPlainNarrow(code)) return 1;
	return isPlainWide(code) ? 2 : undefined;
}

/** Whether every terminal agrees on the width of this cluster, so that the next one can be written without a cursor move. */
export function isCertainWidth(cluster: string): boolean {
	return cluster.length === 1 && unitWidth(cluster.charCodeAt(0)) !== undefined;
}

/** Whether each UTF-16 unit is a cluster of its own, so that no segmenter is needed. */
function isOneUnitEach(text: string): boolean {
	for (let at = 0; at < text.length; at++) if (unitWidth(text.charCodeAt(at)) === undefined) return false;
	return true;
}

const NO_CELL = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cs}]/u;

/** Presented as emoji by the selector; digits are not without a keycap, and the letters of flags come in pairs. */
const PRESENTED_EMOJI = /^(?![0-9#*\u{1F1E6}-\u{1F1FF}])\p{Emoji}\uFE0F$/u;
const JOINED_PICTURES = /\p{Extended_Pictographic}.*\u200D.*\p{Extended_Pictographic}/u;
const TINTED_EMOJI = /^\p{Emoji_Modifier_Base}[\u{1F3FB}-\u{1F3FF}]$/u;
const KEYCAP = /^[0-9#*]\uFE0F?\u20E3$/;
const MARKED_LETTER = /^[[\p{Ll}\p{Lu}\p{Lo}]--[\u1100-\u11FF\uA960-\uA97C\uD7B0-\uD7FB]][\p{Mn}\p{Me}]+$/v;

/**
 * The rule of string-width, which Ink measures with: both must give the same number, or a row would not fit its box. The
 * common cases are measured here: string-width compiles a table of all emoji at first use, which takes 20 ms.
 */
const measured = keptByText((cluster: string): number => {
	const code = cluster.codePointAt(0) ?? 0;
	if (cluster.length === (code > 0xffff ? 2 : 1)) return NO_CELL.test(cluster) ? 0 : eastAsianWidth(code);
	if (PRESENTED_EMOJI.test(cluster) || TINTED_EMOJI.test(cluster) || KEYCAP.test(cluster)) return 2;
	if (cluster.length <= 50 && JOINED_PICTURES.test(cluster)) return 2;
	if (MARKED_LETTER.test(cluster)) return eastAsianWidth(code);
	return stringWidth(cluster);
});

/** A text with a capital first letter. */
export function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
