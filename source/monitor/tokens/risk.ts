import type {Entry} from '../../contract/entry.ts';
import type {HoldingFieldName} from '../../contract/fields.ts';
import {TAX_LIMITS, taxPercent} from '../../contract/security-flags.ts';

/** The five holdings that are shown as risks, in this order. */
export const RISKS = ['dev', 'top10', 'snipers', 'insiders', 'bundlers'] as const;
export type Risk = (typeof RISKS)[number];

export const RISK_FIELDS: Readonly<Record<Risk, HoldingFieldName>> = {
	dev: 'dev_holdings_percentage',
	top10: 'top_10_holdings_percentage',
	snipers: 'snipers_holdings_percentage',
	insiders: 'insiders_holdings_percentage',
	bundlers: 'bundlers_holdings_percentage',
};

/** Percentages of the supply: a holding from `warn` on is a warning, from `bad` on it is bad. */
export type RiskThresholds = Readonly<Record<Risk, {readonly warn: number; readonly bad: number}>>;

export const DEFAULT_RISK_THRESHOLDS: RiskThresholds = {
	dev: {warn: 5, bad: 15},
	top10: {warn: 30, bad: 50},
	snipers: {warn: 10, bad: 25},
	insiders: {warn: 5, bad: 15},
	bundlers: {warn: 10, bad: 25},
};

/** Unknown is a level of its own: an unreported figure is not safe. */
export type RiskLevel = 'unknown' | 'ok' | 'warn' | 'bad';

/** The level of a holding. @param percent of the supply */
export function riskLevel(
	percent: number | undefined,
	{warn, bad}: {readonly warn: number; readonly bad: number},
): RiskLevel {
	if (percent === undefined) return 'unknown';
	return percent >= bad ? 'bad' : percent >= warn ? 'warn' : 'ok';
}

/** The level of one risk of a token. */
export function riskOf(entry: Entry, risk: Risk, thresholds: RiskThresholds): RiskLevel {
	return riskLevel(entry[RISK_FIELDS[risk]], thresholds[risk]);
}

/** A risk that gets a mark. A holding is in percent of the supply, a tax in percent of a trade. */
export type FoundRisk =
	| {readonly level: 'bad'; readonly what: 'honeypot' | 'mint' | 'freeze' | 'spam'}
	| {readonly level: 'warn' | 'bad'; readonly what: Risk | 'tax'; readonly percent: number};

/** The worst that is known of a token's risks; `unknown` when no risk is found and a holding or an authority was not reported. */
export type WorstRisk = FoundRisk | {readonly level: 'ok' | 'unknown'};

/** The worst risk of a token. A honeypot, a tax and spam count where they are reported: most services say nothing of these. */
export function worstRisk(entry: Entry, thresholds: RiskThresholds): WorstRisk {
	const [worst] = risksOf(entry, thresholds);
	if (worst) return worst;
	const {mint, freeze} = authoritiesOf(entry);
	const isUnknown =
		mint === undefined || freeze === undefined || RISKS.some(what => riskOf(entry, what, thresholds) === 'unknown');
	return {level: isUnknown ? 'unknown' : 'ok'};
}

/**
 * The risks of a token that get a mark, the worst first: a honeypot, then bad ones, then warnings, each group by how far a figure
 * exceeds its threshold. Mint and freeze authorities and spam count as a figure right at the bad threshold.
 */
export function risksOf(entry: Entry, thresholds: RiskThresholds): readonly FoundRisk[] {
	const {mint, freeze} = authoritiesOf(entry);
	const found: {readonly risk: FoundRisk; readonly over: number}[] = [];
	if (entry.security?.isHoneypot) found.push({risk: {level: 'bad', what: 'honeypot'}, over: Number.POSITIVE_INFINITY});
	if (mint) found.push({risk: {level: 'bad', what: 'mint'}, over: 1});
	if (freeze) found.push({risk: {level: 'bad', what: 'freeze'}, over: 1});
	if (entry.is_spam) found.push({risk: {level: 'bad', what: 'spam'}, over: 1});
	for (const {what, percent, limits} of riskFigures(entry, thresholds)) {
		const level = riskLevel(percent, limits);
		if (percent === undefined || (level !== 'warn' && level !== 'bad')) continue;
		found.push({risk: {level, what, percent}, over: percent / Math.max(limits[level], Number.EPSILON)});
	}
	const isBad = ({risk}: (typeof found)[number]): number => Number(risk.level === 'bad');
	return found.toSorted((a, b) => isBad(b) - isBad(a) || b.over - a.over).map(({risk}) => risk);
}

/** A risk with a figure and its thresholds. */
export interface RiskFigure {
	readonly what: Risk | 'tax';
	/** Percent of the supply; for a tax, percent of a trade. Undefined: not reported. */
	readonly percent: number | undefined;
	readonly limits: RiskThresholds[Risk];
}

/** The holdings of a token, then its tax. */
export function riskFigures(entry: Entry, thresholds: RiskThresholds): readonly RiskFigure[] {
	return [
		...RISKS.map(what => ({what, percent: entry[RISK_FIELDS[what]], limits: thresholds[what]})),
		{what: 'tax', percent: taxOf(entry), limits: TAX_LIMITS},
	];
}

/** The higher tax of a token, in percent of a trade. */
function taxOf({security}: Entry): number | undefined {
	const taxes = [security?.buyTax, security?.sellTax].flatMap(text => taxPercent(text) ?? []);
	return taxes.length === 0 ? undefined : Math.max(...taxes);
}

/** Whether more of a token can be minted, and whether its transfers can be frozen; undefined where the service does not say. */
export function authoritiesOf({security}: Pick<Entry, 'security'>): {
	readonly mint: boolean | undefined;
	readonly freeze: boolean | undefined;
} {
	const {isMintable, noMintAuthority, transferPausable, balanceMutable} = security ?? {};
	return {
		mint: isMintable ?? (noMintAuthority == null ? undefined : !noMintAuthority),
		freeze: transferPausable || balanceMutable || (transferPausable ?? balanceMutable ?? undefined),
	};
}
