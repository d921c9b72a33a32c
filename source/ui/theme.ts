import type {Color, Style} from '../terminal/style.ts';

/**
 * The meaning of a thing on screen. Components name the meaning, a theme gives its look. No meaning is shown by colour alone:
 * each also has a glyph or a word beside it.
 */
export type Tone =
	| 'text'
	| 'dim'
	| 'faint'
	| 'strong'
	| 'brand'
	| 'key'
	| 'accent'
	| 'up'
	| 'down'
	| 'good'
	| 'warn'
	| 'bad'
	| 'new'
	| 'bonding'
	| 'bonded'
	| 'trending'
	| 'barFull'
	| 'barEmpty'
	| 'title'
	| 'titleFocused'
	| 'rule'
	| 'badge'
	| 'badgeGood'
	| 'badgeBad'
	| 'input';

export interface Theme {
	readonly name: ThemeName;
	readonly label: string;
	readonly tones: Readonly<Record<Tone, Style>>;
	/** Colour of plain text on a background of the theme; elsewhere text has the terminal's own colour, which costs no bytes. */
	readonly foreground: Color;
	/** Background of the row under the cursor, in the focused column and in the others. */
	readonly cursor: Color;
	readonly cursorElsewhere: Color;
	/** Background of every other token where a token has several lines: an entry of the palette, to save bytes. */
	readonly stripe: Color;
	/** Background and foreground of modals: they are opaque. */
	readonly modal: {readonly background: Color; readonly border: Color};
}

export const THEME_NAMES = ['dark', 'light', 'colorblind', 'contrast'] as const;
export type ThemeName = (typeof THEME_NAMES)[number];

interface Palette {
	readonly label: string;
	readonly text: Color;
	readonly dim: Color;
	readonly faint: Color;
	readonly strong: Color;
	readonly brand: Color;
	readonly accent: Color;
	readonly up: Color;
	readonly down: Color;
	readonly warn: Color;
	readonly stages: readonly [created: Color, bonding: Color, bonded: Color];
	readonly trending: Color;
	readonly rule: Color;
	readonly onBadge: Color;
	readonly titleBackground: Color;
	readonly cursor: Color;
	readonly cursorElsewhere: Color;
	readonly stripe: Color;
	readonly modal: Color;
}

function themeOf(name: ThemeName, p: Palette): Theme {
	const [created, bonding, bonded] = p.stages;
	return {
		name,
		label: p.label,
		foreground: p.text,
		cursor: p.cursor,
		cursorElsewhere: p.cursorElsewhere,
		stripe: p.stripe,
		modal: {background: p.modal, border: p.accent},
		tones: {
			text: {},
			dim: {color: p.dim},
			faint: {color: p.faint},
			strong: {bold: true},
			brand: {color: p.brand, bold: true},
			key: {color: p.accent, bold: true},
			accent: {color: p.accent},
			up: {color: p.up},
			down: {color: p.down},
			good: {color: p.up},
			warn: {color: p.warn},
			bad: {color: p.down, bold: true},
			new: {color: created, bold: true},
			bonding: {color: bonding, bold: true},
			bonded: {color: bonded, bold: true},
			trending: {color: p.trending, bold: true},
			barFull: {color: bonding},
			barEmpty: {color: p.faint},
			title: {color: p.dim},
			titleFocused: {color: p.strong, backgroundColor: p.titleBackground, bold: true},
			rule: {color: p.rule},
			badge: {color: p.onBadge, backgroundColor: p.warn, bold: true, band: 'word'},
			badgeGood: {color: p.onBadge, backgroundColor: p.up, bold: true, band: 'word'},
			badgeBad: {color: p.onBadge, backgroundColor: p.down, bold: true, band: 'word'},
			input: {color: p.strong},
		},
	};
}

/**
 * Tones that change all the time come from the 256-colour palette, whose codes are half as long as 24-bit ones: over SSH
 * they were more than half of all bytes. Its upper 240 colours are the same in every terminal.
 *
 * Contrast of every tone is at least 4.5 to 1 on the screen, in windows and titles and under the cursor; `faint` may go down
 * to 3 to 1 in a title or under the cursor (a test measures it).
 */
