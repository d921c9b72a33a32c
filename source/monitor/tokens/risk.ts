import type {Entry} from '../../contract/entry.ts';
import type {HoldingFieldName} from '../../contract/fields.ts';

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

/** The worst that is known of a token's risks; `unknown` when nothing is bad and something was not reported. */
export type WorstRisk =
	| {readonly level: 'ok' | 'unknown'}
	| {readonly level: 'bad'; readonly what: 'mint' | 'freeze'}
	| {readonly level: 'warn' | 'bad'; readonly what: Risk; readonly percent: number};

/**
 * The worst risk of a token: the holding that is furthest over its threshold, a bad one before a warning. Who may mint or
 * freeze counts as a holding at its threshold; where it is not reported, the other risks are said.
 */
export function worstRisk(
	entry: Entry,
	thresholds: RiskThresholds,
	authorities: {readonly mint?: boolean | undefined; readonly freeze?: boolean | undefined},
): WorstRisk {
	const holdings = RISKS.map(what => {
		const level = riskOf(entry, what, thresholds);
		return {what, level, percent: entry[RISK_FIELDS[what]] ?? 0};
	});
	const overOf = (level: 'warn' | 'bad') =>
		holdings
			.filter(holding => holding.level === level)
			.map(({what, percent}) => ({
				level,
				what,
				percent,
				over: percent / Math.max(thresholds[what][level], Number.EPSILON),
			}))
			.toSorted((a, b) => b.over - a.over)[0];
	const bad = overOf('bad');
	const authority = authorities.mint ? 'mint' : authorities.freeze ? 'freeze' : undefined;
	if (authority !== undefined && !(bad && bad.over > 1)) return {level: 'bad', what: authority};
	const worst = bad ?? overOf('warn');
	if (worst) return {level: worst.level, what: worst.what, percent: worst.percent};
	return {level: holdings.some(({level}) => level === 'unknown') ? 'unknown' : 'ok'};
}
