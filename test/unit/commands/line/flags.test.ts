import {expect, test} from 'vitest';
import {Flags} from '../../../../source/commands/line/flags.ts';

const given = (text: string) => new Flags(new Map([['for', [text]]]));

test('lengths of time are days, hours, minutes and seconds, the larger first', () => {
	const read = (text: string) => given(text).duration('for');
	expect(['90s', '10m', '1h30m', '1d', '2h5s', '0s'].map(read)).toEqual([
		90_000, 600_000, 5_400_000, 86_400_000, 7_205_000, 0,
	]);
	for (const bad of ['', '10', 's', '5m1h', '1.5h', '-3s', 'ten minutes', '30d', '1h ']) {
		expect(() => read(bad), bad).toThrow("The value of --for can't be used");
	}
	expect(() => read('600h')).toThrow(expect.objectContaining({why: 'It must be at most 24 days: 24d.'}));
	expect(new Flags(new Map()).duration('for')).toBeUndefined();
});

test('a number may have a fraction and must lie within its bounds', () => {
	const read = (text: string) => given(text).number('for', {from: 0.1, to: 1000});
	expect(['0.1', '1', '2.5', '1000'].map(read)).toEqual([0.1, 1, 2.5, 1000]);
	for (const bad of ['0', '0.09', '1001', '1e2', '.5', '5.', '-1', 'x', 'Infinity']) {
		expect(() => read(bad), bad).toThrow("The value of --for can't be used");
	}
});
