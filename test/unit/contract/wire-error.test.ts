import {describe, expect, test} from 'vitest';
import * as z from 'zod';
import {dexFromWire, dexToWire, NEUTRAL_PROVIDER, withNeutralNames} from '../../../source/contract/provider.ts';
import {parseRequest, parseResponse} from '../../../source/contract/schema.ts';
import {sparklineResponseSchema} from '../../../source/contract/sparkline.ts';
import {
	InvalidRequest,
	nearestName,
	pathOf,
	quoteForMessage,
	UnexpectedResponse,
} from '../../../source/contract/wire-error.ts';
import {explain} from '../../../source/errors.ts';
import {fc} from '../../helpers/properties.ts';

describe('messages about input from outside', () => {
	test('hold nothing that could act on a terminal, and are short', () => {
		const anything = fc.oneof(fc.string({unit: 'binary', maxLength: 500}), fc.anything());
		fc.assert(
			fc.property(anything, value => {
				const quoted = quoteForMessage(value);
				expect(quoted).toMatch(/^[\x20-\x7e]{0,60}$/);
			}),
		);
		fc.assert(
			fc.property(fc.string({unit: 'binary'}), key => {
				expect(pathOf('filters', key)).toMatch(/^[\x20-\x7e]+$/);
			}),
		);
	});

	test('say what, why and what next', () => {
		expect(explain(new InvalidRequest('views[0].limit', 'must be at most 100', 'got 101'))).toEqual({
			code: 'invalid-request',
			what: 'views[0].limit must be at most 100',
			why: 'got 101',
			next: 'fix-input',
			advice: 'Correct the input and try again.',
		});
	});

	test('a wrong answer names the field and never its value', () => {
		try {
			parseResponse(sparklineResponseSchema(), {url: ['secret']}, 'sparkline');
			expect.unreachable();
		} catch (error) {
			expect(error).toBeInstanceOf(UnexpectedResponse);
			expect(explain(error)).toMatchObject({
				code: 'unexpected-answer',
				what: 'The service\'s answer to "sparkline" has an unexpected form',
				why: 'url must be text',
				next: 'report',
			});
		}
	});

	test('a name of a megabyte is cut before it is compared or shown', () => {
		expect(nearestName('markt_cap', ['liquidity', 'market_cap'])).toBe('market_cap');
		expect(nearestName('x'.repeat(1_000_000), ['liquidity', 'market_cap'])).toBeUndefined();
		expect(pathOf('filters', 'x'.repeat(1_000_000)).length).toBeLessThan(100);
	});
});

describe('names of a provider', () => {
	const provider = {...NEUTRAL_PROVIDER, dexA: 'alpha', aliases: {vaultAddress: 'safeAddress'}};

	test("exchanges go out and come in under the provider's names", () => {
		expect([dexToWire('dexA', provider), dexToWire('dexB', provider)]).toEqual(['alpha', 'dexB']);
		expect([dexFromWire('alpha', provider), dexFromWire('dexA', provider)]).toEqual(['dexA', undefined]);
	});

	test('a field of an answer is found under either name, at its root and in its data', () => {
		const {aliases} = provider;
		expect(withNeutralNames({safeAddress: 's'}, aliases)).toEqual({vaultAddress: 's'});
		expect(withNeutralNames({data: {safeAddress: 's', deployed: true}}, aliases)).toMatchObject({
			data: {vaultAddress: 's', deployed: true},
		});
		expect(withNeutralNames({vaultAddress: 'v', safeAddress: 's'}, aliases)).toMatchObject({vaultAddress: 'v'});
		for (const response of [undefined, null, 'text', [{safeAddress: 's'}], {constructor: 1}])
			expect(withNeutralNames(response, aliases)).toEqual(response);
	});
});

test.each([
	[{chains: []}, 'chains must not be empty'],
	[{chains: ['a', 'b', 'c', 'd']}, 'chains must have at most 3 items'],
	[{chains: ['']}, 'chains[0] must not be empty'],
	[{chains: ['abcdef']}, 'chains[0] must have at most 5 characters'],
])('the size of a list or a text is refused in words: %j', (body, message) => {
	const schema = z.object({chains: z.array(z.string().min(1).max(5)).min(1).max(3)});
	expect(() => parseRequest(schema, body)).toThrow(expect.objectContaining({message}));
});
