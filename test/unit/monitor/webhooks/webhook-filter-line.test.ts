import {expect, test} from 'vitest';
import {parseWebhookFilters} from '../../../../source/contract/webhook-filter.ts';
import {
	FilterLineProblem,
	filterLineOf,
	readFilterLine,
} from '../../../../source/monitor/webhooks/webhook-filter-line.ts';
import {fc} from '../../../helpers/properties.ts';

test('a filter line becomes the tree of the API', () => {
	expect(readFilterLine('  ')).toBeUndefined();
	expect(readFilterLine('amountUSD>=1.5k poolType:pumpfun,pumpswap')).toEqual({
		and: [{gte: ['amountUSD', 1500]}, {in: ['poolType', ['pumpfun', 'pumpswap']]}],
	});
	// As a number, 1.005 times 1000 is 1004.9999999999999.
	expect(readFilterLine('amountUSD>=1.005k')).toEqual({gte: ['amountUSD', 1005]});
	expect(readFilterLine('swapType!=sell | amountUSD<5')).toEqual({
		or: [{neq: ['swapType', 'sell']}, {lt: ['amountUSD', 5]}],
	});
	expect(readFilterLine('{"or": [{"eq": ["a", 1]}]}')).toEqual({or: [{eq: ['a', 1]}]});
});

/** What is wrong, with the part of the line that it is about. */
function problemIn(line: string): readonly [part: string, why: string] | undefined {
	try {
		readFilterLine(line);
		return undefined;
	} catch (error) {
		if (!(error instanceof FilterLineProblem)) throw error;
		return [line.slice(error.start, error.end), error.why];
	}
}

test.each([
	['a:1 amountUSD b:2', 'amountUSD', 'no clause'],
	['a:1  amountUSD>big', 'big', 'needs a number'],
	['a:1 | b>5 | c>=x', 'x', 'needs a number'],
	['a=1 |', '|', 'both sides of |'],
	['| a=1', '|', 'both sides of |'],
	['{"and": [1}', '}', 'not valid JSON'],
	['{"and": [1}, "or": []}', '}', 'not valid JSON'],
	['{"eq": ["a"]}', '{"eq": ["a"]}', 'must be a pair'],
	['{"and": [{"gte": ["a", "x"]}]}', '{"and": [{"gte": ["a", "x"]}]}', 'filter.and[0].gte[1] must be a number'],
	['{"and": [], "or": []}', '{"and": [], "or": []}', 'both "and" and "or"'],
])('the mistake in %s is reported at its position', (line, part, why) => {
	expect(problemIn(line)).toEqual([part, expect.stringContaining(why)]);
});

const value = fc.oneof(fc.string(), fc.double({noNaN: true, noDefaultInfinity: true}), fc.boolean());
const pair = (of: fc.Arbitrary<unknown>) => fc.tuple(fc.stringMatching(/^[A-Za-z_][\w.]{0,8}$/), of);
const leaf = fc.oneof(
	fc.record({eq: pair(value)}),
	fc.record({neq: pair(value)}),
	fc.record({gte: pair(fc.double({noNaN: true, noDefaultInfinity: true}))}),
	fc.record({lt: pair(fc.integer())}),
	fc.record({in: pair(fc.array(value, {maxLength: 3}))}),
);
const {tree} = fc.letrec<{tree: object}>(tie => ({
	tree: fc.oneof(
		{maxDepth: 3},
		leaf,
		fc.record({and: fc.array(tie('tree'), {maxLength: 3})}),
		fc.record({or: fc.array(tie('tree'), {maxLength: 3})}),
	),
}));

test('every filter of the API can be edited as a line: the line that stands for it reads as the same filter', () => {
	fc.assert(
		fc.property(tree, given => {
			// A JSON text knows no negative zero, and neither does a filter.
			const filters = JSON.parse(JSON.stringify(given));
			parseWebhookFilters(filters);
			expect(readFilterLine(filterLineOf(filters))).toEqual(filters);
		}),
	);
});

test('what a line can say is no JSON', () => {
	for (const line of ['amountUSD>=1500 poolType:pumpfun,pumpswap', 'swapType!=sell | amountUSD<5', 'isBot:true'])
		expect(filterLineOf(readFilterLine(line)!)).toBe(line);
	expect(filterLineOf(null)).toBe('');
});
