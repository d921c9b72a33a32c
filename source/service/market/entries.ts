import {FIELDS, type Field, type TextFieldName} from '../../contract/fields.ts';
import type {Engine} from './engine.ts';
import type {Profile} from './events.ts';
import {holdersList} from './holder-list.ts';
import type {NumericFieldName} from './table.ts';
import type {Token} from './token.ts';

type Entry = Record<string, unknown>;
type Spellings = (field: Field) => readonly string[];
type Write = (entry: Entry, row: number) => void;

/**
 * Writes rows as the wire has them (spec 2.1, contract gaps 2.1 and 2.2): every field in every spelling of FIELDS, and the
 * objects that are no single field. Text goes out as it came in, however hostile: cleaning it is the reader's duty.
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
		this.#asset = writer(engine, field => field.asset);
		this.#pool = writer(engine, field => field.pool);
		this.#pair = writer(engine, field => field.pair);
		this.#token = writer(engine, field => field.token);
		this.#volume24h = engine.reader('volume_24h');
	}

	/** A flat asset-mode entry with the `holders` largest holders. */
	asset(row: number, holders: number): Entry {
		const {token, venue} = this.#engine.listing(row);
		const entry: Entry = {};
		this.#asset(entry, row);
		entry['id'] = null;
		entry['priceTokenString'] = plainDecimal(entry['priceToken']);
		entry['originLogoUrl'] = token.profile.logo ?? null;
		entry['exchange'] = venue?.exchange ?? null;
		entry['screenerBoosted'] = token.profile.screener?.boosted ?? null;
		entry['screenerEnhanced'] = screenerEnhanced(token.profile);
		this.#shared(entry, row, token, holders);
		return entry;
	}

	/** A pool-mode entry: `pair`, and at the root the statistics and the repeats of spec 2.1. */
	pool(row: number, holders: number): Entry {
		const {token} = this.#engine.listing(row);
		const entry: Entry = {pair: this.#pairOf(row)};
		this.#pool(entry, row);
		this.#shared(entry, row, token, holders);
		return entry;
	}

	#pairOf(row: number): Entry {
		const engine = this.#engine;
		const {rows} = engine;
		const {token, venue} = engine.listing(row);
		const pair: Entry = {};
		this.#pair(pair, row);
		const token0: Entry = {};
		this.#token(token0, row);
		token0['id'] = null;
		token0['priceTokenString'] = plainDecimal(token0['priceToken']);
		pair['token0'] = token0;
		pair['token1'] = this.#quoteOf(row);
		pair['volume24h'] = this.#volume24h(row);
		pair['baseToken'] = 'token0';
		pair['quoteToken'] = 'token1';
		pair['exchange'] = venue?.exchange ?? {name: '', logo: ''};
		pair['priceTokenString'] = plainDecimal(pair['priceToken']);
		pair['athToken0'] = rows.athUSD[row]!;
		pair['atlToken0'] = rows.atlUSD[row]!;
		pair['athDateToken0'] = iso(rows.athMs[row]!);
		pair['atlDateToken0'] = iso(rows.atlMs[row]!);
		// The engine follows no history of the quote coin: its extremes are not known to it.
		pair['athToken1'] = 0;
		pair['atlToken1'] = 0;
		pair['athDateToken1'] = null;
		pair['atlDateToken1'] = null;
		pair['preBondingFactory'] = token.preBondingFactory;
		return pair;
	}

	/** The quote side as a token object: from its own row where the table has one. */
	#quoteOf(row: number): Entry | null {
		const engine = this.#engine;
		const {token, venue} = engine.listing(row);
		if (!venue) return null;
		const quote = engine.catalog.token(token.chainId, venue.quote.address);
		const entry: Entry = {};
		if (quote) this.#token(entry, quote.row);
		const price = engine.rows.quoteUSD[row]!;
		const reserve = engine.rows.reserveQuote[row]!;
		return {
			...entry,
			address: venue.quote.address,
			chainId: token.chainId,
			symbol: venue.quote.symbol,
			name: venue.quote.name,
			decimals: venue.quote.decimals,
			id: null,
			price,
			priceToken: 1 / (engine.rows.priceUSD[row]! / price),
			priceTokenString: plainDecimal(price / engine.rows.priceUSD[row]!),
			approximateReserveUSD: reserve * price,
			approximateReserveToken: reserve,
		};
	}

	#shared(entry: Entry, row: number, {profile}: Token, holders: number): void {
		entry['socials'] = {
			twitter: profile.twitter ?? null,
			website: profile.website ?? null,
			telegram: profile.telegram ?? null,
			others: profile.otherSocials ?? null,
			...(profile.uri ? {uri: profile.uri} : {}),
		};
		entry['security'] = profile.security ?? null;
		entry['twitterRenameHistory'] = (profile.twitterRenames ?? []).map(rename => ({
			username: rename.username,
			last_checked: iso(rename.lastCheckedMs),
		}));
		entry['holders_list'] = holders > 0 ? holdersList(this.#engine, row, holders) : [];
	}
}

/** A function that writes all fields which have a spelling in this place. */
function writer(engine: Engine, spellings: Spellings): Write {
	const writes: Write[] = [];
	for (const field of FIELDS) {
		const names = spellings(field);
		if (names.length === 0) continue;
		writes.push(field.kind === 'text' ? textWriter(engine, field, names) : numberWriter(engine, field, names));
	}
	return (entry, row) => {
		for (const write of writes) write(entry, row);
	};
}

function textWriter(engine: Engine, field: Field, names: readonly string[]): Write {
	return (entry, row) => {
		const value = engine.text(field.name as TextFieldName, row);
		for (const name of names) entry[name] = value;
	};
}

function numberWriter(engine: Engine, {name, kind, defaultsToZero}: Field, names: readonly string[]): Write {
	const read = engine.reader(name as NumericFieldName);
	const unknown = defaultsToZero ? 0 : null;
	return (entry, row) => {
		const number = read(row);
		const value = Number.isNaN(number)
			? unknown
			: kind === 'date'
				? iso(number)
				: kind === 'boolean'
					? number === 1
					: number;
		for (const spelling of names) entry[spelling] = value;
	};
}

function iso(timeMs: number): string | null {
	return timeMs > 0 ? new Date(timeMs).toISOString() : null;
}

/** A number without an exponent, with all the digits that it has. */
function plainDecimal(value: unknown): string {
	if (typeof value !== 'number' || !Number.isFinite(value)) return '0';
	const text = String(value);
	const e = text.indexOf('e-');
	return e < 0 ? text : value.toFixed(Math.min(100, Number(text.slice(e + 2)) + 16));
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
