import {expect, test} from 'vitest';
import {readMeteoraDbc} from '../../../../../source/service/follow/solana/venues/meteora-dbc.ts';
import {meteoraLaunch, meteoraMigration, meteoraTrade, written} from '../../../../helpers/meteora.ts';
import {fc} from '../../../../helpers/properties.ts';

// Bytes are built by the writer of the tests after the layouts of the program's public source: none was recorded on the chain.
const TOKEN = {
	mint: '3LTw6bdk4VnMM45i5aqo82ibT21f9n8vMP8W26A4wRGi',
	pool: '4YXzjFCjbHqzpEGe7oEZgeJxafnFzWs63rJ3woayceXh',
	creator: 'H8Nd2bv1u5ejnN3ZGowVHw7KLg67TdRttZ4kJam6pump',
};
const WALLET = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TRADE = {wallet: WALLET, reserve: 20_000n, threshold: 80_000n, timeS: 1_790_000_000n} as const;

test('a launch has its text and quote coin from the instruction, its supply from the balances', () => {
	expect(readMeteoraDbc(meteoraLaunch(TOKEN))).toMatchObject({
		events: [
			{
				kind: 'token',
				mint: TOKEN.mint,
				curve: TOKEN.pool,
				creator: TOKEN.creator,
				name: 'Frog coin',
				symbol: 'FROG',
				uri: 'https://example.org/FROG',
				decimals: 6,
				supply: 1_000_000_000_000_000n,
				quote: 'native',
				quoteDecimals: 9,
				isToken2022: true,
			},
		],
		unknown: 0,
	});
	const {instructions} = meteoraLaunch(TOKEN);
	expect(readMeteoraDbc({instructions, balances: []})).toMatchObject({events: [], unknown: 1});
	expect(readMeteoraDbc({...meteoraLaunch(TOKEN), instructions: instructions.slice(1)})).toMatchObject({unknown: 1});
});

test('a trade counts once, with what entered and left the curve, its fee, its trader and the progress', () => {
	const buy = meteoraTrade(TOKEN, {...TRADE, side: 'buy', input: 1000n, output: 4000n, fee: 10n, isFeeOnInput: true});
	expect(readMeteoraDbc(buy)).toEqual({
		events: [
			{
				kind: 'curve-trade',
				mint: null,
				curve: TOKEN.pool,
				wallet: WALLET,
				side: 'buy',
				amountToken: 4000n,
				amountQuote: 990n,
				fee: 10n,
				left: null,
				raised: 20_000n,
				beyond: null,
				price: 0.25,
				quote: null,
				timeS: 1_790_000_000,
				share: 0.25,
			},
		],
		moves: [],
		unknown: 0,
	});
	const sell = meteoraTrade(TOKEN, {...TRADE, side: 'sell', input: 4000n, output: 990n, fee: 10n});
	expect(readMeteoraDbc(sell).events).toMatchObject([{side: 'sell', amountToken: 4000n, amountQuote: 1000n, fee: 10n}]);
});

test('a fee in tokens counts at the price of the trade', () => {
	const buy = meteoraTrade(TOKEN, {...TRADE, side: 'buy', input: 1000n, output: 3960n, fee: 40n});
	expect(readMeteoraDbc(buy).events).toMatchObject([{amountToken: 3960n, amountQuote: 1000n, fee: 10n}]);
});

test('the trade that completes a curve says so, and the migration names the pool', () => {
	const last = meteoraTrade(TOKEN, {...TRADE, side: 'buy', input: 10n, output: 40n, fee: 0n, reserve: 80_000n});
	expect(readMeteoraDbc(last).events).toMatchObject([{share: 1}, {kind: 'full', mint: TOKEN.mint}]);
	expect(readMeteoraDbc(meteoraMigration(TOKEN, WALLET)).moves).toEqual([
		{mint: TOKEN.mint, pool: WALLET, to: 'damm-v2'},
	]);
});

test('unknown events, cut ones, and trades of which only the older event came are counted', () => {
	const {instructions} = meteoraTrade(TOKEN, {...TRADE, side: 'buy', input: 10n, output: 40n, fee: 0n});
	expect(readMeteoraDbc({instructions: instructions.slice(0, 2), balances: []})).toMatchObject({
		events: [],
		unknown: 1,
	});
	const cut = {...instructions[2]!, data: instructions[2]!.data.subarray(0, 100)};
	expect(readMeteoraDbc({instructions: [instructions[0]!, cut], balances: []})).toMatchObject({events: [], unknown: 1});
	const strange = written(Buffer.from('0011223344556677', 'hex'));
	expect(readMeteoraDbc({instructions: [strange], balances: []})).toMatchObject({events: [], unknown: 1});
	const withdrawal = written(Buffer.from('bfbd688f6f9c5ee5', 'hex'));
	expect(readMeteoraDbc({instructions: [withdrawal], balances: []})).toMatchObject({events: [], unknown: 0});
});

test('any bytes behind the mark of an event are read or counted', () => {
	fc.assert(
		fc.property(
			fc.constantFrom('e432f655cb428625', 'bd4233a826507599', 'e5e756549c864b18'),
			fc.uint8Array({maxLength: 250}),
			(mark, bytes) => {
				const event = written(Buffer.concat([Buffer.from(mark, 'hex'), bytes]));
				const {events, unknown} = readMeteoraDbc({instructions: [event], balances: []});
				expect(events.length + unknown).toBeGreaterThan(0);
			},
		),
	);
});
