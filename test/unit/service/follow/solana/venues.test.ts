import {describe, expect, test} from 'vitest';
import {readLogs} from '../../../../../source/service/follow/solana/invoke-stack.ts';
import type {SolanaEvent} from '../../../../../source/service/follow/solana/venue.ts';
import {POOL_CREATE_EVENT} from '../../../../../source/service/follow/solana/venues/launch-lab.ts';
import {POST_COMPLETE_EVENT, TRADE_EVENT} from '../../../../../source/service/follow/solana/venues/pump.ts';
import {SELL_EVENT} from '../../../../../source/service/follow/solana/venues/pump-swap.ts';
import {
	decodeEvent,
	SOLANA_VENUES,
	VENUE_OF_PROGRAM,
} from '../../../../../source/service/follow/solana/venues/venues.ts';
import {encodeEvent} from '../../../../helpers/borsh-writer.ts';
import {fc} from '../../../../helpers/properties.ts';
import {logVector} from './vectors.ts';

const PROGRAMS = new Set(VENUE_OF_PROGRAM.keys());
const [PUMP, PUMP_SWAP, LAUNCH_LAB] = SOLANA_VENUES as [
	(typeof SOLANA_VENUES)[0],
	(typeof SOLANA_VENUES)[0],
	(typeof SOLANA_VENUES)[0],
];
const MINT = '3LTw6bdk4VnMM45i5aqo82ibT21f9n8vMP8W26A4wRGi';
const USER = '4YXzjFCjbHqzpEGe7oEZgeJxafnFzWs63rJ3woayceXh';
const OTHER_COIN = 'H8Nd2bv1u5ejnN3ZGowVHw7KLg67TdRttZ4kJam6pump';

/** Events of a vector from a public repository, each of which must be read to its last byte. */
function eventsOf(name: string): readonly SolanaEvent[] {
	return readLogs(logVector(name).lines, PROGRAMS).events.flatMap(({program, data}) => {
		const decoded = decodeEvent(VENUE_OF_PROGRAM.get(program)!, Buffer.from(data, 'base64'));
		expect(decoded, 'an event that no decoder knows').not.toBeNull();
		expect(decoded?.extra ?? 0).toBe(0);
		return decoded ? [decoded.event] : [];
	});
}

function decodeAs(venue: (typeof SOLANA_VENUES)[0], bytes: Uint8Array): SolanaEvent {
	return decodeEvent(venue, bytes)!.event;
}

describe('pump.fun', () => {
	test('reads a trade of 2024, which has no fee yet', () => {
		expect(eventsOf('sell 2024-10')).toEqual([
			expect.objectContaining({
				kind: 'curve-trade',
				mint: '52eKGfxgYGUHSWREk2cPiZ5LD8REnaA2QEJPn1oSpump',
				side: 'sell',
				amountToken: 34_612_903_000_000n,
				amountQuote: 1_013_915_494n,
				fee: null,
				quote: 'native',
				timeS: 1_729_048_595,
			}),
		]);
	});

	test('reads a trade of June 2025, which ends with the fee of the creator', () => {
		const [event] = eventsOf('sell 2025-06 behind a router');
		expect(event).toMatchObject({fee: 9_840_623n, wallet: '39H3DGBpHpffjTuwQDR9yv9AgbK4U4hesLdsVZ9yDDc9'});
	});

	test('reads a trade of February 2026, which ends with the mayhem mode', () => {
		expect(eventsOf('sell 2026-02')).toMatchObject([
			{amountQuote: 630_254_544n, fee: 7_878_183n, timeS: 1_770_648_704},
		]);
	});

	test('reads a trade of October 2026; what is left agrees with the balance of the curve in the same transaction', () => {
		const [event] = eventsOf('sell 2026-10-07');
		expect(event).toMatchObject({
			amountToken: 3_804_111_640_073n,
			amountQuote: 115_253_055n,
			fee: 1_094_905n + 345_760n,
			timeS: logVector('sell 2026-10-07').blockTime,
		});
		// The curve's account had 959671735824462 after it, 206.9 million of which wait for the pool.
		expect((event as {left: bigint}).left).toBe(959_671_735_824_462n - 206_900_000_000_000n);
	});

	test('reads tokens of June 2025, August 2026 and October 2026', () => {
		expect(eventsOf('create 2025-06')).toMatchObject([
			{
				mint: '4veK9R9GxmgxqkFhTa2VnE6MJ4YfTxnr92HF5gH5LcAF',
				name: 'costco',
				symbol: 'COSTCO',
				sale: 793_100_000_000_000n,
				supply: 1_000_000_000_000_000n,
				isToken2022: null,
			},
		]);
		expect(eventsOf('create 2026-08-03')).toMatchObject([{symbol: 'sealy', isToken2022: true, quote: 'native'}]);
	});

	test('reads a token that is made, sold out and full in one transaction', () => {
		const events = eventsOf('create, buy, complete 2026-10-06');
		expect(events).toMatchObject([
			{kind: 'token', mint: MINT, creator: USER, isToken2022: true, isMayhem: false, isCashback: false},
			{
				kind: 'curve-trade',
				mint: MINT,
				side: 'buy',
				amountToken: 793_100_000_000_000n,
				left: 0n,
				raised: 85_005_359_057n,
			},
			{kind: 'full', mint: MINT},
		]);
	});

	test('reads the move to a pool, and the pool itself', () => {
		expect(eventsOf('migration 2026-10-06')).toMatchObject([
			{kind: 'pool', pool: 'Dh39kXkxvNEUtazqe4AZBHuCLud97WaPb6w8jqkVZyVs', base: MINT, reserveQuote: 84_990_359_056n},
			{kind: 'migrated', mint: MINT, pool: 'Dh39kXkxvNEUtazqe4AZBHuCLud97WaPb6w8jqkVZyVs'},
		]);
	});

	test('takes amounts from the fields of the quote coin where it is not SOL (built)', () => {
		const event = decodeAs(
			PUMP,
			encodeEvent('bddb7fd34ee661ee', TRADE_EVENT, {
				mint: MINT,
				token_amount: 10n,
				is_buy: true,
				user: USER,
				timestamp: 5n,
				virtual_token_reserves: 100n,
				real_token_reserves: 60n,
				quote_mint: OTHER_COIN,
				quote_amount: 33n,
				virtual_quote_reserves: 400n,
				real_quote_reserves: 44n,
				ix_name: 'buy_v3',
			}),
		);
		expect(event).toMatchObject({quote: OTHER_COIN, amountQuote: 33n, raised: 44n, price: 4});
	});

	test('reads the part of a buy that goes on behind the curve (built)', () => {
		const event = decodeAs(
			PUMP,
			encodeEvent('6fb06d8b316cd5fb', POST_COMPLETE_EVENT, {
				user: USER,
				mint: MINT,
				timestamp: 7n,
				base_out: 50n,
				quote_in: 100n,
				fee: 2n,
				creator_fee: 1n,
				pool_base_after: 1000n,
				pool_quote_after: 3000n,
			}),
		);
		expect(event).toMatchObject({amountToken: 50n, amountQuote: 97n, fee: 3n, beyond: {token: 1000n, quote: 3000n}});
	});
});

