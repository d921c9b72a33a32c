import {describe, expect, test} from 'vitest';
import {FIELDS} from '../../../../source/contract/fields.ts';
import {SECURITY_FLAGS} from '../../../../source/contract/security-flags.ts';
import {FIELD_WORDS, findWord, labelOf, wordOf} from '../../../../source/monitor/filter/field-words.ts';

describe('the words for fields', () => {
	test('reach every field of the contract by its short word and by every spelling the contract knows', () => {
		for (const field of FIELDS) {
			expect(findWord(wordOf(field.name)).word?.target, field.name).toEqual({kind: 'field', field: field.name});
			expect(findWord(field.name).word?.target, field.name).toEqual({kind: 'field', field: field.name});
		}
		for (const spelling of ['marketCap', 'holdersCount', 'top10Holdings', 'top10_holders_percent', 'migrated_at']) {
			expect(findWord(spelling).word, spelling).toBeDefined();
		}
	});

	test('offer to sort by what the service sorts by: figures and dates, never text', () => {
		expect(findWord('mcap').word?.sortBy).toBe('market_cap');
		expect(findWord('created').word?.sortBy).toBe('created_at');
		for (const text of ['symbol', 'name', 'chain', 'twitter', 'bonded'])
			expect(findWord(text).word?.sortBy, text).toBeUndefined();
	});

	test('reach every security flag', () => {
		for (const flag of SECURITY_FLAGS) {
			const {word} = findWord(`security.${flag.name}`);
			expect(word?.target).toEqual({kind: 'security', flag: flag.name});
			expect(findWord(word!.word).word).toBe(word);
		}
	});

	test('mean one thing each', () => {
		const seen = new Map<string, string>();
		for (const {word, synonyms, family} of FIELD_WORDS) {
			for (const spelling of [word, ...(family ? [] : synonyms)]) {
				expect(seen.get(spelling), `${spelling} of ${word}`).toBeUndefined();
				seen.set(spelling, word);
			}
		}
	});

	test('take a window in every common spelling, and one hour without one', () => {
		for (const text of ['vol5m', 'VOL5M', 'vol_5m', 'vol.5min', 'vol:5m', 'volume5m', 'volume_5min']) {
			expect(findWord(text).word?.sortBy, text).toBe('volume_5min');
		}
		expect(findWord('vol').word?.sortBy).toBe('volume_1h');
		expect(findWord('trades').word?.sortBy).toBe('trades_1h');
		expect(findWord('vol1d').word?.sortBy).toBe('volume_24h');
		expect(findWord('priceago6h').word?.sortBy).toBe('price_6h_ago');
		expect(findWord('score1h').word?.sortBy).toBe('trending_score_1h');
	});

	test('say which windows there are when one is not kept', () => {
		expect(findWord('chg15m')).toEqual({
			suggestion: 'chg1h',
			windows: ['1min', '5min', '1h', '4h', '6h', '12h', '24h'],
		});
	});

	test('suggest the nearest word for a typing mistake, and nothing for nonsense', () => {
		expect(findWord('mcpa')).toEqual({suggestion: 'mcap'});
		// One letter from mc, a synonym, too: the word that rows and help show is named.
		expect(findWord('mcp')).toEqual({suggestion: 'mcap'});
		expect(findWord('holdrs').suggestion).toBe('holders');
		expect(findWord('zzzzqqqq')).toEqual({});
	});

	test('have names that can be read in a sentence', () => {
		expect(labelOf('market_cap')).toBe('market cap');
		expect(labelOf('volume_5min')).toBe('volume in 5 min');
		expect(labelOf('price_1h_ago')).toBe('price before 1 h');
	});
});
