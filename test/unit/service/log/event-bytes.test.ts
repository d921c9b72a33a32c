import {expect, test} from 'vitest';
import {ByteWriter, DamagedBytes} from '../../../../source/service/log/bytes.ts';
import {decodeEvents, encodeEvents, type PlacedEvent} from '../../../../source/service/log/event-bytes.ts';
import type {MarketEvent} from '../../../../source/service/market/events.ts';
import {fc} from '../../../helpers/properties.ts';

const OWNER = {chainId: 'evm:8453', token: '0x1111111111111111111111111111111111111111'};

const hex = (bytes: number) =>
	fc.uint8Array({minLength: bytes, maxLength: bytes}).map(some => `0x${Buffer.from(some).toString('hex')}`);
/** Some addresses come again and again, some texts look like hex and are not. */
const text = fc.oneof(
	fc.constantFrom(
		'0x2222222222222222222222222222222222222222',
		'0xAbCd',
		'0x',
		'',
		'0x123',
		'So11111111111111111111111111111111111111112',
	),
	hex(20),
	hex(32),
	fc.string(),
);
const textOrNull = fc.option(text, {nil: null});
const amount = fc.double({noNaN: true});
/** Events are plain JSON, which has neither -0 nor infinity: those that are kept as JSON have such amounts. */
const jsonAmount = fc.double({noNaN: true, noDefaultInfinity: true}).map(value => value + 0);
const money = fc.option(amount, {nil: null});
const place = {
	timeMs: fc.integer({min: 0, max: 2 ** 45}),
	chainId: fc.constant(OWNER.chainId),
	token: fc.constant(OWNER.token),
	block: fc.integer({min: 0, max: 2 ** 40}),
};
const type = <T extends string>(name: T) => fc.constant(name);
const event: fc.Arbitrary<MarketEvent> = fc.oneof(
	fc.record({
		type: type('holders'),
		...place,
		largest: fc.array(fc.record({wallet: text, amountToken: jsonAmount}), {maxLength: 20}),
	}),
	fc.record({
		type: type('trade'),
		...place,
		pool: textOrNull,
		wallet: textOrNull,
		side: fc.constantFrom('buy' as const, 'sell' as const),
		amountToken: amount,
		amountQuote: amount,
		valueUSD: money,
		feeUSD: money,
		quoteUSD: money,
		tx: textOrNull,
		platform: textOrNull,
	}),
	fc.record({
		type: type('trade'),
		...place,
		pool: textOrNull,
		wallet: textOrNull,
		side: fc.constantFrom('buy' as const, 'sell' as const),
		amountToken: amount,
		amountQuote: amount,
		valueUSD: money,
		feeUSD: money,
		quoteUSD: money,
		reserves: fc.record({token: amount, quote: amount}),
		tx: textOrNull,
		platform: textOrNull,
	}),
	fc
		.record({
			amounts: fc.record({amountToken: amount, amountQuote: amount}),
			reserves: fc.option(fc.record({token: amount, quote: amount}), {nil: undefined}),
			quoteUSD: money,
			/** As sources make them, and not. */
			spot: fc.oneof(fc.constantFrom('none' as const, 'of reserves' as const), amount),
			value: fc.oneof(fc.constant('of quote coins' as const), money),
		})
		.map(({amounts, reserves, quoteUSD, spot, value}): MarketEvent => {
			const ofReserves = reserves && reserves.quote / reserves.token;
			const spotQuote = spot === 'none' ? undefined : spot === 'of reserves' ? ofReserves : spot;
			const ofQuotes = quoteUSD === null ? null : amounts.amountQuote * quoteUSD;
			const valueUSD = value === 'of quote coins' ? ofQuotes : value;
			return {
				type: 'trade',
				...{timeMs: 1, block: 2, ...OWNER},
				pool: null,
				wallet: null,
				side: 'sell',
				...amounts,
				// A number that is none is null in the journal.
				valueUSD: Number.isNaN(valueUSD) ? null : valueUSD,
				feeUSD: null,
				quoteUSD,
				...(spotQuote !== undefined && !Number.isNaN(spotQuote) && {spotQuote}),
				...(reserves && {reserves}),
				tx: null,
				platform: null,
			};
		}),
	fc.record({type: type('transfer'), ...place, from: textOrNull, to: textOrNull, amountToken: amount}),
	fc.record({
		type: type('liquidity'),
		...place,
		pool: textOrNull,
		wallet: textOrNull,
		amountToken: amount,
		amountQuote: amount,
	}),
	fc.record({type: type('reserves'), ...place, pool: textOrNull, reserveToken: amount, reserveQuote: amount}),
	fc.record({type: type('gap'), ...place, fromMs: fc.integer({min: 0, max: 2 ** 45})}),
	fc.record({
		type: type('profile'),
		timeMs: place.timeMs,
		chainId: place.chainId,
		token: place.token,
		profile: fc.record({description: textOrNull}),
	}),
	fc.record({
		type: type('transfer'),
		...place,
		// Not what the forms hold: another spelling, half a millisecond.
		token: fc.constant(OWNER.token.toUpperCase()),
		timeMs: fc.constant(1234.5),
		from: textOrNull,
		to: textOrNull,
		amountToken: fc.integer(),
	}),
);
const placed: fc.Arbitrary<PlacedEvent> = fc
	.record({event, other: fc.integer({min: 0, max: 2 ** 40})})
	.map(({event: one, other}) => ({block: 'block' in one ? one.block : other, event: one}));