const PALETTES: Readonly<Record<ThemeName, Palette>> = {
	dark: {
		label: 'Dark',
		text: 'ansi256(252)',
		dim: 'ansi256(248)',
		faint: 'ansi256(245)',
		strong: '#ffffff',
		brand: 'ansi256(183)',
		accent: 'ansi256(117)',
		up: 'ansi256(78)',
		down: 'ansi256(210)',
		warn: 'ansi256(221)',
		stages: ['ansi256(117)', 'ansi256(221)', 'ansi256(78)'],
		trending: 'ansi256(183)',
		rule: 'ansi256(240)',
		onBadge: 'ansi256(16)',
		titleBackground: '#21304a',
		cursor: '#283c5a',
		cursorElsewhere: '#21262d',
		stripe: 'ansi256(234)',
		modal: '#161b22',
	},
	light: {
		label: 'Light',
		text: 'ansi256(235)',
		dim: 'ansi256(239)',
		faint: 'ansi256(242)',
		strong: '#000000',
		brand: 'ansi256(91)',
		accent: 'ansi256(25)',
		up: 'ansi256(22)',
		down: 'ansi256(124)',
		warn: 'ansi256(94)',
		stages: ['ansi256(25)', 'ansi256(94)', 'ansi256(22)'],
		trending: 'ansi256(91)',
		rule: 'ansi256(247)',
		onBadge: 'ansi256(231)',
		titleBackground: '#d7e8ff',
		cursor: '#d7e8ff',
		cursorElsewhere: '#eaeef2',
		stripe: 'ansi256(255)',
		modal: '#f6f8fa',
	},
	colorblind: {
		label: 'Colour-blind safe (blue and orange)',
		text: 'ansi256(252)',
		dim: 'ansi256(248)',
		faint: 'ansi256(245)',
		strong: '#ffffff',
		brand: 'ansi256(189)',
		accent: 'ansi256(153)',
		up: 'ansi256(75)',
		down: 'ansi256(215)',
		warn: 'ansi256(229)',
		stages: ['ansi256(153)', 'ansi256(229)', 'ansi256(75)'],
		trending: 'ansi256(189)',
		rule: 'ansi256(240)',
		onBadge: 'ansi256(16)',
		titleBackground: '#1f3350',
		cursor: '#283c5a',
		cursorElsewhere: '#21262d',
		stripe: 'ansi256(234)',
		modal: '#161b22',
	},
	contrast: {
		label: 'High contrast',
		text: '#ffffff',
		dim: '#d0d7de',
		faint: '#afb8c1',
		strong: '#ffffff',
		brand: '#ffffff',
		accent: '#91cbff',
		up: '#4ae168',
		down: '#ff9492',
		warn: '#f0b72f',
		stages: ['#91cbff', '#f0b72f', '#4ae168'],
		trending: '#dbb7ff',
		rule: '#9ea7b3',
		onBadge: '#000000',
		titleBackground: '#0a3069',
		cursor: '#0a4282',
		cursorElsewhere: '#333942',
		stripe: 'ansi256(234)',
		modal: '#0a0c10',
	},
};

/** Colours that a person can change, and how they are called. Backgrounds are the theme's own. */
export const COLOR_NAMES = [
	...(['dim', 'faint', 'strong', 'brand', 'accent', 'up', 'down', 'warn', 'rule'] as const),
	...(['new', 'bonding', 'bonded', 'trending'] as const),
] as const;
export type ColorName = (typeof COLOR_NAMES)[number];
export type ColorOverrides = Readonly<Partial<Record<ColorName, Color>>>;

/** All themes, with other colours in the place of some. */
export function themesWith({
	new: created,
	bonding,
	bonded,
	...others
}: ColorOverrides): Readonly<Record<ThemeName, Theme>> {
	const themes = THEME_NAMES.map(name => {
		const palette = PALETTES[name];
		const [usualNew, usualBonding, usualBonded] = palette.stages;
		const stages = [created ?? usualNew, bonding ?? usualBonding, bonded ?? usualBonded] as const;
		return [name, themeOf(name, {...palette, ...others, stages})] as const;
	});
	return Object.fromEntries(themes) as Record<ThemeName, Theme>;
}

export const THEMES: Readonly<Record<ThemeName, Theme>> = themesWith({});

/**
 * The same look on a background of the theme: for the row under the cursor, titles and modals. Cached, so that equal styles
 * are the same object.
 */
export function on({foreground, cursor, tones}: Theme, style: Style | undefined, background: Color): Style {
	const base = style ?? PLAIN_STYLE;
	const isLine = background === cursor || background === tones.titleFocused.backgroundColor;
	const place = `${foreground} ${background}`;
	const styles = backgrounds.get(place) ?? new WeakMap<Style, Style>();
	backgrounds.set(place, styles);
	const styled = styles.get(base) ?? {
		...base,
		color: base.color ?? foreground,
		backgroundColor: base.backgroundColor ?? background,
		...(isLine && base.backgroundColor === undefined && {band: 'line' as const}),
	};
	styles.set(base, styled);
	return styled;
}
const PLAIN_STYLE: Style = {};
const backgrounds = new Map<string, WeakMap<Style, Style>>();

/** The tone of a change in percent. */
export function changeTone(percent: number | undefined): Tone {
	if (percent === undefined) return 'faint';
	return percent > 0 ? 'up' : percent < 0 ? 'down' : 'text';
}
