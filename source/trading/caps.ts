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
}

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
	/** Every token with its own limit, or spent since yesterday. */
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

/** For tokens without their own limit, and for the coins that pay gas. */
const DEFAULTS: Readonly<Record<'token' | 'native', Limit>> = {
	token: {perTransaction: '1000', perDay: '5000'},
	native: {perTransaction: '0.01', perDay: '0.05'},
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
		file.limits[keyOf(chainId, token)] ?? DEFAULTS[token === 'native' ? 'native' : 'token'];

	function refusalIn(file: CapsFile, spend: Spend): string | undefined {
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
			const keys = new Set([...Object.keys(limits), ...spent.map(({key}) => key)]);
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
				const {id, chainId, token, amountRaw, decimals} = spend;
				const row = {id, key: keyOf(chainId, token), day: today(), amountRaw: String(amountRaw), decimals};
				return {...file, spent: [...file.spent.filter(other => other.id !== id), row]};
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
