import type {
	GapEvent,
	LiquidityEvent,
	MarketEvent,
	ReservesEvent,
	TradeEvent,
	TransferEvent,
} from '../market/events.ts';
import {ByteReader, ByteWriter, DamagedBytes} from './bytes.ts';

/** An event and the block that it is undone with. */
export interface PlacedEvent {
	readonly block: number;
	readonly event: MarketEvent;
}

/** Whose events they are: not repeated in each of them. */
export interface EventsOwner {
	readonly chainId: string;
	/** The token's address, as its launch has it. */
	readonly token: string;
}

/*
 * Events of one token as bytes, for the journal. A day of a busy chain is millions of trades. Measured on transfers and
 * trades with reserves: 71 bytes and 0.4 us an event to read; as JSON 364 bytes and 1 us.
 *
 *   list      block of the first event (varint), its time (8 bytes), events to the end
 *   event     kind (1 byte), block and time as signed differences to the event before, then what KINDS says
 *   number    8 bytes, little-endian double; NaN is null
 *   text      0: null; 1: UTF-8 follows (length, bytes); 2: hex with 0x follows (length, bytes); 3 and up: a text that was
 *             there before in the list, by its number
 *   varint    7 bits a byte, lowest first; signed ones in zigzag
 *
 * Rare events (launches, migrations, profiles, fundings, lists of holders) are JSON, and so is any event that these forms cannot hold whole.
 */
const KINDS = {json: 0, oldTrade: 1, transfer: 2, liquidity: 3, reserves: 4, gap: 5, trade: 6} as const;

/**
 * Flags of a trade. Figures that follow from its other figures, to the last bit, are not written: `spotOfReserves` is quote by token of the
 * reserves, and without `value` the value is the quote coins at their price. An old trade always has its value and never the
 * pool's price; no new ones are written.
 */
const FLAG = {sell: 1, reserves: 2, spot: 4, spotOfReserves: 8, value: 16} as const;

/** Fields of every form. */
const PLACE = {type: true, chainId: true, token: true, block: true, timeMs: true} as const;

/** Fields that few events have: those are JSON. */
type Rare = 'curveShare' | 'taxOf';

/** The further fields of each form: the compiler complains about one that is missing here; then it is to be written and read below. */
const FIELDS: {[T in BinaryEvent['type']]: Record<Exclude<keyof EventOf<T>, keyof typeof PLACE | Rare>, true>} = {
	trade: {
		pool: true,
		wallet: true,
		side: true,
		amountToken: true,
		amountQuote: true,
		valueUSD: true,
		feeUSD: true,
		quoteUSD: true,
		spotQuote: true,
		reserves: true,
		tx: true,
		platform: true,
	},
	transfer: {from: true, to: true, amountToken: true},
	liquidity: {pool: true, wallet: true, amountToken: true, amountQuote: true},
	reserves: {pool: true, reserveToken: true, reserveQuote: true},
	gap: {fromMs: true},
};

type BinaryEvent = TradeEvent | TransferEvent | LiquidityEvent | ReservesEvent | GapEvent;
type EventOf<T> = Extract<BinaryEvent, {readonly type: T}>;

/** Events of one token, in order, as bytes. */
export function encodeEvents(events: readonly PlacedEvent[], owner: EventsOwner): Uint8Array {
	const out = new ByteWriter();
	let {block, timeMs} = {block: events[0]?.block ?? 0, timeMs: wholeMs(events[0]?.event.timeMs ?? 0)};
	out.varint(block);
	out.number(timeMs);
	for (const placed of events) {
		const {event} = placed;
		const kind = kindOf(placed, owner);
		const atMs = wholeMs(event.timeMs);
		out.byte(KINDS[kind]);
		out.signed(placed.block - block);
		out.signed(atMs - timeMs);
		block = placed.block;
		timeMs = atMs;
		if (kind === 'json') out.fresh(JSON.stringify(event));
		else write(out, event as BinaryEvent);
	}
	return out.bytes();
}

/**
 * The events of such bytes, in order.
 * @throws DamagedBytes when they are no such list
 */
export function decodeEvents(bytes: Uint8Array, owner: EventsOwner): PlacedEvent[] {
	const events: PlacedEvent[] = [];
	readEvents(bytes, owner, (event, block) => events.push({block, event}));
	return events;
}

/** As decodeEvents, without a list: one call for each event. @throws DamagedBytes */
export function readEvents(
	bytes: Uint8Array,
	{chainId, token}: EventsOwner,
	take: (event: MarketEvent, block: number) => void,
): void {
	const read = new ByteReader(bytes);
	let block = read.varint();
	let timeMs = read.number();
	while (!read.isAtEnd) {
		const kind = read.byte();
		block += read.signed();
		timeMs += read.signed();
		take(readEvent(read, kind, {timeMs, chainId, token, block}), block);
	}
}

/** The form that holds an event whole. */
function kindOf({event, block}: PlacedEvent, {chainId, token}: EventsOwner): keyof typeof KINDS {
	if (!isBinary(event)) return 'json';
	const isInPlace = event.block === block && event.chainId === chainId && event.token === token;
	return isInPlace && Number.isSafeInteger(event.timeMs) && hasKnownFields(event) ? event.type : 'json';
}

function isBinary(event: MarketEvent): event is BinaryEvent {
	return Object.hasOwn(FIELDS, event.type);
}

