import type {BooleanFieldName, DateFieldName, NumberFieldName, TextFieldName} from './fields.ts';

/**
 * A pulse entry as the program holds it: one spelling for each thing, whatever the wire used (contract gaps 2 and 10).
 * A missing field is UNKNOWN, which is not 0: a figure that was not reported is `undefined`.
 * Dates are Unix milliseconds, percents run from 0 to 100, text is clean (see text.ts).
 */
export type Entry = EntryIdentity &
	EntryDetails & {readonly [name in NumberFieldName | DateFieldName]?: number} & {
		readonly [name in BooleanFieldName]?: boolean;
	} & {readonly [name in Exclude<TextFieldName, 'address' | 'chain_id'>]?: string};

export interface EntryIdentity {
	/** `<chainId>|<address>`; EVM addresses in lower case. Selection, pins and merges use this key. */
	readonly key: string;
	readonly chain_id: string;
	/** The token's address as the service wrote it. */
	readonly address: string;
}

export interface EntryDetails {
	readonly exchange?: {readonly name?: string; readonly logo?: string};
	/**
	 * The price and the figures computed from it are the average of the newest trade: the chain says no price of the pool after the
	 * trade. Absent: the price is the pool's, or the service does not say.
	 */
	readonly priceIsAverage?: true;
	/** Links beyond twitter, website and telegram. */
	readonly otherSocials?: Readonly<Record<string, string>>;
	readonly security?: SecurityFlags;
	readonly twitterRenames?: readonly {readonly username: string; readonly lastChecked: string}[];
	readonly holders?: readonly Holder[];
}

/** Every flag optional: not reported is not "safe" (contract gaps 2.1). */
export interface SecurityFlags {
	readonly buyTax?: string;
	readonly sellTax?: string;
	readonly top10Holders?: string;
	readonly locked?: string;
	readonly lowLiquidity?: string;
	readonly burnRate?: string;
	readonly liquidityBurnPercentage?: number;
	readonly transferPausable?: boolean;
	readonly isBlacklisted?: boolean;
	readonly noMintAuthority?: boolean;
	readonly balanceMutable?: boolean;
	readonly isHoneypot?: boolean;
	readonly isNotOpenSource?: boolean;
	readonly renounced?: boolean;
	readonly isWhitelisted?: boolean;
	readonly isMintable?: boolean;
	/** The wire's spelling. */
	readonly modifyableTax?: boolean;
	readonly selfDestruct?: boolean;
}

/** The figures of a holder: amounts of the token, and US dollars. */
export const HOLDER_FIGURES = [
	'balance',
	'balanceUSD',
	'boughtAmount',
	'boughtAmountUSD',
	'soldAmount',
	'soldAmountUSD',
	'realizedPnlUSD',
	'unrealizedPnlUSD',
] as const;

/** One holder of a token. A figure that the service does not report is left out. */
export interface Holder extends Partial<Readonly<Record<(typeof HOLDER_FIGURES)[number], number>>> {
	readonly address: string;
	readonly tags: readonly string[];
}

/** The identity of a token across views, frames and chains. EVM addresses compare without regard to case. */
export function entryKey(chainId: string, address: string): string {
	return `${chainId}|${chainId.startsWith('evm:') ? address.toLowerCase() : address}`;
}

/** The chain of an `entryKey`. */
export function chainOfKey(key: string): string {
	return key.slice(0, key.indexOf('|'));
}

/** The address of an `entryKey`: of an EVM chain in lower case. */
export function addressOfKey(key: string): string {
	return key.slice(key.indexOf('|') + 1);
}
