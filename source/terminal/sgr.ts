import {
	BOLD,
	DEFAULT_COLOR,
	DIM,
	INVERSE,
	ITALIC,
	type Look,
	STRIKETHROUGH,
	type StyleTable,
	TRUE_COLOR,
	UNDERLINE,
} from './style.ts';

/** How many colours a terminal shows. */
export type ColorDepth = 'truecolor' | '256' | '16' | 'none';

/** Pairs kept; far more than a theme has, and a bound for what colours itself by value. */
const MAX_PAIRS = 0x4000;

/**
 * Makes the bytes that change a terminal's style from one to another, for terminals of one colour depth. What the depth
 * can't show is brought to the nearest colour that it can, with the arithmetic that Ink's own text goes through, so that a
 * live row and an Ink text of one theme look the same. Each pair is worked out once.
 */
export class SgrEncoder {
	readonly #styles: StyleTable;
	readonly #depth: ColorDepth;
	readonly #known = new Map<number, string>();

	constructor(styles: StyleTable, depth: ColorDepth) {
		this.#styles = styles;
		this.#depth = depth;
	}

	/** The shortest sequence that leads from one style id to another; empty if nothing changes. */
	change(from: number, to: number): string {
		if (from === to) return '';
		const pair = from * 0x100000 + to;
		let sequence = this.#known.get(pair);
		if (sequence === undefined) {
			sequence = shortest(this.#reduced(from), this.#reduced(to));
			if (this.#known.size >= MAX_PAIRS) this.#known.clear();
			this.#known.set(pair, sequence);
		}
		return sequence;
	}

	#reduced(id: number): Look {
		const {foreground, background, attributes} = this.#styles.look(id);
		return {
			foreground: reduceColor(foreground, this.#depth),
			background: reduceColor(background, this.#depth),
			attributes,
		};
	}
}

/** Brings a packed colour down to what a depth can show. */
export function reduceColor(color: number, depth: ColorDepth): number {
	if (color === DEFAULT_COLOR || depth === 'truecolor') return color;
	if (depth === 'none') return DEFAULT_COLOR;
	const entry = color >= TRUE_COLOR ? nearest256(color) : color;
	return depth === '256' ? entry : nearest16(entry);
}

function nearest256(color: number): number {
	const red = (color >> 16) & 0xff;
	const green = (color >> 8) & 0xff;
	const blue = color & 0xff;
	if (red === green && green === blue) {
		if (red < 8) return 16;
		if (red > 248) return 231;
		return Math.round(((red - 8) / 247) * 24) + 232;
	}
	return 16 + 36 * Math.round((red / 255) * 5) + 6 * Math.round((green / 255) * 5) + Math.round((blue / 255) * 5);
}

function nearest16(entry: number): number {
	if (entry < 16) return entry;
	let red: number;
	let green: number;
	let blue: number;
	if (entry >= 232) {
		red = green = blue = ((entry - 232) * 10 + 8) / 255;
	} else {
		const cube = entry - 16;
		red = Math.floor(cube / 36) / 5;
		green = Math.floor((cube % 36) / 6) / 5;
		blue = (cube % 6) / 5;
	}
	const value = Math.max(red, green, blue) * 2;
	if (value === 0) return 0;
	const hue = (Math.round(blue) << 2) | (Math.round(green) << 1) | Math.round(red);
	return value === 2 ? hue + 8 : hue;
}

/** Each attribute with what switches it on and off. Bold and dim share their off. */
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
	const anew = fresh.length === 0 ? '\x1B[m' : `\x1B[0;${fresh.join(';')}m`;
	return anew.length < change.length ? anew : change;
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
	return `${base + 8};2;${(color >> 16) & 0xff};${(color >> 8) & 0xff};${color & 0xff}`;
}
