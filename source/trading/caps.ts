import * as z from 'zod';
import {once, patterned} from '../contract/schema.ts';
import {PulsetopError} from '../errors.ts';
import {laterWords, readState} from '../state-file.ts';
import {LESS_OR_MORE} from './advice.ts';
import {formatUnits, parseUnits} from './decimal.ts';
import type {Journal, JournalRecord} from './journal.ts';
import {withFileLock, writePrivateFile} from './private-files.ts';

/** The amount that a signature would spend. */
export interface Spend {
	/** The same for every attempt of one action (an intent's id), which counts once. */
	readonly id: string;
	readonly chainId: string;
	/** Address of the token; `native` for the coin of the chain. */
	readonly token: string;
	readonly symbol: string;
	readonly amountRaw: bigint;
	readonly decimals: number;
	/** A trade counts in dollars too, buys and sells apart. */
	readonly trade?: TradeSpend;
}

/** The value of a trade. */
export interface TradeSpend {
	readonly side: 'buy' | 'sell';
	/** Micro-USD, by the higher of the known prices; undefined where none is known, which is refused. */
	readonly usdMicro?: bigint;
}

/** The key of trades among the limits, in place of a chain and a token. */
export const TRADE_LEDGER = 'usd';
const TRADE_LEDGERS = {buy: 'buys', sell: 'sells'} as const;
/** Decimals of the dollars counted there. */
const USD_DECIMALS = 6;

/** Limits in whole units of a token, as decimal text: `"250.5"`. */
export interface Limit {
	readonly perTransaction: string;
	/** The 24 hours before now. */
	readonly perDay: string;
}

/** More than the person allowed. */
export class CapExceeded extends PulsetopError {
	readonly code = 'cap-exceeded';

	constructor(why: string) {
		super('This is more than your own limit allows', {why, next: 'fix-input', advice: LESS_OR_MORE});
	}
}

/** The file of limits is damaged: nothing is signed until the file is repaired or moved away. */
class CapsUnreadable extends PulsetopError {
	readonly code = 'caps-unreadable';

	constructor(why: string) {
		super('The file of spending limits cannot be read', {
			why,
			next: 'fix-input',
			advice: 'pulsetop wallet limits sets them again once it is away.',
		});
	}
}

export interface Caps {
	/** Every token with its own limit, or spent in the last 24 hours; the trades, as `usd` and `buys` or `sells`, always. */
	known(): readonly {readonly chainId: string; readonly token: string}[];
	/** The limit in force; `isLowest`: the file differs from the last limit that was set, so the lowest one holds until the next is set. */
	limitOf(chainId: string, token: string): Limit & {readonly isLowest?: true};
	/** The amount of a token spent in the last 24 hours, in raw units of these decimals. */
	spentToday(chainId: string, token: string, decimals: number): bigint;
	/** Says why a spend would pass a limit; undefined when it is within. Changes nothing. */
	refusal(spend: Spend): string | undefined;
	/** Counts a spend in the journal, before its signature is made. @throws CapExceeded */
	reserve(spend: Spend): void;
	/** Removes a spend that certainly did not happen. */
	release(id: string): void;
	/**
	 * Changes a limit. Raising one asks `prove` first (for the passphrase); lowering one does not.
	 * @throws the errors of `prove`
	 */
	setLimit(chainId: string, token: string, limit: Limit, prove: () => Promise<void>): Promise<void>;
}

/** For tokens without their own limit, for the coins that pay gas, and for trades in dollars. */
const DEFAULTS: Readonly<Record<'token' | 'native' | 'buys' | 'sells', Limit>> = {
	token: {perTransaction: '1000', perDay: '5000'},
	native: {perTransaction: '0.01', perDay: '0.05'},
	buys: {perTransaction: '200', perDay: '1000'},
	sells: {perTransaction: '5000', perDay: '5000'},
};

const DAY_MS = 86_400_000;

const limitSchema = once(() => {
	const amount = patterned(/^\d{1,30}(\.\d{1,30})?$/, 'be a decimal number as text');
	return z.object({perTransaction: amount, perDay: amount});
});

const fileSchema = once(() =>
	z.object({
		version: z.literal(1),
		/** By `<chainId>|<token>` in lower case. */
		limits: z.record(z.string(), limitSchema()),
		/** The amounts that earlier versions counted here, by UTC day; the journal has them now. */
		spent: z
			.array(
				z.object({
					id: z.string(),
					key: z.string(),
					day: z.int(),
					amountRaw: patterned(/^\d+$/, 'be a whole number'),
					decimals: z.int().min(0).max(255),
				}),
			)
			.default([]),
	}),
);

type CapsFile = z.output<ReturnType<typeof fileSchema>>;

/** File and journal, read together. */
interface Ledger {
	readonly file: CapsFile;
	/** The limits set for each token, oldest first. */
	readonly set: ReadonlyMap<string, readonly Limit[]>;
	/** The limits and spends that count now. */
	readonly spent: readonly Row[];
}

