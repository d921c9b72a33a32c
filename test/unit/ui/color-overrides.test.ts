import {expect, test} from 'vitest';
import {meaningProblems} from '../../../source/commands/config/meaning.ts';
import {readConfigText} from '../../../source/config/config-file.ts';
import {readColors} from '../../../source/ui/color-overrides.ts';
import {THEME_NAMES, THEMES, themesWith} from '../../../source/ui/theme.ts';

async function problemsOf(text: string): Promise<readonly string[]> {
	const problems = await meaningProblems(await readConfigText(text, 'c.toml'));
	return problems.map(({message, why}) => `${message}. ${why}`);
}

test('a configured colour replaces the default one in every theme, wherever its meaning is shown', () => {
	const themes = themesWith(readColors({up: '#4AE168', new: '117', nonsense: '#ffffff', down: 'red'}));
	for (const name of THEME_NAMES) {
		expect(themes[name].tones).toMatchObject({
			up: {color: '#4ae168'},
			good: {color: '#4ae168'},
			new: {color: 'ansi256(117)'},
		});
		expect(themes[name].tones.down).toEqual(THEMES[name].tones.down);
		expect(themes[name].label).toBe(THEMES[name].label);
	}
});

test('good colours pass: with a theme that is not configured, on a dark background or a light one', async () => {
	expect(await problemsOf('[colors]\nup = "#00ff00"\ndim = "#333333"\nrule = "#222222"')).toEqual([]);
});

test.each([
	[
		'up = "green"',
		'The colour of up can\'t be used. Line 4 of c.toml: Write "#4ae168", or a number of the 256-colour palette from 16 to 255, "78".',
	],
	['upp = "#4ae168"', '"upp" in colors is not a colour of the screen. Line 4 of c.toml: The nearest is "up".'],
	[
		'dim = "#333333"',
		"The colour of dim can't be made out. Line 4 of c.toml: Its contrast on the background is 1.5 to 1; at least 3 to 1 is needed.",
	],
	['up = "210"', 'The colours of up and down are the same. Line 4 of c.toml: Give one of them another colour.'],
	[
		'up = "#ffffff"\ndown = "231"',
		'The colours of up and down are the same. Line 5 of c.toml: Give one of them another colour.',
	],
])('%s is refused with its line and the reason', async (colors, words) => {
	expect(await problemsOf(`[ui]\ntheme = "dark"\n[colors]\n${colors}`)).toEqual([words]);
});
