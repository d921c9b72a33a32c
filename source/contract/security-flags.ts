import type {SecurityFlags} from './entry.ts';

export type SecurityFlagName = keyof SecurityFlags;

/** One flag of the `security` object of an entry (contract gaps 2.1). Text flags hold figures such as `"5"` or `"5%"`. */
export interface SecurityFlag {
	readonly name: SecurityFlagName;
	readonly kind: 'boolean' | 'number' | 'text';
}

/** Every flag of `security`, in the order in which it is written and shown. */
export const SECURITY_FLAGS: readonly SecurityFlag[] = [
	{name: 'buyTax', kind: 'text'},
	{name: 'sellTax', kind: 'text'},
	{name: 'top10Holders', kind: 'text'},
	{name: 'locked', kind: 'text'},
	{name: 'lowLiquidity', kind: 'text'},
	{name: 'burnRate', kind: 'text'},
	{name: 'liquidityBurnPercentage', kind: 'number'},
	{name: 'transferPausable', kind: 'boolean'},
	{name: 'isBlacklisted', kind: 'boolean'},
	{name: 'noMintAuthority', kind: 'boolean'},
	{name: 'balanceMutable', kind: 'boolean'},
	{name: 'isHoneypot', kind: 'boolean'},
	{name: 'isNotOpenSource', kind: 'boolean'},
	{name: 'renounced', kind: 'boolean'},
	{name: 'isWhitelisted', kind: 'boolean'},
	{name: 'isMintable', kind: 'boolean'},
	{name: 'modifyableTax', kind: 'boolean'},
	{name: 'selfDestruct', kind: 'boolean'},
];

const BY_NAME: ReadonlyMap<string, SecurityFlag> = new Map(SECURITY_FLAGS.map(flag => [flag.name, flag]));

/** A tax as a service writes it: `5`, and up to one percent with its sign, since `0.5` alone may be a fraction of 1. @param percent 0 to 100 */
export function taxText(percent: number): string {
	return percent > 0 && percent <= 1 ? `${percent}%` : String(percent);
}

/** Limits for the tax of a token, in percent of a trade: `warn` and more is a warning, and more than `bad` is not bought. */
export const TAX_LIMITS = {warn: 10, bad: 25} as const;

/** The larger reading of a tax: `5` and `5%` are 5 %; `0.05` and `1` may be fractions of 1, so 5 % and 100 %. Undefined: not reported. */
export function taxPercent(text: string | undefined): number | undefined {
	const [, digits, sign] = /^(\d{1,6}(?:\.\d{1,18})?)\s*(%?)$/.exec(text?.trim() ?? '') ?? [];
	if (digits === undefined) return undefined;
	const value = Number(digits);
	const isFraction = value <= 1 && sign === '';
	return isFraction ? value * 100 : value;
}

export function findSecurityFlag(name: string): SecurityFlag | undefined {
	return BY_NAME.get(name);
}
