import {expect, test} from 'vitest';
import {aliasProblem, providerNames} from '../../../../source/commands/service/provider-names.ts';

test('names of fields go to the fields, several to one, and names of answers to the answers', () => {
	expect(providerNames({holders_count: 'holderCount', holdersCount: 'holders', vaultAddress: 'vault'})).toEqual({
		fieldAliases: {holders_count: ['holderCount', 'holders']},
		answerAliases: {vaultAddress: 'vault'},
	});
	expect(providerNames({})).toEqual({fieldAliases: {}, answerAliases: {}});
});

test('a name that nothing has is refused with the nearest, or with what a name is', () => {
	expect([aliasProblem('holders_count'), aliasProblem('vaultAddress')]).toEqual([undefined, undefined]);
	expect(aliasProblem('holders_coumt')).toBe('The nearest is "holders_count".');
	expect(aliasProblem('qqqqqqqqqqqqqqqq')).toMatch(/^Name a field of the service/);
	expect(() => providerNames({holders_coumt: 'x'})).toThrow('"holders_coumt" in provider.aliases is not a field');
});
