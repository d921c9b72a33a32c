/*
 * How live rows are written: without ANSI strings. A row is a list of spans, a span is text and a style.
 *
 *     const row: Row = [
 *         {text: fitTo(entry.symbol, 10), style: TONE.name},
 *         {text: ' '},
 *         {text: padStart(price, 8), style: {color: '#7ee787', bold: true}},
 *     ];
 *
 * A style has the property names of Ink's <Text>, so that one theme serves both: `<Text {...TONE.risk}>` and
 * `{text, style: TONE.risk}`. Colours are written as they are meant; what the terminal can't show is brought down when
 * bytes are made (see sgr.ts). Styles are interned by identity first: constants of a theme are cheaper than literals.
 */

export type ColorName =
	| 'black'
	| 'red'
	| 'green'
	| 'yellow'
	| 'blue'
	| 'magenta'
	| 'cyan'
	| 'white'
	| 'gray'
	| 'grey'
	| 'blackBright'
	| 'redBright'
	| 'greenBright'
	| 'yellowBright'
	| 'blueBright'
	| 'magentaBright'
	| 'cyanBright'
	| 'whiteBright';

/** As Ink takes it: `#rrggbb`, one of the 16 names, or an entry of the 256-colour palette. */
export type Color = ColorName | `#${string}` | `ansi256(${number})`;

/** The look of a span. An absent member is the terminal's default. */
export interface Style {
	readonly color?: Color;
	readonly backgroundColor?: Color;
	readonly bold?: boolean;
	readonly dimColor?: boolean;
	readonly italic?: boolean;
	readonly underline?: boolean;
	readonly inverse?: boolean;
	readonly strikethrough?: boolean;
	/**
	 * The part that its background sets apart. A terminal of 16 colours has no shade for a line, and one without colours has no
	 * background at all: there it is inverse instead.
	 */
	readonly band?: 'line' | 'word';
	/** A checked http(s) address that the text leads to, in terminals that know hyperlinks (OSC 8). */
	readonly link?: string;
}

/** Text in one style, clean (text.ts) and without line breaks. */
export interface Span {
	readonly text: string;
	readonly style?: Style;
}

/** One line of a live region, from left to right. A longer line is cut at the region's width, a shorter one is filled with blanks. */
export type Row = readonly Span[];

/** Attribute bits of a `Look`. */
export const BOLD = 1;
export const DIM = 2;
export const ITALIC = 4;
export const UNDERLINE = 8;
export const INVERSE = 16;
export const STRIKETHROUGH = 32;
/** `Style.band`: no attributes of the terminal, but what stands for their background where that can't be shown. */
export const BAND_LINE = 64;
export const BAND_WORD = 128;

/** The terminal's own colour. Other packed colours: 0 to 255 an entry of the palette, from TRUE_COLOR on `TRUE_COLOR | 0xrrggbb`. */
export const DEFAULT_COLOR = -1;
export const TRUE_COLOR = 0x1000000;

/** 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

const CUBE_STEPS = [0, 95, 135, 175, 215, 255];

/**
 * The RGB of a packed colour, for those that look the same in every terminal: the upper 240 of the palette, which are
 * a cube of six steps and 24 greys, and all beyond.
 */
export function rgbOf(color: number): Rgb {
	if (color >= TRUE_COLOR) return [(color >> 16) & 0xff, (color >> 8) & 0xff, color & 0xff];
	const n = color - 16;
	const grey = 8 + (n - 216) * 10;
	if (n >= 216) return [grey, grey, grey];
	return [CUBE_STEPS[Math.floor(n / 36)]!, CUBE_STEPS[Math.floor(n / 6) % 6]!, CUBE_STEPS[n % 6]!];
}

/** A style in numbers. */
export interface Look {
	readonly foreground: number;
	readonly background: number;
	readonly attributes: number;
	readonly link?: string;
}

/** Id of the style without any property in every `StyleTable`. */
export const PLAIN = 0;

/** Gives every look that a screen uses a small number, the same for the same look. */
export class StyleTable {
	readonly #looks: Look[] = [{foreground: DEFAULT_COLOR, background: DEFAULT_COLOR, attributes: 0}];
	readonly #ids = new Map<string, number>([[keyOf(this.#looks[0]!), PLAIN]]);
	readonly #known = new WeakMap<Style, number>();

	/** How many ids were given so far. */
	get size(): number {
		return this.#looks.length;
	}

	/** The id of a style as painters write it. */
	intern(style: Style | undefined): number {
		if (style === undefined) return PLAIN;
		const known = this.#known.get(style);
		if (known !== undefined) return known;
		const id = this.internLook(lookOf(style));
		this.#known.set(style, id);
		return id;
	}

	/** The id of a style in numbers, as it was read from Ink's output. */
	internLook(look: Look): number {
		const key = keyOf(look);
		const known = this.#ids.get(key);
		if (known !== undefined) return known;
		const id = this.#looks.push(look) - 1;
		this.#ids.set(key, id);
		return id;
	}

	look(id: number): Look {
		return this.#looks[id]!;
	}
}

function keyOf({foreground, background, attributes, link = ''}: Look): string {
	return `${foreground},${background},${attributes},${link}`;
}

/** Text that may go into a sequence of the terminal unchanged: ASCII without blanks and control characters. */
const SAFE_LINK = /^https?:\/\/[\x21-\x7e]{1,2000}$/;

function lookOf(style: Style): Look {
	let attributes = 0;
	if (style.bold) attributes |= BOLD;
	if (style.dimColor) attributes |= DIM;
	if (style.italic) attributes |= ITALIC;
	if (style.underline) attributes |= UNDERLINE;
	if (style.inverse) attributes |= INVERSE;
	if (style.strikethrough) attributes |= STRIKETHROUGH;
	if (style.band !== undefined) attributes |= style.band === 'line' ? BAND_LINE : BAND_WORD;
	const look = {foreground: packColor(style.color), background: packColor(style.backgroundColor), attributes};
	return style.link !== undefined && SAFE_LINK.test(style.link) ? {...look, link: style.link} : look;
}

const NAMES: Readonly<Record<ColorName, number>> = {
	black: 0,
	red: 1,
	green: 2,
	yellow: 3,
	blue: 4,
	magenta: 5,
	cyan: 6,
	white: 7,
	gray: 8,
	grey: 8,
	blackBright: 8,
	redBright: 9,
	greenBright: 10,
	yellowBright: 11,
	blueBright: 12,
	magentaBright: 13,
	cyanBright: 14,
	whiteBright: 15,
};

/** A colour as a number; one that can't be read is the terminal's default, as in Ink. */
export function packColor(color: Color | undefined): number {
	if (color === undefined) return DEFAULT_COLOR;
	const hex = /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(color)?.[1];
	if (hex !== undefined) {
		const full = hex.length === 6 ? hex : hex.replace(/./g, '$&$&');
		return TRUE_COLOR | Number.parseInt(full, 16);
	}
	const entry = /^ansi256\((\d{1,3})\)$/.exec(color)?.[1];
	if (entry !== undefined) return Math.min(Number(entry), 255);
	return NAMES[color as ColorName] ?? DEFAULT_COLOR;
}
