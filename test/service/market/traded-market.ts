import {expect} from 'vitest';
import {createMarket, type LiveMarket} from '../../../source/service/market/create-market.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {type Hold, isUntradable, type OutsideToken, type OutsideTrade} from '../../../source/service/market/outside.ts';
import type {NumericFieldName} from '../../../source/service/market/table.ts';
import {FakeVenue} from './fake-venue.ts';

export const START_MS = Date.UTC(2026, 4, 5, 6, 7, 8);
export const WALLETS: readonly string[] = ['0xa1', '0xb2', '0xc3'].map(start => start.padEnd(42, '7'));
export const USER = WALLETS[0]!;
/** A rate at which hardly any token is launched, and the crowd does not trade. */
export const QUIET = 1e-20;
/** A token of seed 5 whose deployer takes the pool's money 75 seconds after the start. */
export const RUGGED_AFTER_75_S = 'evm:1|0x71783028513eba9d76e4e850aed15249a1933ae5';

/** A simulated market by a clock of its own, and the trades of wallets from outside. */
export class TradedMarket {
	nowMs = START_MS;
	market!: LiveMarket;
	events: MarketEvent[] = [];
	log: string[] = [];

	constructor() {
		this.open();
	}

	/** Starts the market, again with the tokens of an earlier run when these are given. */
	open({held, rate = 1}: {readonly held?: readonly unknown[]; readonly rate?: number} = {}): void {
		this.events = [];
		this.log = [];
		const log = (line: string): unknown => this.log.push(line);
		this.market = createMarket({seed: 5, rate, nowMs: () => this.nowMs, log, ...(held && {held})});
		this.market.onEvent(event => this.events.push(event));
	}

	pass(ms: number, stepMs = 100): void {
		for (const endMs = this.nowMs + ms; this.nowMs < endMs; ) {
			this.nowMs = Math.min(this.nowMs + stepMs, endMs);
			this.market.advance(this.nowMs);
		}
	}

	/** @throws for a token that can't be traded */
	found(key: string): OutsideToken {
		const token = this.market.outside.find(key);
		if (isUntradable(token)) throw new Error(`${key} is ${token.why}`);
		return token;
	}

	/** @throws for a token that can't be traded */
	async held(key: string): Promise<Hold> {
		const hold = await this.market.outside.hold(key);
		if (isUntradable(hold)) throw new Error(`${key} is ${hold.why}`);
		return hold;
	}

	/** EVM tokens that can be traded now. */
	tradable(wanted: (token: OutsideToken) => boolean = () => true): OutsideToken[] {
		return [...this.market.table.bits.keys()]
			.map(row => this.market.table.key(row))
			.filter(key => key.startsWith('evm:'))
			.map(key => this.market.outside.find(key))
			.filter((token): token is OutsideToken => !isUntradable(token))
			.filter(wanted);
	}

	eventsOf(key: string): Exclude<MarketEvent, {type: 'fund'}>[] {
		return this.events.filter(
			(event): event is Exclude<MarketEvent, {type: 'fund'}> =>
				event.type !== 'fund' && `${event.chainId}|${event.token.toLowerCase()}` === key,
		);
	}

	/** What the market's own book says that a wallet has. */
	ledgerBalance(key: string, wallet: string): number {
		const {engine, table} = this.market;
		const id = engine.wallets.find(wallet);
		const slot = id === undefined ? -1 : engine.positions.find(table.rowOf(key)!, id);
		return slot < 0 ? 0 : engine.positions.balance[slot]!;
	}

	figure(key: string, name: NumericFieldName): number {
		return this.market.table.numbers(name)[this.market.table.rowOf(key)!]!;
	}

	/** Trades once, as the bridge does: hold, copy the reserves, trade on the chain, settle its log. */
	async tradeOnce(
		key: string,
		venue: FakeVenue,
		trade: (venue: FakeVenue) => OutsideTrade | undefined,
	): Promise<OutsideTrade | undefined> {
		const hold = await this.held(key);
		try {
			venue.sync(hold.token);
			const done = trade(venue);
			if (done) hold.settle(done);
			return done;
		} finally {
			hold.release();
		}
	}

	/** Buys for US dollars, with the fee in them. */
	async buy(key: string, usd: number, wallet = USER, venue = new FakeVenue(this.found(key))): Promise<FakeVenue> {
		expect(await this.tradeOnce(key, venue, chain => chain.buy(wallet, usd))).toBeDefined();
		return venue;
	}
}