describe('PumpSwap', () => {
	test('reads a buy of 2025 as the public Borsh decoder does', () => {
		expect(eventsOf('swap buy 2025-05')).toMatchObject([
			{
				kind: 'pool-trade',
				pool: 'D8jJQR9BcBrfVhhnJ61Phok1YNfGhzwcFyKXLiLXGxYj',
				side: 'buy',
				amountBase: 224_164_147_200n,
				amountQuote: 1_570_901_614n,
				timeS: 1_746_148_272,
			},
		]);
	});

	test('reads a buy of October 2026; reserves after it are the balances of the pool after the transaction', () => {
		expect(eventsOf('swap buy 2026-10-06')).toMatchObject([
			{reserveBase: 4_652_091_102_632n, reserveQuote: 3_774_269_687_872n, amountBase: 127_583_024n},
		]);
	});

	test('reads a sell behind Jupiter', () => {
		expect(eventsOf('swap sell 2025-05 behind Jupiter')).toMatchObject([
			{side: 'sell', amountBase: 2_362_629_325n, amountQuote: 43_535_902n},
		]);
	});

	test('takes a negative virtual reserve into the price (built)', () => {
		const event = decodeAs(
			PUMP_SWAP,
			encodeEvent('3e2f370aa503dc2a', SELL_EVENT, {
				base_amount: 10n,
				quote_amount_of_pool: 20n,
				pool_base_token_reserves: 90n,
				pool_quote_token_reserves: 320n,
				virtual_quote_reserves: -100n,
				pool: USER,
				user: USER,
			}),
		);
		expect(event).toMatchObject({reserveBase: 100n, reserveQuote: 300n, price: 2});
	});
});

describe('LaunchLab', () => {
	test('reads a buy as the public Borsh decoder does', () => {
		expect(eventsOf('LaunchLab buy 2025')).toMatchObject([
			{
				curve: '9HjtrQriVJaxaTxszNsnxKM5yH55mpRVpD7dL2Sw58cx',
				mint: null,
				wallet: null,
				side: 'buy',
				amountToken: 13_081_111_858_058n,
				amountQuote: 1_954_260_000n,
				fee: 4_950_000n + 19_800_000n + 990_000n,
				left: 793_100_000_000_000n - 615_322_366_144_816n,
			},
		]);
	});

	test('reads a sell behind Jupiter', () => {
		expect(eventsOf('LaunchLab sell behind Jupiter')).toMatchObject([{side: 'sell', amountQuote: 11_966_748n}]);
	});

	test('reads a new token; mint and quote coin stand elsewhere (built)', () => {
		const event = decodeAs(
			LAUNCH_LAB,
			encodeEvent('97d7e20976a173ae', POOL_CREATE_EVENT, {
				pool_state: MINT,
				creator: USER,
				decimals: 6,
				name: 'Bonk',
				symbol: 'BONK',
				uri: 'ipfs://x',
				supply: 1000n,
				total_base_sell: 793n,
			}),
		);
		expect(event).toMatchObject({kind: 'token', mint: null, curve: MINT, creator: USER, symbol: 'BONK', sale: 793n});
	});
});

describe('events of any venue', () => {
	test('an unknown one is said to be unknown, and a known one without meaning is skipped', () => {
		expect(decodeEvent(PUMP, Buffer.alloc(20))).toBeNull();
		expect(decodeEvent(PUMP, Buffer.from('742b4dbd117a482b', 'hex'))).toBeUndefined();
		expect(decodeEvent(PUMP, Buffer.alloc(3))).toBeNull();
	});

	test('random bytes behind known first bytes are read or refused with a reason', () => {
		const marks = SOLANA_VENUES.flatMap(venue => Object.keys(venue.events).map(mark => ({venue, mark})));
		fc.assert(
			fc.property(fc.constantFrom(...marks), fc.uint8Array({maxLength: 600}), ({venue, mark}, bytes) => {
				try {
					decodeEvent(venue, Buffer.concat([Buffer.from(mark, 'hex'), bytes]));
				} catch (error) {
					expect(error).toMatchObject({code: 'decode-failed'});
				}
			}),
		);
	});
});
