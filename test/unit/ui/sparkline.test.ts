import {expect, test} from 'vitest';
import {drawSparkline} from '../../../source/ui/sparkline.ts';
import {fc} from '../../helpers/properties.ts';

test('a rising line goes from the lower left to the upper right', () => {
	const lines = drawSparkline([0, 1, 2, 3, 4, 5, 6, 7], 4, 2);
	expect(lines).toHaveLength(2);
	expect(lines[0]!.trimStart().length).toBeLessThan(4);
	expect(lines[0]!.at(-1)).not.toBe(' ');
	expect(lines[1]![0]).not.toBe(' ');
	expect(lines[1]!.at(-1)).toBe(' ');
});

test('a flat line is one line', () => {
	expect(drawSparkline([5, 5, 5], 3, 1)).toEqual(['⠒⠒⠒']);
});

test('every line has its width, and every column a dot, with any points', () => {
	fc.assert(
		fc.property(
			fc.array(fc.double({noNaN: true, noDefaultInfinity: true, min: 0, max: 1e12}), {minLength: 1}),
			fc.integer({min: 1, max: 60}),
			fc.integer({min: 1, max: 8}),
			fc.boolean(),
			(points, width, height, ascii) => {
				const lines = drawSparkline(points, width, height, ascii);
				expect(lines).toHaveLength(height);
				for (const line of lines) expect([...line]).toHaveLength(width);
				for (let x = 0; x < width; x++) expect(lines.some(line => [...line][x] !== ' ')).toBe(true);
			},
		),
	);
});

test('in ASCII only ASCII', () => {
	expect(drawSparkline([1, 5, 2, 8], 10, 3, true).join('')).toMatch(/^[ -~]+$/);
});
