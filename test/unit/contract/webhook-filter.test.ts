import {describe, expect, test} from 'vitest';
import type {Value} from '../../../source/contract/filter-test.ts';
import {webhookCreateBodySchema, webhookUpdateBodySchema} from '../../../source/contract/webhook.ts';
import {parseWebhookFilters, passesWebhook, WEBHOOK_FILTER_LIMITS} from '../../../source/contract/webhook-filter.ts';
import {refusedAt, schemaRefusesAt} from './refusal.ts';

const event: Record<string, Value> = {
	poolType: 'uniswap-v3',
	amountUSD: 1500,
	swapSenderAddress: '0xABCD',
	isBuy: true,
};
const passes = (filters: unknown) => passesWebhook(parseWebhookFilters(filters), field => event[field]);

describe('the filters of a webhook (contract gaps 8)', () => {
	test.each([
		[null, true],
		[undefined, true],
		[{and: [{eq: ['poolType', 'uniswap-v3']}, {gte: ['amountUSD', 1000]}]}, true],
		[{and: [{eq: ['poolType', 'uniswap-v3']}, {gte: ['amountUSD', 2000]}]}, false],
		[{or: [{eq: ['poolType', 'x']}, {gt: ['amountUSD', 1499]}]}, true],
		[{or: []}, false],
		[{and: []}, true],
		[{lt: ['amountUSD', 1500]}, false],
		[{lte: ['amountUSD', 1500]}, true],
		[{neq: ['poolType', 'x']}, true],
		[{neq: ['unheardOf', 'x']}, false],
		[{in: ['poolType', ['a', 'UNISWAP-V3']]}, true],
		[{in: ['poolType', 'uniswap-v3']}, true],
		[{in: ['amountUSD', [1, 1500]]}, true],
		[{eq: ['swapSenderAddress', '0xabcd']}, true],
		[{eq: ['isBuy', false]}, false],
		[{eq: ['isBuy', true], gt: ['amountUSD', 5000]}, false],
	])('%j lets the swap pass: %s', (filters, expected) => {
		expect(passes(filters)).toBe(expected);
	});

	test.each([
		[[], 'filters'],
		[{}, 'filters'],
		[{and: [{}]}, 'filters.and[0]'],
		[{and: [{eq: ['a', 1]}], or: []}, 'filters'],
		[{and: {}}, 'filters.and'],
		[{like: ['a', 'b']}, 'filters.like'],
		[{constructor: ['a', 'b']}, 'filters.constructor'],
		[{eq: ['a']}, 'filters.eq'],
		[{eq: 'a'}, 'filters.eq'],
		[{eq: ['', 1]}, 'filters.eq'],
		[{eq: ['a', null]}, 'filters.eq[1]'],
		[{gt: ['a', '5']}, 'filters.gt[1]'],
		[{in: ['a', [{}]]}, 'filters.in[1][0]'],
		[{or: [{and: [{lt: ['a', {}]}]}]}, 'filters.or[0].and[0].lt[1]'],
	])('%j is refused at %s', (filters, path) => {
		expect(refusedAt(() => parseWebhookFilters(filters))).toBe(path);
	});

	test('the bounds hold: clauses, depth', () => {
		const many = (n: number) => ({or: Array.from({length: n}, (_, i) => ({eq: ['amountUSD', i]}))});
		expect(refusedAt(() => parseWebhookFilters(many(WEBHOOK_FILTER_LIMITS.leaves)))).toBeUndefined();
		expect(refusedAt(() => parseWebhookFilters(many(WEBHOOK_FILTER_LIMITS.leaves + 1)))).toBe('filters.or[1000].eq');
		let deep: unknown = {eq: ['a', 1]};
		for (let i = 0; i < 100_000; i++) deep = {and: [deep]};
		expect(refusedAt(() => parseWebhookFilters(deep))).toMatch(/^filters(\.and\[0\]){16}$/);
	});
});

describe('the bodies of webhook calls', () => {
	const create = {name: 'n', chainIds: ['evm:8453'], events: ['swap'], apiKey: 'k', url: 'https://example.org/hook'};

	test.each([
		[{}, undefined],
		[{filters: {and: [{eq: ['a', 1]}]}}, undefined],
		[{filters: null}, undefined],
		[{webhookUrl: 'https://example.org'}, 'webhookUrl'],
		[{url: 'ftp://example.org'}, 'url'],
		[{url: 'javascript:alert(1)'}, 'url'],
		[{url: 'nonsense'}, 'url'],
		[{events: ['dance']}, 'events[0]'],
		[{events: []}, 'events'],
		[{apiKey: ''}, 'apiKey'],
		[{chainIds: 'evm:1'}, 'chainIds'],
	])('creation with %j: refused at %s', (change, path) => {
		expect(schemaRefusesAt(webhookCreateBodySchema(), {...create, ...change})).toBe(path);
	});

	test('an update replaces unless it says merge', () => {
		expect(webhookUpdateBodySchema().parse({streamId: 'i', apiKey: 'k'}).mode).toBe('replace');
		expect(schemaRefusesAt(webhookUpdateBodySchema(), {streamId: 'i', apiKey: 'k', mode: 'mix'})).toBe('mode');
		expect(schemaRefusesAt(webhookUpdateBodySchema(), {streamId: 'i', apiKey: 'k', url: 'https://x.y'})).toBe('url');
	});
});
