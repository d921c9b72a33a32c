import {decodeEventLog, parseAbiItem} from 'viem/utils';
import {expect, test} from 'vitest';
import {DecodeFailed} from '../../../../../source/service/follow/evm/event-data.ts';
import type {Log} from '../../../../../source/service/follow/evm/log.ts';
import type {Decode, Hex, Venue} from '../../../../../source/service/follow/evm/venue.ts';
import {FOUR_MEME} from '../../../../../source/service/follow/evm/venues/four-meme.ts';
import {VENUES} from '../../../../../source/service/follow/evm/venues.ts';
import {builtLog} from '../../../../helpers/built-log.ts';
import {decoded} from '../../../../helpers/decoded.ts';
import {fc} from '../../../../helpers/properties.ts';

const word = fc.oneof(
	fc.uint8Array({minLength: 32, maxLength: 32}),
	// What looks like an address, a small number, an offset into the data.
	fc.uint8Array({minLength: 20, maxLength: 20}).map(bytes => Uint8Array.of(...new Uint8Array(12), ...bytes)),
	fc.integer({min: 0, max: 64}).map(n => smallWord(n * 32)),
	fc.integer({min: 0, max: 2 ** 16}).map(smallWord),
	fc.constant(new Uint8Array(32).fill(0xff)),
);

function smallWord(value: number): Uint8Array {
	const bytes = Buffer.alloc(32);
	bytes.writeUInt32BE(value, 28);
	return bytes;
}

const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;
const data = fc.oneof(
	fc.array(word, {maxLength: 40}).map(words => hex(Buffer.concat(words))),
	fc.uint8Array({maxLength: 700}).map(hex),
);

function logWith(topics: readonly Hex[], bytes: Hex): Log {
	return {...builtLog('event Any(uint256 a)', {a: 0n}), topics, data: bytes};
}

function tablesOf({events, poolEvents, managedEvents}: Venue): [Hex, Decode][] {
	return [events, poolEvents, managedEvents].flatMap(table => Object.entries(table ?? {}) as [Hex, Decode][]);
}

/** What a decoder makes of a log: an event, nothing, or an error of its own kind. */
function outcome(decode: Decode, log: Log): string {
	try {
		return decode(log)?.kind ?? 'nothing';
	} catch (error) {
		if (error instanceof DecodeFailed) return 'refused';
		throw error;
	}
}

test.each(VENUES.map(venue => [venue.name, venue] as const))('%s reads or refuses any bytes', (_name, venue) => {
	const decoders = tablesOf(venue);
	fc.assert(
		fc.property(
			fc.constantFrom(...decoders),
			fc.array(word, {maxLength: 4}),
			data,
			([topic, decode], indexed, bytes) => {
				const log = logWith([topic, ...indexed.map(hex)], bytes);
				expect(outcome(decode, log)).toMatch(/^[a-z-]+$/);
			},
		),
		{numRuns: 400},
	);
});

const CREATE =
	'event TokenCreate(address creator, address token, uint256 requestId, string name, string symbol, uint256 totalSupply, uint256 launchTime, uint256 launchFee)';

function created(name: string, symbol: string): Log {
	const address = `0x${'12'.repeat(20)}`;
	const facts = {creator: address, token: address, requestId: 1n, totalSupply: 1n, launchTime: 0n, launchFee: 0n};
	return builtLog(CREATE, {...facts, name, symbol});
}

test('texts are those that viem reads, cut after 256 bytes', () => {
	const texts = fc.string({unit: 'binary', maxLength: 40});
	fc.assert(
		fc.property(texts, texts, (name, symbol) => {
			const log = created(name, symbol);
			const {args} = decodeEventLog({
				abi: [parseAbiItem(CREATE as 'event E(string name, string symbol)')],
				data: log.data,
				topics: log.topics as [Hex],
			}) as {args: {name: string; symbol: string}};
			const event = decoded(FOUR_MEME, log) as {name: string; symbol: string};
			for (const key of ['name', 'symbol'] as const) {
				expect(Buffer.byteLength(event[key])).toBeLessThanOrEqual(256);
				expect(args[key].startsWith(event[key])).toBe(true);
				if (Buffer.byteLength(args[key]) <= 256) expect(event[key]).toBe(args[key]);
			}
		}),
	);
});

test('a launch with one word changed is read or refused', () => {
	const whole = created('Frog', 'FROG');
	const words = (whole.data.length - 2) / 64;
	fc.assert(
		fc.property(fc.nat(words - 1), word, (at, bytes) => {
			const start = 2 + at * 64;
			const changed = `${whole.data.slice(0, start)}${hex(bytes).slice(2)}${whole.data.slice(start + 64)}` as Hex;
			expect(outcome(FOUR_MEME.events[whole.topics[0]!]!, {...whole, data: changed})).toMatch(/^(token|refused)$/);
		}),
		{numRuns: 1000},
	);
});

test('bytes that are no UTF-8 become U+FFFD, and no hex digit too many is taken', () => {
	const log = created('Frog', 'FROG');
	const frog = Buffer.from('Frog').toString('hex');
	const broken = log.data.replace(frog, 'ff46c328') as Hex;
	expect(decoded(FOUR_MEME, {...log, data: broken})).toMatchObject({name: '\uFFFDF\uFFFD('});
	const notHex = log.data.replace(/^0x0/, '0xg') as Hex;
	expect(() => decoded(FOUR_MEME, {...log, data: notHex})).toThrow(DecodeFailed);
});