test('events are the same after they were bytes', () => {
	fc.assert(
		fc.property(fc.array(placed), events => {
			expect(decodeEvents(encodeEvents(events, OWNER), OWNER)).toEqual(events);
		}),
	);
});

test('an event with a field that the bytes have no place for is kept whole', () => {
	const odd = {type: 'transfer', timeMs: 1, ...OWNER, block: 2, from: null, to: null, amountToken: 3, memo: 'later'};
	const events = [{block: 2, event: odd as MarketEvent}];
	expect(decodeEvents(encodeEvents(events, OWNER), OWNER)).toEqual(events);
});

test('bytes that are no events are refused, whatever they are', () => {
	const good = encodeEvents(fc.sample(placed, {numRuns: 20, seed: 1}), OWNER);
	fc.assert(
		fc.property(fc.nat(good.length - 1), fc.integer({min: 0, max: 255}), (at, value) => {
			const damaged = good.slice();
			damaged[at] = value;
			expectEventsOrDamage(damaged);
			expectEventsOrDamage(good.slice(0, at));
		}),
	);
	fc.assert(fc.property(fc.uint8Array({maxLength: 200}), expectEventsOrDamage));
	expect(() => decodeEvents(good.slice(0, 5), OWNER)).toThrow(DamagedBytes);
});

test('a trade of a journal that an older version wrote opens, without a price of the pool', () => {
	const old = new ByteWriter();
	old.varint(2);
	old.number(1000);
	for (const [flags, reserves] of [
		[0, []],
		[3, [7, 8]],
	] as const) {
		for (const byte of [1, 0, 0, flags]) old.byte(byte);
		old.text(null);
		old.text('wallet');
		for (const figure of [10, 2, null, 0.5, 3, ...reserves]) old.number(figure);
		old.text('tx');
		old.text(null);
	}
	const trade = {
		type: 'trade' as const,
		...{timeMs: 1000, block: 2, ...OWNER},
		pool: null,
		wallet: 'wallet',
		side: 'buy' as const,
		amountToken: 10,
		amountQuote: 2,
		valueUSD: null,
		feeUSD: 0.5,
		quoteUSD: 3,
		tx: 'tx',
		platform: null,
	};
	expect(decodeEvents(old.bytes(), OWNER)).toEqual([
		{block: 2, event: trade},
		{block: 2, event: {...trade, side: 'sell', reserves: {token: 7, quote: 8}}},
	]);
});

test('the price of a pool takes 8 bytes, or none where it follows from the reserves; a value that follows takes none', () => {
	const trade = {
		type: 'trade' as const,
		...{timeMs: 1000, block: 2, ...OWNER},
		pool: null,
		wallet: null,
		side: 'buy' as const,
		amountToken: 10,
		amountQuote: 2,
		valueUSD: 6.5,
		feeUSD: 0.5,
		quoteUSD: 3,
		reserves: {token: 3, quote: 1},
		tx: null,
		platform: null,
	};
	const bytes = (change: object) => encodeEvents([{block: 2, event: {...trade, ...change}}], OWNER).length;
	const before = bytes({});
	expect(bytes({spotQuote: 0.3})).toBe(before + 8);
	expect(bytes({spotQuote: 1 / 3})).toBe(before);
	expect(bytes({spotQuote: 0.3, valueUSD: 6})).toBe(before);
	expect(bytes({spotQuote: 1 / 3, valueUSD: 6})).toBe(before - 8);
});

test('a trade and its two transfers take less than 250 bytes', () => {
	const wallet = `0x${'ab'.repeat(20)}`;
	const at = {timeMs: 1_700_000_000_000, ...OWNER, block: 30_000_000};
	const events: MarketEvent[] = [
		{type: 'transfer', ...at, from: null, to: wallet, amountToken: 1234.5678},
		{type: 'transfer', ...at, from: wallet, to: `0x${'cd'.repeat(20)}`, amountToken: 1.25},
		{
			type: 'trade',
			...at,
			pool: null,
			wallet,
			side: 'buy',
			amountToken: 1234.5678,
			amountQuote: 0.123,
			valueUSD: 412.1,
			feeUSD: 1.2,
			quoteUSD: 3344.5,
			reserves: {token: 1e8, quote: 12.3},
			tx: `0x${'12'.repeat(32)}`,
			platform: null,
		},
	];
	expect(
		encodeEvents(
			events.map(event => ({block: at.block, event})),
			OWNER,
		).length,
	).toBeLessThan(250);
});

function expectEventsOrDamage(bytes: Uint8Array): void {
	try {
		decodeEvents(bytes, OWNER);
	} catch (error) {
		expect(error).toBeInstanceOf(DamagedBytes);
	}
}
