import {expect, test} from 'vitest';
import {reduceColor, SgrEncoder} from '../../../source/terminal/sgr.ts';
import {packColor, type Style, StyleTable} from '../../../source/terminal/style.ts';
import {on, THEME_NAMES, THEMES} from '../../../source/ui/theme.ts';

const BACKGROUND = {dark: '#0d1117', light: '#ffffff', colorblind: '#0d1117', contrast: '#000000'} as const;

/** The fixed part of the 256-colour palette: a cube of six steps and 24 greys. */
function hexOf(color: string): string {
	const entry = /^ansi256\((\d+)\)$/.exec(color)?.[1];
	if (entry === undefined) return color;
	const n = Number(entry);
	expect(n).toBeGreaterThanOrEqual(16);
	const steps = [0, 95, 135, 175, 215, 255];
	const rgb =
		n >= 232 ? Array(3).fill(8 + (n - 232) * 10) : [36, 6, 1].map(size => steps[Math.floor((n - 16) / size) % 6]!);
	return `#${rgb.map(c => c.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(color: string): number {
	const hex = hexOf(color);
	const [r, g, b] = [1, 3, 5].map(at => {
		const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
		return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
	}) as [number, number, number];
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2 contrast ratio. */
function contrast(a: string, b: string): number {
	const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
	return (light + 0.05) / (dark + 0.05);
}

test.each(THEME_NAMES)('%s: every tone is readable everywhere, and a quiet one at least visible', name => {
	const {cursor, cursorElsewhere, stripe, foreground, modal, tones} = THEMES[name];
	const {rule: _, badge, badgeGood, badgeBad, ...texts} = tones;
	const places = {
		'on the screen': BACKGROUND[name],
		'in a window': modal.background,
		'on every other token': stripe,
		'in a title': tones.titleFocused.backgroundColor!,
		'under the cursor': cursor,
		'under the cursor of another column': cursorElsewhere,
	};
	for (const [place, background] of Object.entries(places)) {
		const isMarked = !['on the screen', 'in a window', 'on every other token'].includes(place);
		for (const [tone, {color = foreground}] of Object.entries(texts)) {
			const least = isMarked && (tone === 'faint' || tone === 'barEmpty') ? 3 : 4.5;
			expect(contrast(color, background), `${tone} ${place}`).toBeGreaterThanOrEqual(least);
		}
	}
	for (const {color, backgroundColor} of [badge, badgeGood, badgeBad])
		expect(contrast(color!, backgroundColor!)).toBeGreaterThanOrEqual(4.5);
});

test.each(THEME_NAMES)('%s: no tone has the colour of the background on a terminal of 16 colours', name => {
	const [black, white, lightGrey] = [0, 15, 7];
	const lost = name === 'light' ? [lightGrey, white] : [black];
	for (const [tone, {color}] of Object.entries(THEMES[name].tones)) {
		if (color === undefined || ['badge', 'badgeGood', 'badgeBad', 'rule'].includes(tone)) continue;
		expect(lost, tone).not.toContain(reduceColor(packColor(color), '16'));
	}
});

test.each(THEME_NAMES)(
	'%s: the row under the cursor, titles and badges are recognisable without colours, too',
	name => {
		const theme = THEMES[name];
		const styles = new StyleTable();
		const bytes = (style: Style): string => new SgrEncoder(styles, 'none').change(0, styles.intern(style));
		const title = theme.tones.titleFocused.backgroundColor!;
		for (const marked of [on(theme, theme.tones.up, theme.cursor), on(theme, undefined, title), theme.tones.badge])
			expect(bytes(marked)).toMatch(/\b7m$/);
		for (const plain of [on(theme, undefined, theme.modal.background), on(theme, undefined, theme.cursorElsewhere)])
			expect(bytes(plain)).toBe('');
	},
);

test('up and down differ for every eye in the colour-blind theme: blue against orange', () => {
	const {up, down} = THEMES.colorblind.tones;
	expect([up.color, down.color]).toEqual(['ansi256(75)', 'ansi256(215)']);
});
