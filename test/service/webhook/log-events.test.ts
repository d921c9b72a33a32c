import {expect, test} from 'vitest';
import type {WebhookEvent} from '../../../source/contract/webhook.ts';
import type {LogEntry} from '../../../source/service/log/log-entry.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {EventMatcher} from '../../../source/service/webhook/event-matcher.ts';
import {LogEvents} from '../../../source/service/webhook/log-events.ts';
import {CHAIN, readSwap, swap, swapMarket} from './swap.ts';

const NOW_MS = 1_800_000_000_000;

const entryOf = (seq: number, ...events: MarketEvent[]): LogEntry => {
	const batch = {chainId: CHAIN, fromBlock: 1, toBlock: 1, events, facts: [], cursor: ''};
	return {seq, atMs: NOW_MS, record: {kind: 'batch', batch}};
};

/** The matcher of webhooks that get these events, one each. */
function matcherOf(...events: WebhookEvent[]): EventMatcher {
	const matcher = new EventMatcher();
	const facts = {
		owner: '',
		name: '',
		chainIds: [CHAIN],
		url: '',
		secret: '',
		createdAtMs: 0,
		filters: null,
		since: null,
	};
	for (const [n, event] of events.entries()) matcher.set({...facts, id: `w${n}`, events: [event]}, {sinceMs: 0});
	return matcher;
}

test('what is long past for every webhook is not written: the history of a chain comes a thousand events at a time', () => {
	const market = swapMarket();
	const events = new LogEvents(market);
	const read = (event: MarketEvent, sinceMs: number) => {
		const logged = events.read(entryOf(1, event), sinceMs);
		return logged.map(({deliverable}) => deliverable.event);
	};
	expect(read(swap(1, {block: 1, timeMs: NOW_MS - 86_400_000}), NOW_MS)).toEqual([]);
	expect(read(swap(2, {block: 2, timeMs: NOW_MS - 60_000}), NOW_MS)).toEqual(['block', 'swap', 'swap-enriched']);
	expect(read(swap(3, {block: 3, timeMs: NOW_MS - 86_400_000}), NOW_MS - 90_000_000)).toHaveLength(3);
});

test('a trade is not written for webhooks of launches, and once for all webhooks of trades', () => {
	const {event, reads} = readSwap(5, {timeMs: NOW_MS});
	const logged = new LogEvents(swapMarket()).read(entryOf(1, event), NOW_MS);
	const match = (matcher: EventMatcher) => logged.flatMap(({deliverable}) => matcher.match(deliverable, 1));
	expect(match(matcherOf('launchpad', 'block', 'transfer'))).toMatchObject([{event: 'block'}]);
	expect(reads()).toBe(0);
	expect(match(matcherOf('launchpad', 'swap', 'swap'))).toHaveLength(2);
	expect(match(matcherOf('swap', 'swap-enriched'))).toHaveLength(2);
	expect(reads()).toBe(1);
});

test('a trade that is written later has the token and the pool of its time', () => {
	const market = swapMarket();
	const events = new LogEvents(market);
	const logged = events.read(entryOf(1, swap(5, {timeMs: NOW_MS})), NOW_MS);
	const before = market.table.addresses(0).pool;
	market.change(0, {symbol: 'ZZZ', pool_address: '0x00000000000000000000000000000000000000dd', type: 'curve'});
	const later = events.read(entryOf(2, swap(6, {timeMs: NOW_MS})), NOW_MS);
	market.free(0);
	const swaps = [...logged, ...later].flatMap(({deliverable}) => matcherOf('swap-enriched').match(deliverable));
	expect(swaps.map(({body}) => JSON.parse(body))).toMatchObject([
		{amountUSD: 5, logIndex: 0, transactionIndex: 0, symbolToken0: 'AAA', poolAddress: before, poolType: 'uniswap-v3'},
		{amountUSD: 6, logIndex: 1, transactionIndex: 1, symbolToken0: 'ZZZ', poolAddress: before, poolType: 'uniswap-v3'},
	]);
});
