import {FIELDS, type Field, type TextFieldName} from '../../contract/fields.ts';
import {type EntryPlace, whenUnknown} from '../../contract/when-unknown.ts';
import type {Engine} from './engine.ts';
import type {Profile} from './events.ts';
import {holdersList} from './holder-list.ts';
import {ROW} from './market.ts';
import {mayHave} from './readers.ts';
import type {NumericFieldName} from './table.ts';
import type {Token} from './token.ts';
import {NO_PRICE_TEXT, plainDecimal, rawAmount} from './wire-amounts.ts';

type Entry = Record<string, unknown>;
type Write = (entry: Entry, row: number) => void;

/**
 * Writes rows as the API has them (spec 2.1, contract gaps 2.1 and 2.2): every field in every spelling of FIELDS, and
 * the objects that are no single field. Text is written unchanged, however hostile: the reader must clean it.
 */
export class Entries {
	readonly #engine: Engine;
	readonly #asset: Write;
	readonly #pool: Write;
	readonly #pair: Write;
	readonly #token: Write;
	readonly #volume24h: (row: number) => number;

	constructor(engine: Engine) {
		this.#engine = engine;
		this.#asset = writer(engine, 'asset');
		this.#pool = writer(engine, 'pool');
		this.#pair = writer(engine, 'pair');
		this.#token = writer(engine, 'token');
		this.#volume24h = engine.reader('volume_24h');
	}

	/** A flat asset-mode entry with the `holders` largest holders. */
	asset(row: number, holders: number): Entry {
		const {token, venue} = this.#engine.listing(row);
		const entry: Entry = {};
		this.#asset(entry, row);
		entry['id'] = null;
		entry['priceTokenString'] = this.#priceText(row, entry['priceToken']) ?? NO_PRICE_TEXT;
		entry['originLogoUrl'] = token.profile.logo ?? null;
		if (venue?.exchange) entry['exchange'] = venue.exchange;
		if (token.profile.screener) entry['screenerBoosted'] = token.profile.screener.boosted;
		entry['screenerEnhanced'] = screenerEnhanced(token.profile);
		entry['security'] = token.profile.security ?? null;
		this.#shared(entry, row, token, holders);
		return entry;
	}

	/** A pool-mode entry: `pair`, and at the root the statistics and the repeats of spec 2.1. */
	pool(row: number, holders: number): Entry {
		const {token} = this.#engine.listing(row);
		const entry: Entry = {pair: this.#pairOf(row)};
		this.#pool(entry, row);
		entry['security'] = token.profile.security ?? {};
		this.#shared(entry, row, token, holders);
		return entry;
	}

	#pairOf(row: number): Entry {
		const engine = this.#engine;
		const {token, venue} = engine.listing(row);
		const quote = venue && engine.catalog.token(token.chainId, venue.quote.address);
		const pair: Entry = {};
		this.#pair(pair, row);
		const token0: Entry = {};
		this.#token(token0, row);
		token0['id'] = null;
		token0['priceTokenString'] = this.#priceText(row, token0['priceToken']) ?? NO_PRICE_TEXT;
		pair['token0'] = token0;
		pair['token1'] = this.#quoteOf(row, quote);
		const volume = this.#volume24h(row);
		if (!Number.isNaN(volume)) pair['volume24h'] = volume;
		pair['baseToken'] = 'token0';
		pair['quoteToken'] = 'token1';
		pair['exchange'] = venue?.exchange ?? {name: '', logo: ''};
		const price = this.#priceText(row, pair['priceToken']);
		if (price !== undefined) pair['priceTokenString'] = price;
		this.#writeExtremes(pair, 'Token0', row);
		if (quote) this.#writeExtremes(pair, 'Token1', quote.row);
		return pair;
	}

	/** A price in quote coins as text; undefined when it is unknown. A token without a pool has none: 0, if its trades were seen. */
	#priceText(row: number, price: unknown): string | undefined {
		const isKnown = typeof price === 'number' && Number.isFinite(price);
		return !isKnown && mayHave(this.#engine, row) ? undefined : plainDecimal(price);
	}

