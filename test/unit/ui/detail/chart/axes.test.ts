import {expect, test} from 'vitest';
import {timeAxis, withScale} from '../../../../../source/ui/detail/chart/axes.ts';
import {glyphsFor} from '../../../../../source/ui/glyphs.ts';
import {THEMES} from '../../../../../source/ui/theme.ts';
import type {ViewModel} from '../../../../../source/ui/view-model.ts';

const model = {theme: THEMES.dark, glyphs: glyphsFor(false)} as unknown as ViewModel;
const MINUTE = 60_000;

const labels = (low: number, high: number, last: number) =>
	withScale(
		model,
		Array.from({length: 5}, () => []),
		{range: {low, high}, last, scale: 'mcap'},
	)
		.map(row =>
			row
				.map(({text}) => text)
				.join('')
				.trim(),
		)
		.join(' | ');

test('the scale has the highest value at the top, the lowest at the bottom, the present one at its height', () => {
	expect(labels(10_000, 50_000, 30_000)).toBe('$50.0K |  | $30.0K |  | $10.0K');
});

test('a price that does not move is written once', () => {
	expect(labels(4700, 4700, 4700)).toBe(' |  | $4.70K |  | ');
	expect(labels(4700, 4700.001, 4700)).toBe(' |  |  |  | $4.70K');
});

test.each([
	[114 * MINUTE, '1h54m ago', '57m ago'],
	[138_000, '2m18s ago', '1m9s ago'],
	[24 * 60 * MINUTE, '1d ago', '12h ago'],
	[16 * MINUTE, '16m ago', '8m ago'],
])('%i ms are labelled so that the middle is half of the left end', (ms, left, middle) => {
	const [axis] = timeAxis(model, ms, 60);
	expect(axis!.text).toMatch(new RegExp(`^${left} +${middle} +now$`));
});

test('a line that ended is not said to reach to the present', () => {
	const [axis] = timeAxis(model, 4 * 60 * MINUTE, 60, false, 3 * 60 * MINUTE);
	expect(axis!.text).toMatch(/^7h ago +5h ago +3h ago$/);
});