/** False when an event has a field that its form would lose. */
function hasKnownFields(event: BinaryEvent): boolean {
	const known = FIELDS[event.type];
	for (const field in event) if (!(field in known || field in PLACE)) return false;
	return true;
}

function write(out: ByteWriter, event: BinaryEvent): void {
	switch (event.type) {
		case 'trade': {
			const {reserves, spotQuote} = event;
			const flags = flagsOf(event);
			out.byte(flags);
			out.text(event.pool);
			out.text(event.wallet);
			out.number(event.amountToken);
			out.number(event.amountQuote);
			if (flags & FLAG.value) out.number(event.valueUSD);
			out.number(event.feeUSD);
			out.number(event.quoteUSD);
			if (flags & FLAG.spot) out.number(spotQuote!);
			if (reserves) {
				out.number(reserves.token);
				out.number(reserves.quote);
			}
			out.text(event.tx);
			out.text(event.platform);
			return;
		}
		case 'transfer':
			out.text(event.from);
			out.text(event.to);
			out.number(event.amountToken);
			return;
		case 'liquidity':
			out.text(event.pool);
			out.text(event.wallet);
			out.number(event.amountToken);
			out.number(event.amountQuote);
			return;
		case 'reserves':
			out.text(event.pool);
			out.number(event.reserveToken);
			out.number(event.reserveQuote);
			return;
		case 'gap':
			out.number(event.fromMs);
	}
}

function flagsOf({side, reserves, spotQuote, amountQuote, quoteUSD, valueUSD}: TradeEvent): number {
	const isOfReserves = reserves !== undefined && Object.is(spotQuote, reserves.quote / reserves.token);
	return (
		(side === 'sell' ? FLAG.sell : 0) |
		(reserves ? FLAG.reserves : 0) |
		(spotQuote === undefined ? 0 : isOfReserves ? FLAG.spotOfReserves : FLAG.spot) |
		(Object.is(valueUSD, usdOf(amountQuote, quoteUSD)) ? 0 : FLAG.value)
	);
}

function usdOf(amountQuote: number, quoteUSD: number | null): number | null {
	return quoteUSD === null ? null : amountQuote * quoteUSD;
}

type Place = Pick<TradeEvent, 'timeMs' | 'chainId' | 'token' | 'block'>;

function readEvent(read: ByteReader, kind: number, at: Place): MarketEvent {
	switch (kind) {
		case KINDS.trade:
			return readTrade(read, at, read.byte());
		case KINDS.oldTrade:
			return readTrade(read, at, read.byte() | FLAG.value);
		case KINDS.transfer:
			return {...place('transfer', at), from: read.text(), to: read.text(), amountToken: read.number()};
		case KINDS.liquidity:
			return {
				...place('liquidity', at),
				pool: read.text(),
				wallet: read.text(),
				amountToken: read.number(),
				amountQuote: read.number(),
			};
		case KINDS.reserves:
			return {
				...place('reserves', at),
				pool: read.text(),
				reserveToken: read.number(),
				reserveQuote: read.number(),
			};
		case KINDS.gap:
			return {...place('gap', at), fromMs: read.number()};
		case KINDS.json:
			return fromJson(read.someText());
		default:
			throw new DamagedBytes(`an event of kind ${kind}`);
	}
}

function place<T extends string>(type: T, {timeMs, chainId, token, block}: Place): Place & {readonly type: T} {
	return {type, timeMs, chainId, token, block};
}

function readTrade(read: ByteReader, {timeMs, chainId, token, block}: Place, flags: number): TradeEvent {
	const hasReserves = (flags & FLAG.reserves) !== 0;
	const pool = read.text();
	const wallet = read.text();
	const amountToken = read.number();
	const amountQuote = read.number();
	const value = (flags & FLAG.value) === 0 ? undefined : read.maybe();
	const feeUSD = read.maybe();
	const quoteUSD = read.maybe();
	const spot = (flags & FLAG.spot) === 0 ? undefined : read.number();
	const reserves = hasReserves ? {token: read.number(), quote: read.number()} : undefined;
	const spotQuote = reserves && flags & FLAG.spotOfReserves ? reserves.quote / reserves.token : spot;
	const side = (flags & FLAG.sell) !== 0 ? 'sell' : 'buy';
	const tx = read.text();
	const platform = read.text();
	const trade: {-readonly [K in keyof TradeEvent]: TradeEvent[K]} = {
		type: 'trade',
		timeMs,
		chainId,
		token,
		block,
		pool,
		wallet,
		side,
		amountToken,
		amountQuote,
		valueUSD: value === undefined ? usdOf(amountQuote, quoteUSD) : value,
		feeUSD,
		quoteUSD,
		tx,
		platform,
	};
	if (spotQuote !== undefined) trade.spotQuote = spotQuote;
	if (reserves) trade.reserves = reserves;
	return trade;
}

function fromJson(text: string): MarketEvent {
	try {
		return JSON.parse(text) as MarketEvent;
	} catch (error) {
		throw new DamagedBytes(`an event that is no JSON: ${(error as Error).message}`);
	}
}

/** Times in between are only kept by JSON. */
function wholeMs(timeMs: number): number {
	return Number.isSafeInteger(timeMs) ? timeMs : 0;
}