/** An amount that counts under one key. */
interface Row {
	readonly id: string;
	readonly key: string;
	readonly amountRaw: bigint;
	readonly decimals: number;
}

const LOWEST = 'the file of limits is missing or was changed, so the lowest one holds until it is set again';

/**
 * Spending limits. The limits are in a file, their changes and the spends in the journal: so a file that was deleted, changed or
 * replaced gives no higher limit and forgets nothing.
 * @param path the file
 * @param nowMs the clock that the 24 hours are counted by
 */
export function openCaps(
	path: string,
	{journal, nowMs = Date.now}: {readonly journal: Journal; readonly nowMs?: () => number},
): Caps {
	const what = 'file of spending limits';

	function readFile(): CapsFile {
		const found = readState(path);
		if (found.kind === 'missing') return {version: 1, limits: {}, spent: []};
		if (found.kind === 'later') throw new CapsUnreadable(laterWords(path, found.version));
		const read = found.kind === 'read' ? fileSchema().safeParse(found.document) : undefined;
		if (read?.success) return read.data;
		const why = found.kind === 'damaged' ? found.why : 'it was changed by hand';
		throw new CapsUnreadable(`it is damaged: ${why}; move it away to start again with the lowest limits`);
	}

	const read = (records = journal.records()): Ledger => ledgerOf(readFile(), records, nowMs());

	function refusalIn(ledger: Ledger, spend: Spend): string | undefined {
		if (spend.trade && spend.trade.usdMicro === undefined) return 'what this trade is worth is not known';
		for (const counted of countedOf(ledger, spend)) {
			const refusal = refusalOf(ledger, counted);
			if (refusal !== undefined) return refusal;
		}
		return undefined;
	}

	function refusalOf(ledger: Ledger, spend: Counted): string | undefined {
		const {chainId, token, amountRaw, decimals, symbol} = spend;
		const limit = limitIn(ledger, chainId, token);
		const why = limit.isLowest ? `; ${LOWEST}` : '';
		const show = (raw: bigint) => `${formatUnits(raw, decimals)} ${symbol}`;
		const once_ = parseUnits(limit.perTransaction, decimals);
		if (amountRaw > once_) return `${show(amountRaw)} is more than ${show(once_)} for one transaction${why}`;
		const daily = parseUnits(limit.perDay, decimals);
		const before = spentIn(ledger, keyOf(chainId, token), decimals, spend.id);
		if (before + amountRaw <= daily) return undefined;
		return `${show(before)} of ${show(daily)} for 24 hours are spent, ${show(amountRaw)} more would pass it${why}`;
	}

	return {
		known() {
			const {file, spent} = read();
			const trades = Object.values(TRADE_LEDGERS).map(ledger => keyOf(TRADE_LEDGER, ledger));
			const keys = new Set([...trades, ...Object.keys(file.limits), ...spent.map(({key}) => key)]);
			return [...keys].toSorted().map(key => {
				const at = key.lastIndexOf('|');
				return {chainId: key.slice(0, at), token: key.slice(at + 1)};
			});
		},
		limitOf: (chainId, token) => limitIn(read(), chainId, token),
		spentToday: (chainId, token, decimals) => spentIn(read(), keyOf(chainId, token), decimals),
		refusal: spend => refusalIn(read(), spend),
		reserve(spend) {
			const {id, trade, amountRaw, ...what} = spend;
			const dollars = trade && {side: trade.side, usdMicro: String(trade.usdMicro)};
			let refusal: string | undefined;
			// Under the lock of the journal: of two processes one sees the spends of the other.
			journal.claim('limit.counted', id, {...what, amountRaw: String(amountRaw), ...dollars}, records => {
				refusal = refusalIn(read(records), spend);
				return refusal === undefined;
			});
			if (refusal !== undefined) throw new CapExceeded(refusal);
		},
		release(id) {
			journal.claim('limit.released', id, {}, records => read(records).spent.some(row => row.id === id));
		},
		async setLimit(chainId, token, limit, prove) {
			const requested = limitSchema().parse(limit);
			const now = limitIn(read(), chainId, token);
			if (isMore(requested.perTransaction, now.perTransaction) || isMore(requested.perDay, now.perDay)) await prove();
			const key = keyOf(chainId, token);
			withFileLock(path, what, () => {
				const file = readFile();
				writePrivateFile(
					path,
					`${JSON.stringify({...file, limits: {...file.limits, [key]: requested}}, null, '\t')}\n`,
				);
				journal.append('limit.changed', key, requested);
			});
		},
	};
}

