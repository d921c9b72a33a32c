import {expect, test} from 'vitest';
import {FormProblem, readForm} from '../../../../source/monitor/webhooks/webhook-form.ts';
import {maskedKey, maskedUrl} from '../../../../source/monitor/webhooks/webhook-key.ts';

const FORM = {
	name: ' Swaps ',
	url: 'https://example.com/hook',
	events: 'swap, SWAP block',
	chains: 'sol base,base',
	filter: '',
};

test('a filled form is the request, each event and chain once', () => {
	expect(readForm(FORM)).toEqual({
		name: 'Swaps',
		url: 'https://example.com/hook',
		events: ['swap', 'block'],
		chainIds: ['solana:solana', 'evm:8453'],
	});
	expect(readForm({...FORM, filter: 'amountUSD>=1.1k'}).filters).toEqual({gte: ['amountUSD', 1100]});
	expect(readForm({...FORM, name: 'x'.repeat(200), url: 'http://10.0.0.1'})).toMatchObject({url: 'http://10.0.0.1'});
});

test.each([
	[{name: '  '}, 'name', 'give it a name'],
	[{name: 'x'.repeat(201)}, 'name', 'at most 200 characters'],
	[{url: ''}, 'url', 'write a whole address'],
	[{url: 'example.com'}, 'url', 'write a whole address'],
	[{url: 'https://exa mple.com'}, 'url', 'a blank or a character that nobody sees'],
	[{url: 'ftp://example.com'}, 'url', 'only http and https are possible'],
	[{events: ' , '}, 'events', 'name at least one of swap, '],
	[{events: 'swaps'}, 'events', 'swaps is no event: swap?'],
	[{events: 'zzzzzzz'}, 'events', 'zzzzzzz is no event; events are swap, '],
	[{chains: ''}, 'chains', 'name at least one chain'],
	[{chains: 'bsae'}, 'chains', 'bsae is no chain: base?'],
	[{chains: 'zzzzzzz'}, 'chains', 'zzzzzzz is no chain'],
	[{filter: 'amountUSD>x'}, 'filter', 'amountUSD needs a number here'],
])('%j is no webhook: %s, %s', (wrong, field, why) => {
	expect(() => readForm({...FORM, ...wrong})).toThrow(FormProblem);
	try {
		readForm({...FORM, ...wrong});
	} catch (error) {
		expect(error).toMatchObject({field, why: expect.stringContaining(why)});
	}
});

test('of a key only the end is shown, of a short one nothing', () => {
	expect(maskedKey('12345678901')).toBe('****');
	expect(maskedKey('123456789012')).toBe('****9012');
});

test.each([
	['https://example.com/a', 'https://example.com/a'],
	['https://me@example.com/a', 'https://****@example.com/a'],
	['https://:pw@example.com/a?token=x#y', 'https://****@example.com/a?****'],
	['nothing', 'an address that cannot be read'],
])('%s is shown as %s', (url, shown) => {
	expect(maskedUrl(url)).toBe(shown);
});
