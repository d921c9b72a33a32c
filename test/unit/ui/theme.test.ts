import {expect, test} from 'vitest';
import {THEME_NAMES, THEMES, type Tone} from '../../../source/ui/theme.ts';

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

test.each(THEME_NAMES)('%s: text can be read on its background', name => {
	for (const [tone, style] of Object.entries(THEMES[name].tones) as [
		Tone,
		{color?: string; backgroundColor?: string},
	][]) {
		if (tone === 'rule' || style.color === undefined) continue;
		const least = tone === 'faint' || tone === 'barEmpty' ? 3 : 4.5;
		expect(contrast(style.color, style.backgroundColor ?? BACKGROUND[name]), tone).toBeGreaterThanOrEqual(least);
	}
});

test.each(THEME_NAMES)('%s: text can be read under the cursor and in a modal', name => {
	const {cursor, foreground, modal, tones} = THEMES[name];
	for (const tone of ['text', 'strong', 'up', 'down', 'warn', 'accent'] as const) {
		expect(contrast(tones[tone].color ?? foreground, cursor), `${tone} under the cursor`).toBeGreaterThanOrEqual(4);
		expect(contrast(tones[tone].color ?? foreground, modal.background), `${tone} in a modal`).toBeGreaterThanOrEqual(
			4.5,
		);
	}
});

test('up and down differ for every eye in the colour-blind theme: blue against orange', () => {
	const {up, down} = THEMES.colorblind.tones;
	expect([up.color, down.color]).toEqual(['ansi256(75)', 'ansi256(215)']);
});
