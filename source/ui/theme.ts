import type {Color, Style} from '../terminal/style.ts';

/**
 * What a thing means on screen. Components name the meaning, a theme gives its look, and nothing is told by colour alone:
 * each of these also has a glyph, a sign or a word beside it.
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
	| 'barFull'
	| 'barEmpty'
	| 'title'
	| 'titleFocused'
	| 'rule'
	| 'badge'
	| 'badgeBad'
	| 'input';

export interface Theme {
	readonly name: ThemeName;
	readonly label: string;
	readonly tones: Readonly<Record<Tone, Style>>;
	/** Background of the row under the cursor, in the focused column and in the others. */
	readonly cursor: Color;
	readonly cursorElsewhere: Color;
	/** Background and foreground of modals: they are opaque. */
	readonly modal: {readonly background: Color; readonly border: Color};
}

export const THEME_NAMES = ['dark', 'light', 'colorblind', 'contrast'] as const;
export type ThemeName = (typeof THEME_NAMES)[number];

interface Palette {
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
	readonly rule: Color;
	readonly onBadge: Color;
	readonly titleBackground: Color;
	readonly cursor: Color;
	readonly cursorElsewhere: Color;
	readonly modal: Color;
}

function themeOf(name: ThemeName, label: string, p: Palette): Theme {
	const [created, bonding, bonded] = p.stages;
	return {
		name,
		label,
		cursor: p.cursor,
		cursorElsewhere: p.cursorElsewhere,
		modal: {background: p.modal, border: p.accent},
		tones: {
			text: {color: p.text},
			dim: {color: p.dim},
			faint: {color: p.faint},
			strong: {color: p.strong, bold: true},
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
			barFull: {color: bonding},
			barEmpty: {color: p.faint},
			title: {color: p.dim},
			titleFocused: {color: p.strong, backgroundColor: p.titleBackground, bold: true},
			rule: {color: p.rule},
			badge: {color: p.onBadge, backgroundColor: p.warn, bold: true},
			badgeBad: {color: p.onBadge, backgroundColor: p.down, bold: true},
			input: {color: p.strong},
		},
	};
}

/** Contrast of every text tone against the background it is made for is at least 4.5 to 1, `faint` 3 to 1 (a test measures it). */
export const THEMES: Readonly<Record<ThemeName, Theme>> = {
	dark: themeOf('dark', 'Dark', {
		text: '#c9d1d9',
		dim: '#8b949e',
		faint: '#6e7681',
		strong: '#f0f6fc',
		brand: '#d2a8ff',
		accent: '#79c0ff',
		up: '#56d364',
		down: '#ff7b72',
		warn: '#e3b341',
		stages: ['#79c0ff', '#e3b341', '#56d364'],
		rule: '#484f58',
		onBadge: '#0d1117',
		titleBackground: '#21304a',
		cursor: '#2a3f5f',
		cursorElsewhere: '#21262d',
		modal: '#161b22',
	}),
	light: themeOf('light', 'Light', {
		text: '#24292f',
		dim: '#57606a',
		faint: '#6e7781',
		strong: '#000000',
		brand: '#8250df',
		accent: '#0550ae',
		up: '#116329',
		down: '#a40e26',
		warn: '#7d4e00',
		stages: ['#0550ae', '#7d4e00', '#116329'],
		rule: '#afb8c1',
		onBadge: '#ffffff',
		titleBackground: '#d0e3ff',
		cursor: '#cfe3ff',
		cursorElsewhere: '#eaeef2',
		modal: '#f6f8fa',
	}),
	colorblind: themeOf('colorblind', 'Colour-blind safe (blue and orange)', {
		text: '#c9d1d9',
		dim: '#8b949e',
		faint: '#6e7681',
		strong: '#f0f6fc',
		brand: '#cdd9e5',
		accent: '#a5d6ff',
		up: '#58a6ff',
		down: '#f0883e',
		warn: '#f2cc60',
		stages: ['#a5d6ff', '#f2cc60', '#58a6ff'],
		rule: '#484f58',
		onBadge: '#0d1117',
		titleBackground: '#1f3350',
		cursor: '#2a3f5f',
		cursorElsewhere: '#21262d',
		modal: '#161b22',
	}),
	contrast: themeOf('contrast', 'High contrast', {
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
		rule: '#9ea7b3',
		onBadge: '#000000',
		titleBackground: '#0a3069',
		cursor: '#0b4a8f',
		cursorElsewhere: '#333942',
		modal: '#0a0c10',
	}),
};

/** The same look on another background: for the row under the cursor. Remembered, so that styles keep their identity. */
export function on(style: Style | undefined, background: Color): Style {
	const base = style ?? PLAIN_STYLE;
	const styles = backgrounds.get(background) ?? new WeakMap<Style, Style>();
	backgrounds.set(background, styles);
	const styled = styles.get(base) ?? {...base, backgroundColor: base.backgroundColor ?? background};
	styles.set(base, styled);
	return styled;
}
const PLAIN_STYLE: Style = {};
const backgrounds = new Map<Color, WeakMap<Style, Style>>();
