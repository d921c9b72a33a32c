import * as z from 'zod';
import {once, patterned} from '../contract/schema.ts';
import {PulsetopError} from '../errors.ts';
import {LESS_OR_MORE} from './advice.ts';
import {formatUnits, parseUnits} from './decimal.ts';
import {readIfPresent, withFileLock, writePrivateFile} from './private-files.ts';

/** What a signature would let go of. */
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

/** What trades are counted under among the limits, in place of a chain and a token. */
export const TRADE_LEDGER = 'usd';
const TRADE_LEDGERS = {buy: 'buys', sell: 'sells'} as const;
/** Decimals of what is counted there. */
const USD_DECIMALS = 6;

/** Limits in whole units of a token, as decimal text: `"250.5"`. */
export interface Limit {
	readonly perTransaction: string;
	/** A UTC day. */
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
	/** Every token with its own limit, or spent since yesterday; the trades, as `usd` and `buys` or `sells`, always. */
	known(): readonly {readonly chainId: string; readonly token: string}[];
	limitOf(chainId: string, token: string): Limit;
	/** What was spent of a token in the UTC day, in raw units of these decimals. */
	spentToday(chainId: string, token: string, decimals: number): bigint;
	/** Says why a spend would pass a limit; undefined when it is within. Changes nothing. */
	refusal(spend: Spend): string | undefined;
	/** Counts a spend, durably, before its signature is made. @throws CapExceeded */
	reserve(spend: Spend): void;
	/** Removes a spend that certainly did not happen. */
	release(id: string): void;
	/**
	 * Changes a limit. Raising one asks `prove` first (for the passphrase); lowering one does not.
	 * @throws what `prove` throws
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
		spent: z.array(
			z.object({
				id: z.string(),
				key: z.string(),
				day: z.int(),
				amountRaw: patterned(/^\d+$/, 'be a whole number'),
				decimals: z.int().min(0).max(255),
			}),
		),
	}),
);

type CapsFile = z.output<ReturnType<typeof fileSchema>>;

/**
 * Spending limits, kept in a file and shared by all processes.
 * @param path the file
 * @param nowMs the clock that days are counted by
 */
export function openCaps(path: string, {nowMs = Date.now}: {nowMs?: () => number} = {}): Caps {
	const what = 'file of spending limits';
	const today = () => Math.floor(nowMs() / DAY_MS);

	function read(): CapsFile {
		const text = readIfPresent(path);
		if (text === undefined) return {version: 1, limits: {}, spent: []};
		try {
			return fileSchema().parse(JSON.parse(text));
		} catch {
			throw new CapsUnreadable('it is damaged; move it away to start again with the default limits');
		}
	}

	function change(work: (file: CapsFile) => CapsFile): void {
		withFileLock(path, what, () => {
			const file = work(read());
			const spent = file.spent.filter(({day}) => day >= today() - 1);
			writePrivateFile(path, `${JSON.stringify({...file, spent}, null, '\t')}\n`);
		});
	}

	const limitIn = (file: CapsFile, chainId: string, token: string): Limit =>
		file.limits[keyOf(chainId, token)] ?? defaultOf(chainId, token);

	function refusalIn(file: CapsFile, spend: Spend): string | undefined {
		if (spend.trade && spend.trade.usdMicro === undefined) return 'what this trade is worth is not known';
		for (const counted of countedOf(file, spend)) {
			const refusal = refusalOf(file, counted);
			if (refusal !== undefined) return refusal;
		}
		return undefined;
	}

	function refusalOf(file: CapsFile, spend: Counted): string | undefined {
		const {chainId, token, amountRaw, decimals, symbol} = spend;
		const limit = limitIn(file, chainId, token);
		const show = (raw: bigint) => `${formatUnits(raw, decimals)} ${symbol}`;
		const once_ = parseUnits(limit.perTransaction, decimals);
		if (amountRaw > once_) return `${show(amountRaw)} is more than ${show(once_)} for one transaction`;
		const daily = parseUnits(limit.perDay, decimals);
		const before = spentIn(file, keyOf(chainId, token), decimals, today(), spend.id);
		if (before + amountRaw <= daily) return undefined;
		return `${show(before)} of ${show(daily)} for this day are spent, ${show(amountRaw)} more would pass it`;
	}

	return {
		known() {
			const {limits, spent} = read();
			const trades = Object.values(TRADE_LEDGERS).map(ledger => keyOf(TRADE_LEDGER, ledger));
			const keys = new Set([...trades, ...Object.keys(limits), ...spent.map(({key}) => key)]);
			return [...keys].toSorted().map(key => {
				const at = key.lastIndexOf('|');
				return {chainId: key.slice(0, at), token: key.slice(at + 1)};
			});
		},
		limitOf: (chainId, token) => limitIn(read(), chainId, token),
		spentToday: (chainId, token, decimals) => spentIn(read(), keyOf(chainId, token), decimals, today()),
		refusal: spend => refusalIn(read(), spend),
		reserve(spend) {
			change(file => {
				const refusal = refusalIn(file, spend);
				if (refusal !== undefined) throw new CapExceeded(refusal);
				const rows = countedOf(file, spend).map(({id, chainId, token, amountRaw, decimals}) => ({
					id,
					key: keyOf(chainId, token),
					day: today(),
					amountRaw: String(amountRaw),
					decimals,
				}));
				return {...file, spent: [...file.spent.filter(({id}) => id !== spend.id), ...rows]};
			});
		},
		release(id) {
			change(file => ({...file, spent: file.spent.filter(other => other.id !== id)}));
		},
		async setLimit(chainId, token, limit, prove) {
			const requested = limitSchema().parse(limit);
			const now = limitIn(read(), chainId, token);
			if (isMore(requested.perTransaction, now.perTransaction) || isMore(requested.perDay, now.perDay)) await prove();
			change(file => ({...file, limits: {...file.limits, [keyOf(chainId, token)]: requested}}));
		},
	};
}

type Counted = Omit<Spend, 'trade'>;

/**
 * What a spend is counted as: its token in units, and a trade in dollars. A launch that is sold has no limit in units of its
 * own accord, since it is held by the million; one that was set for it holds.
 */
function countedOf({limits}: CapsFile, {trade, ...spend}: Spend): readonly Counted[] {
	if (trade?.usdMicro === undefined) return [spend];
	const usd = {
		id: spend.id,
		chainId: TRADE_LEDGER,
		token: TRADE_LEDGERS[trade.side],
		symbol: `USD of ${TRADE_LEDGERS[trade.side]}`,
		amountRaw: trade.usdMicro,
		decimals: USD_DECIMALS,
	};
	const isLimited = trade.side === 'buy' || limits[keyOf(spend.chainId, spend.token)] !== undefined;
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
function spentIn(file: CapsFile, key: string, decimals: number, day: number, except?: string): bigint {
	return file.spent
		.filter(row => row.key === key && row.day === day && row.id !== except)
		.reduce((sum, row) => sum + rescale(BigInt(row.amountRaw), row.decimals, decimals), 0n);
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
