import {
	BAND_LINE,
	BAND_WORD,
	BOLD,
	DEFAULT_COLOR,
	DIM,
	INVERSE,
	ITALIC,
	type Look,
	type Rgb,
	rgbOf,
	STRIKETHROUGH,
	type StyleTable,
	TRUE_COLOR,
	UNDERLINE,
} from './style.ts';

/** How many colours a terminal shows. */
export type ColorDepth = 'truecolor' | '256' | '16' | 'none';

/** Pairs kept; far more than a theme has, and a bound for text coloured by value. */
const MAX_PAIRS = 0x4000;

/**
 * Makes the bytes that change a terminal's style from one to another, for terminals of one colour depth. A colour beyond the depth
 * becomes the nearest one within, a background beyond the depth becomes inverse. Each pair is worked out once.
 */
export class SgrEncoder {
	readonly #styles: StyleTable;
	readonly #depth: ColorDepth;
	/** The bands that this depth shows inverse. */
	readonly #inverted: number;
	readonly #known = new Map<number, string>();
	readonly #hasLinks: boolean;

	/** @param hasLinks the terminal knows hyperlinks (OSC 8) */
	constructor(styles: StyleTable, depth: ColorDepth, hasLinks = false) {
		this.#styles = styles;
		this.#depth = depth;
		this.#hasLinks = hasLinks;
		this.#inverted = {truecolor: 0, 256: 0, 16: BAND_LINE, none: BAND_LINE | BAND_WORD}[depth];
	}

	/** The shortest sequence that leads from one style id to another; empty if nothing changes. */
	change(from: number, to: number): string {
		if (from === to) return '';
		const pair = from * 0x100000 + to;
		let sequence = this.#known.get(pair);
		if (sequence === undefined) {
			sequence = shortest(this.#reduced(from), this.#reduced(to)) + this.#linkChange(from, to);
			if (this.#known.size >= MAX_PAIRS) this.#known.clear();
			this.#known.set(pair, sequence);
		}
		return sequence;
	}

	/** Whether text in a style is a link: such a style ends with its text. */
	isLink(id: number): boolean {
		return this.#hasLinks && this.#styles.look(id).link !== undefined;
	}

	#linkChange(from: number, to: number): string {
		const [before, after] = [this.#styles.look(from).link, this.#styles.look(to).link];
		return this.#hasLinks && before !== after ? `\x1B]8;;${after ?? ''}\x1B\\` : '';
	}

	#reduced(id: number): Look {
		const {foreground, background, attributes: all} = this.#styles.look(id);
		const attributes = all & ~(BAND_LINE | BAND_WORD);
		if ((all & this.#inverted) !== 0)
			return {foreground: DEFAULT_COLOR, background: DEFAULT_COLOR, attributes: attributes ^ INVERSE};
		return {
			foreground: reduceColor(foreground, this.#depth),
			background: reduceColor(background, this.#depth),
			attributes,
		};
	}
}

/** Reduces a packed colour to a depth. */
export function reduceColor(color: number, depth: ColorDepth): number {
	if (color === DEFAULT_COLOR || depth === 'truecolor') return color;
	if (depth === 'none') return DEFAULT_COLOR;
	if (depth === '256') return color >= TRUE_COLOR ? nearest256(color) : color;
	return color < 16 ? color : nearest16(rgbOf(color));
}

function nearest256(color: number): number {
	const [red, green, blue] = rgbOf(color);
	if (red === green && green === blue) {
		if (red < 8) return 16;
		if (red > 248) return 231;
		return Math.round(((red - 8) / 247) * 24) + 232;
	}
	return 16 + 36 * Math.round((red / 255) * 5) + 6 * Math.round((green / 255) * 5) + Math.round((blue / 255) * 5);
}

/** Where on the circle of hues, in degrees, each of six of the 16 colours begins; an orange is a yellow, a sky blue a blue. */
const HUES: ReadonlyArray<readonly [from: number, entry: number]> = [
	[330, 1],
	[270, 5],
	[204, 4],
	[150, 6],
	[90, 2],
	[31, 3],
	[0, 1],
];

/**
 * By hue and brightness, not by the parts of the mixture: a grey stays a grey that differs from black, and a dark green stays
 * green, so that what is quiet on 256 colours does not vanish on 16.
 */
function nearest16([red, green, blue]: Rgb): number {
	const most = Math.max(red, green, blue);
	const range = most - Math.min(red, green, blue);
	if (range < 60 && (range < 24 || most >= 200)) {
		if (most < 50) return 0;
		if (most < 150) return 8;
		return most < 225 ? 7 : 15;
	}
	const sixth =
		most === red ? (green - blue) / range : most === green ? 2 + (blue - red) / range : 4 + (red - green) / range;
	const hue = (sixth * 60 + 360) % 360;
	return HUES.find(([from]) => hue >= from)![1] + (most >= 200 ? 8 : 0);
}

/** Each attribute with the parameters that switch it on and off. Bold and dim share their off. */
const SWITCHES: ReadonlyArray<readonly [bit: number, on: number, off: number]> = [
	[BOLD, 1, 22],
	[DIM, 2, 22],
	[ITALIC, 3, 23],
	[UNDERLINE, 4, 24],
	[INVERSE, 7, 27],
	[STRIKETHROUGH, 9, 29],
];

function shortest(from: Look, to: Look): string {
	const steps = changes(from, to);
	if (steps.length === 0) return '';
	const change = `\x1B[${steps.join(';')}m`;
	const fresh = changes({foreground: DEFAULT_COLOR, background: DEFAULT_COLOR, attributes: 0}, to);
	const restart = fresh.length === 0 ? '\x1B[m' : `\x1B[0;${fresh.join(';')}m`;
	return restart.length < change.length ? restart : change;
}

function changes(from: Look, to: Look): ReadonlyArray<number | string> {
	const steps: Array<number | string> = [];
	let kept = from.attributes;
	for (const [bit, , off] of SWITCHES) {
		if ((kept & bit) === 0 || (to.attributes & bit) !== 0) continue;
		steps.push(off);
		kept &= off === 22 ? ~(BOLD | DIM) : ~bit;
	}
	for (const [bit, on] of SWITCHES) {
		if ((to.attributes & bit) !== 0 && (kept & bit) === 0) steps.push(on);
	}
	if (from.foreground !== to.foreground) steps.push(colorParameter(to.foreground, 30));
	if (from.background !== to.background) steps.push(colorParameter(to.background, 40));
	return steps;
}

/** @param base 30 for the foreground, 40 for the background */
function colorParameter(color: number, base: 30 | 40): number | string {
	if (color === DEFAULT_COLOR) return base + 9;
	if (color < 8) return base + color;
	if (color < 16) return base + 60 + color - 8;
	if (color < TRUE_COLOR) return `${base + 8};5;${color}`;
	return `${base + 8};2;${rgbOf(color).join(';')}`;
}