	/** The highest and the lowest price of a row's token, and when; undefined prices are left out. */
	#writeExtremes(pair: Entry, side: 'Token0' | 'Token1', row: number): void {
		const {rows} = this.#engine;
		if (!(rows.athMs[row]! > 0)) return;
		if (Number.isNaN(rows.athUSD[row]!)) return;
		pair[`ath${side}`] = rows.athUSD[row]!;
		pair[`atl${side}`] = rows.atlUSD[row]!;
		pair[`athDate${side}`] = iso(rows.athMs[row]!);
		pair[`atlDate${side}`] = iso(rows.atlMs[row]!);
	}

	/** The quote side as a token object: from its own row where the table has one. */
	#quoteOf(row: number, quote: Token | null | undefined): Entry | null {
		const engine = this.#engine;
		const {token, venue} = engine.listing(row);
		if (!venue) return null;
		const entry: Entry = {};
		if (quote) this.#token(entry, quote.row);
		else writeUnknown(entry, 'token');
		const price = engine.rows.quoteUSD[row]!;
		const reserve = engine.rows.reserveQuote[row]!;
		return withNulls({
			...entry,
			address: venue.quote.address,
			chainId: token.chainId,
			symbol: venue.quote.symbol,
			name: venue.quote.name,
			decimals: venue.quote.decimals,
			id: null,
			price,
			priceToken: 1 / (engine.rows.priceUSD[row]! / price),
			priceTokenString: this.#priceText(row, price / engine.rows.priceUSD[row]!) ?? NO_PRICE_TEXT,
			approximateReserveUSD: reserve * price,
			approximateReserveTokenRaw: Number.isNaN(reserve) ? null : rawAmount(reserve, venue.quote.decimals),
			approximateReserveToken: reserve,
			// A coin that prices others is traded on ordinary exchanges, regardless of its pool here.
			bonded: true,
		});
	}

	#shared(entry: Entry, row: number, {profile}: Token, holders: number): void {
		if (this.#engine.bits[row]! & ROW.averagePrice) entry['priceIsAverage'] = true;
		entry['socials'] = {
			twitter: profile.twitter ?? null,
			website: profile.website ?? null,
			telegram: profile.telegram ?? null,
			others: profile.otherSocials ?? null,
			...(profile.uri ? {uri: profile.uri} : {}),
		};
		if (profile.twitterRenames !== undefined) {
			entry['twitterRenameHistory'] = profile.twitterRenames.map(rename => ({
				username: rename.username,
				last_checked: iso(rename.lastCheckedMs),
			}));
		}
		entry['holders_list'] = holders > 0 ? holdersList(this.#engine, row, holders) : [];
	}
}

/** A function that writes all fields with a spelling in this place. */
function writer(engine: Engine, place: EntryPlace): Write {
	const writes: Write[] = [];
	for (const field of FIELDS) {
		const names = field[place].map(name => [name, UNKNOWN[whenUnknown(place, name, field.kind)]] as const);
		if (names.length === 0) continue;
		writes.push(field.kind === 'text' ? textWriter(engine, field, names) : numberWriter(engine, field, names));
	}
	return (entry, row) => {
		for (const write of writes) write(entry, row);
	};
}

/** Writes what stands in this place for something of which nothing is known. */
function writeUnknown(entry: Entry, place: EntryPlace): void {
	for (const field of FIELDS)
		for (const name of field[place]) if (whenUnknown(place, name, field.kind) === 'null') entry[name] = null;
}

/** A spelling, and the value to write for unknown: undefined is left out. */
type Name = readonly [spelling: string, unknown: null | undefined];
const UNKNOWN = {null: null, 'left-out': undefined} as const;

function textWriter(engine: Engine, field: Field, names: readonly Name[]): Write {
	return (entry, row) => {
		const text = engine.text(field.name as TextFieldName, row);
		for (const [name, unknown] of names) {
			const value = text ?? unknown;
			if (value !== undefined) entry[name] = value;
		}
	};
}

function numberWriter(engine: Engine, {name, kind}: Field, names: readonly Name[]): Write {
	const read = engine.reader(name as NumericFieldName);
	return (entry, row) => {
		const number = read(row);
		const isKnown = kind === 'date' ? number > 0 : !Number.isNaN(number);
		const known = kind === 'date' && isKnown ? iso(number) : kind === 'boolean' ? number === 1 : number;
		for (const [spelling, unknown] of names) {
			const value = isKnown ? known : unknown;
			if (value !== undefined) entry[spelling] = value;
		}
	};
}

/** With null for the figures that are not known. */
function withNulls(entry: Entry): Entry {
	for (const [name, value] of Object.entries(entry)) if (Number.isNaN(value)) entry[name] = null;
	return entry;
}

function iso(timeMs: number): string | null {
	return timeMs > 0 ? new Date(timeMs).toISOString() : null;
}

function screenerEnhanced({screener, logo, twitter, website}: Profile): Entry | null {
	if (!screener?.adPaid) return null;
	return {
		enhanced: true,
		icon: logo ?? null,
		header: screener.header,
		description: screener.description,
		links: [
			...(twitter ? [{url: twitter, type: 'twitter'}] : []),
			...(website ? [{url: website, label: 'Website'}] : []),
		],
		isCto: screener.isCto,
		timestamp: screener.timeMs,
		previousEnhancements: [],
	};
}
