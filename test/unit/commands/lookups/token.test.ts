import {expect, test} from 'vitest';
import {tokenText} from '../../../../source/commands/lookups/token.ts';
import type {Entry} from '../../../../source/contract/entry.ts';
import {entryOf} from '../../../helpers/entries.ts';

const linesOf = (figures: Partial<Entry>, ascii = false) =>
	tokenText(entryOf('TOKEN', figures), {width: undefined, ascii}).split('\n');
const textOf = (figures: Partial<Entry>, field: string, ascii?: boolean) =>
	linesOf(figures, ascii)
		.find(line => line.startsWith(`${field} `))
		?.slice(field.length)
		.trim();

test.each<readonly [field: string, figures: Partial<Entry>, text: string]>([
	['market_cap', {market_cap: 12_345}, '$12.3K'],
	['market_cap', {market_cap: 1}, '$1'],
	['latest_price', {latest_price: 0.000001}, '$0.0₅1'],
	['holders_count', {holders_count: 12_345}, '12,345'],
	['dev_holdings_percentage', {dev_holdings_percentage: 7.5}, '7.5%'],
	['bonded', {bonded: true}, 'true'],
	['symbol', {symbol: 'WIF'}, 'WIF'],
])('%s is written as its kind is: %j', (field, figures, text) => {
	expect(textOf(figures, field)).toBe(text);
});

test('a date is written by the local clock, and nothing is rounded to 0', () => {
	expect(textOf({created_at: Date.UTC(2026, 5, 15, 12, 0)}, 'created_at')).toMatch(/^2026-06-1[456] \d\d:\d\d:00$/);
	expect(textOf({latest_price: 0.000001}, 'latest_price', true)).toBe('$1e-6');
	expect(textOf({price_token: 0.000001}, 'price_token')).toBe('0.0₅1');
	expect(textOf({price_token: 1}, 'price_token')).toBe('1');
});

test('a field that is not reported has no line, and a measure has one line for all of its windows', () => {
	const lines = linesOf({volume_5min: 10, volume_1h: 20, price_change_1h: -5});
	expect(lines.some(line => line.startsWith('market_cap'))).toBe(false);
	expect(lines.filter(line => line.startsWith('volume'))).toHaveLength(1);
	const [title, volume, change] = ['IN THE LAST', 'volume', 'price_change'].map(
		name => lines.find(line => line.startsWith(name))!,
	);
	const cellAt = (line: string, window: string) => {
		const end = title!.indexOf(` ${window} `) + 1 + window.length;
		return line
			.slice(0, end)
			.split(/\s{2,}/)
			.at(-1)!
			.trim();
	};
	expect([cellAt(volume!, '5m'), cellAt(volume!, '1h'), cellAt(change!, '1h')]).toEqual(['$10', '$20', '-5.0%']);
});
