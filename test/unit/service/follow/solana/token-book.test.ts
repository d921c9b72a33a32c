import {expect, test} from 'vitest';
import {readLogs} from '../../../../../source/service/follow/solana/invoke-stack.ts';
import {TokenBook} from '../../../../../source/service/follow/solana/token-book.ts';
import {decodeEvent, VENUE_OF_PROGRAM} from '../../../../../source/service/follow/solana/venues/venues.ts';
import {Engine} from '../../../../../source/service/market/engine.ts';
import type {MarketEvent, TradeEvent} from '../../../../../source/service/market/events.ts';
import {logVector} from './vectors.ts';

const SLOT_MS = 1_791_307_506_000;
const SOL_USD = 200;

/** What the transaction of a vector means for the market. */
function read(name: string, usd: number): readonly MarketEvent[] {
	const {lines, signature = '', slot = 1} = logVector(name);
	const {events} = readLogs(lines, new Set(VENUE_OF_PROGRAM.keys()));
	const decoded = events.map(
		({program, data}) => decodeEvent(VENUE_OF_PROGRAM.get(program)!, Buffer.from(data, 'base64'))!.event,
	);
	return new TokenBook(() => usd).read({slot, signature, events: decoded} as never, SLOT_MS).events;
}

test('a real purchase of a whole curve (slot 453967868) leaves the price of the curve, not what was paid on average', () => {
	const events = read('create, buy, complete 2026-10-06', SOL_USD);
	const engine = new Engine(SLOT_MS);
	for (const event of events) engine.apply(event);
	engine.advance(SLOT_MS);
	const row = engine.table.rowOf(engine.key(0))!;
	const trade = events.find((event): event is TradeEvent => event.type === 'trade')!;
	expect({
		price: engine.table.numbers('latest_price')[row]!.toPrecision(4),
		cap: Math.round(engine.table.numbers('market_cap')[row]!),
		paid: (trade.valueUSD! / trade.amountToken).toPrecision(4),
	}).toEqual({price: '0.00008218', cap: 82_176, paid: '0.00002144'});
});
