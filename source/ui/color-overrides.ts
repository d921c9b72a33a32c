import type {MonitorState} from '../monitor/state.ts';
import {nearest} from '../nearest.ts';
import {type Color, packColor, rgbOf} from '../terminal/style.ts';
import {
	COLOR_NAMES,
	type ColorName,
	type ColorOverrides,
	THEMES,
	type Theme,
	type ThemeName,
	themesWith,
} from './theme.ts';

/** The assumed background of the terminal, by theme. */
const BACKGROUNDS: Readonly<Record<ThemeName, string>> = {
	dark: '#0d1117',
	light: '#ffffff',
	colorblind: '#0d1117',
	contrast: '#000000',
};
/** The least contrast of a glyph (WCAG 2, 1.4.11). */
const MIN_CONTRAST = 3;

const made = new WeakMap<MonitorState['display']['colors'], Readonly<Record<ThemeName, Theme>>>();

/** The theme in force, with the colours of the configuration. Cached: every frame reads it. */
export function themeIn({theme, display: {colors}}: Pick<MonitorState, 'theme' | 'display'>): Theme {
	const themes = made.get(colors) ?? (Object.keys(colors).length === 0 ? THEMES : themesWith(readColors(colors)));
	made.set(colors, themes);
	return themes[theme as ThemeName] ?? themes.dark;
}

/** A colour of the configuration and its problem. */
export interface ColorProblem {
	readonly item: string;
	readonly what: string;
	readonly why: string;
}

/** The valid colours of the configuration, by name. */
export function readColors(written: Readonly<Record<string, string>>): ColorOverrides {
	const known = Object.entries(written).flatMap(([name, text]) => {
		const color = isColorName(name) ? readColor(text) : undefined;
		return color === undefined ? [] : [[name, color] as const];
	});
	return Object.fromEntries(known);
}

/**
 * Problems of the colours of the configuration: unknown names and colours, too little contrast, and rise and fall that look alike.
 * @param theme the configured theme; with `auto` a colour must do on one of the two backgrounds that a terminal may have
 */
export function colorProblems(written: Readonly<Record<string, string>>, theme: string): readonly ColorProblem[] {
	const themes: readonly ThemeName[] = theme === 'auto' ? ['dark', 'light'] : [theme as ThemeName];
	const problems = Object.entries(written).flatMap(([item, text]) => problemOf(item, text, themes) ?? []);
	const colors = readColors(written);
	const same = themes.find(name => {
		const {up, down} = {up: THEMES[name].tones.up.color, down: THEMES[name].tones.down.color, ...colors};
		return up !== undefined && down !== undefined && rgbOf(packColor(up)).join() === rgbOf(packColor(down)).join();
	});
	if (same === undefined) return problems;
	const item = colors.down === undefined ? 'up' : 'down';
	return [
		...problems,
		{item, what: 'The colours of up and down are the same', why: 'Give one of them another colour.'},
	];
}

function problemOf(item: string, text: string, themes: readonly ThemeName[]): ColorProblem | undefined {
	if (!isColorName(item)) {
		const near = nearest(item, COLOR_NAMES);
		const why = near === undefined ? `Known: ${COLOR_NAMES.join(', ')}.` : `The nearest is "${near}".`;
		return {item, what: `"${item}" in colors is not a colour of the screen`, why};
	}
	const color = readColor(text);
	if (color === undefined) {
		return {
			item,
			what: `The colour of ${item} can't be used`,
			why: 'Write "#4ae168", or a number of the 256-colour palette from 16 to 255, "78".',
		};
	}
	if (item === 'rule') return undefined;
	const best = Math.max(...themes.map(name => contrast(color, BACKGROUNDS[name] as Color)));
	if (best >= MIN_CONTRAST) return undefined;
	return {
		item,
		what: `The colour of ${item} can't be made out`,
		why: `Its contrast on the background is ${best.toFixed(1)} to 1; at least ${MIN_CONTRAST} to 1 is needed.`,
	};
}

function isColorName(name: string): name is ColorName {
	return COLOR_NAMES.some(known => known === name);
}

function readColor(text: string): Color | undefined {
	if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase() as Color;
	const number = /^\d{2,3}$/.test(text) ? Number(text) : Number.NaN;
	// The terminal defines the first 16 colours: their contrast is not known.
	return number >= 16 && number <= 255 ? `ansi256(${number})` : undefined;
}

/** Contrast of two colours, 1 to 21 (WCAG 2). */
function contrast(a: Color, b: Color): number {
	const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
	return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: Color): number {
	const [r = 0, g = 0, b = 0] = rgbOf(packColor(color)).map(part => {
		const share = part / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