/** The limits and spends of the journal, and of the file of an earlier version. */
function ledgerOf(file: CapsFile, records: readonly JournalRecord[], nowMs: number): Ledger {
	const set = new Map<string, readonly Limit[]>();
	const spends = new Map<string, {readonly spend: Spend; readonly atMs: number}>();
	const released = new Set<string>();
	// A spend after the clock was set back is no older than the spends before it.
	let latestMs = 0;
	for (const {kind, id, data, atMs} of records) {
		if (kind === 'limit.changed') set.set(id, [...(set.get(id) ?? []), limitSchema().parse(data)]);
		else if (kind === 'limit.released') {
			spends.delete(id);
			released.add(id);
		} else if (kind === 'limit.counted') {
			latestMs = Math.max(latestMs, atMs);
			spends.set(id, {spend: spendOf(id, data), atMs: latestMs});
		}
	}
	// A spend with a time in the future counts: the clock was set back since.
	const counts = ({atMs}: {readonly atMs: number}) => nowMs - atMs < DAY_MS;
	const earlier = file.spent
		.filter(({id, day}) => !released.has(id) && !spends.has(id) && counts({atMs: (day + 1) * DAY_MS}))
		.map(row => ({...row, amountRaw: BigInt(row.amountRaw)}));
	const now = [...spends.values()].filter(counts).flatMap(({spend}) => countedOf({file, set}, spend));
	const rows = now.map(({id, chainId, token, amountRaw, decimals}) => ({
		id,
		key: keyOf(chainId, token),
		amountRaw,
		decimals,
	}));
	return {file, set, spent: [...earlier, ...rows]};
}

function spendOf(id: string, data: JournalRecord['data']): Spend {
	const {amountRaw, side, usdMicro, ...rest} = data as Omit<Spend, 'amountRaw'> & {
		readonly amountRaw: string;
		readonly side?: TradeSpend['side'];
		readonly usdMicro?: string;
	};
	const trade = side !== undefined && usdMicro !== undefined && {trade: {side, usdMicro: BigInt(usdMicro)}};
	return {...rest, id, amountRaw: BigInt(amountRaw), ...trade};
}

/** The limit in force: the last one that was set, if the file says the same; else the lowest known one. */
function limitIn({file, set}: Pick<Ledger, 'file' | 'set'>, chainId: string, token: string): Limit & {isLowest?: true} {
	const key = keyOf(chainId, token);
	const byDefault = defaultOf(chainId, token);
	const filed = file.limits[key];
	const known = set.get(key) ?? [];
	const last = known.at(-1);
	if (filed?.perTransaction === last?.perTransaction && filed?.perDay === last?.perDay) return filed ?? byDefault;
	const all = [byDefault, ...known, ...(filed ? [filed] : [])];
	const lowest = (of: keyof Limit) => all.map(limit => limit[of]).reduce((a, b) => (isMore(a, b) ? b : a));
	return {perTransaction: lowest('perTransaction'), perDay: lowest('perDay'), isLowest: true};
}

type Counted = Omit<Spend, 'trade'>;

/**
 * How a spend is counted: its token in units, and a trade in dollars. A launch that is sold has no limit in units of its
 * own accord, since it is held by the million; one that was set for it holds.
 */
function countedOf({file, set}: Pick<Ledger, 'file' | 'set'>, {trade, ...spend}: Spend): readonly Counted[] {
	if (trade?.usdMicro === undefined) return [spend];
	const usd = {
		id: spend.id,
		chainId: TRADE_LEDGER,
		token: TRADE_LEDGERS[trade.side],
		symbol: `USD of ${TRADE_LEDGERS[trade.side]}`,
		amountRaw: trade.usdMicro,
		decimals: USD_DECIMALS,
	};
	const key = keyOf(spend.chainId, spend.token);
	const isLimited = trade.side === 'buy' || file.limits[key] !== undefined || set.has(key);
	return isLimited ? [spend, usd] : [usd];
}

function defaultOf(chainId: string, token: string): Limit {
	if (chainId === TRADE_LEDGER) return DEFAULTS[token === TRADE_LEDGERS.sell ? 'sells' : 'buys'];
	return DEFAULTS[token === 'native' ? 'native' : 'token'];
}

function keyOf(chainId: string, token: string): string {
	return `${chainId}|${token.toLowerCase()}`;
}

/** @param except an id that is not counted, because it is about to be counted again */
function spentIn({spent}: Ledger, key: string, decimals: number, except?: string): bigint {
	return spent
		.filter(row => row.key === key && row.id !== except)
		.reduce((sum, row) => sum + rescale(row.amountRaw, row.decimals, decimals), 0n);
}

/** The same amount in units of other decimals; a remainder rounds up. */
function rescale(raw: bigint, from: number, to: number): bigint {
	if (to >= from) return raw * 10n ** BigInt(to - from);
	const step = 10n ** BigInt(from - to);
	return (raw + step - 1n) / step;
}

function isMore(a: string, b: string): boolean {
	return parseUnits(a, 30) > parseUnits(b, 30);
}
