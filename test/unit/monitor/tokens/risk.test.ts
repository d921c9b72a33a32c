import {expect, test} from 'vitest';
import type {SecurityFlags} from '../../../../source/contract/entry.ts';
import {DEFAULT_RISK_THRESHOLDS, risksOf, worstRisk} from '../../../../source/monitor/tokens/risk.ts';
import {entryOf} from '../../../helpers/entries.ts';

/** Figures of an entry; undefined: not reported. */
type Figures = {readonly [K in keyof typeof NOTHING]?: number | undefined};

const NOTHING = {
	dev_holdings_percentage: 0,
	top_10_holdings_percentage: 0,
	snipers_holdings_percentage: 0,
	insiders_holdings_percentage: 0,
	bundlers_holdings_percentage: 0,
};

const NO_AUTHORITY: SecurityFlags = {isMintable: false, transferPausable: false};

/** Without a flag in `security`, no authority is left. */
function entryWith(change: Figures, security: SecurityFlags = {}) {
	const reported = Object.entries({...NOTHING, ...change}).filter(([, percent]) => percent !== undefined);
	return entryOf('a', {...Object.fromEntries(reported), security: {...NO_AUTHORITY, ...security}});
}

function worst(change: Figures, security?: SecurityFlags) {
	return worstRisk(entryWith(change, security), DEFAULT_RISK_THRESHOLDS);
}

test.each<readonly [Figures, unknown]>([
	[{}, {level: 'ok'}],
	[{dev_holdings_percentage: 4.99}, {level: 'ok'}],
	[{dev_holdings_percentage: 5}, {level: 'warn', what: 'dev', percent: 5}],
	[{dev_holdings_percentage: 14.99}, {level: 'warn', what: 'dev', percent: 14.99}],
	[{dev_holdings_percentage: 15}, {level: 'bad', what: 'dev', percent: 15}],
	// A warning says more than what is missing, and nothing reported is not fine.
	[{top_10_holdings_percentage: undefined}, {level: 'unknown'}],
	[
		{top_10_holdings_percentage: undefined, bundlers_holdings_percentage: 10},
		{level: 'warn', what: 'bundlers', percent: 10},
	],
	// Furthest over its own threshold: 20 of 15 before 60 of 50.
	[
		{dev_holdings_percentage: 20, top_10_holdings_percentage: 60},
		{level: 'bad', what: 'dev', percent: 20},
	],
	// What is bad goes before any warning.
	[
		{dev_holdings_percentage: 14, top_10_holdings_percentage: 50},
		{level: 'bad', what: 'top10', percent: 50},
	],
])('the worst risk of %j is %j', (change, expected) => {
	expect(worst(change)).toEqual(expected);
});

test('who may mint or freeze is bad, and gives way to a holding that is over its threshold', () => {
	expect(worst({}, {isMintable: true})).toEqual({level: 'bad', what: 'mint'});
	expect(worst({dev_holdings_percentage: 14}, {transferPausable: true})).toEqual({level: 'bad', what: 'freeze'});
	expect(worst({dev_holdings_percentage: 15}, {isMintable: true})).toEqual({level: 'bad', what: 'mint'});
	expect(worst({dev_holdings_percentage: 16}, {isMintable: true})).toEqual({level: 'bad', what: 'dev', percent: 16});
	expect(worst({}, {isMintable: false, transferPausable: false})).toEqual({level: 'ok'});
});

test.each<readonly [SecurityFlags, unknown]>([
	[{isMintable: false, transferPausable: false}, {level: 'ok'}],
	[{noMintAuthority: true, balanceMutable: false}, {level: 'ok'}],
	[{isMintable: false}, {level: 'unknown'}],
	[{noMintAuthority: true}, {level: 'unknown'}],
	[{transferPausable: false}, {level: 'unknown'}],
	[{isHoneypot: false, buyTax: '0', sellTax: '0'}, {level: 'unknown'}],
	[{}, {level: 'unknown'}],
	[{transferPausable: true}, {level: 'bad', what: 'freeze'}],
])('an authority that is not reported is not fine: %j is %j', (security, expected) => {
	expect(worstRisk(entryOf('a', {...NOTHING, security}), DEFAULT_RISK_THRESHOLDS)).toEqual(expected);
});

test('a threshold of 0 makes every holding bad, none of them too', () => {
	const none = {warn: 0, bad: 0};
	const thresholds = {...DEFAULT_RISK_THRESHOLDS, dev: none, snipers: none};
	const entry = entryWith({snipers_holdings_percentage: 1});
	expect(worstRisk(entry, thresholds)).toEqual({level: 'bad', what: 'snipers', percent: 1});
	expect(worstRisk(entryWith({dev_holdings_percentage: undefined}), {...DEFAULT_RISK_THRESHOLDS, dev: none})).toEqual({
		level: 'unknown',
	});
});

test('a token that cannot be sold goes before everything else', () => {
	const flags = {isHoneypot: true, isMintable: true, sellTax: '100%'};
	expect(worst({dev_holdings_percentage: 99}, flags)).toEqual({level: 'bad', what: 'honeypot'});
	expect(worst({}, {isHoneypot: false})).toEqual({level: 'ok'});
});

test.each<readonly [SecurityFlags, unknown]>([
	[{buyTax: '9.99', sellTax: '0'}, {level: 'ok'}],
	[{sellTax: '10'}, {level: 'warn', what: 'tax', percent: 10}],
	[
		{buyTax: '3', sellTax: '24.9%'},
		{level: 'warn', what: 'tax', percent: 24.9},
	],
	[
		{buyTax: '25%', sellTax: '3'},
		{level: 'bad', what: 'tax', percent: 25},
	],
	// A bare number up to 1 may be a part of 1.
	[{sellTax: '0.99'}, {level: 'bad', what: 'tax', percent: 99}],
	[{sellTax: '0.99%'}, {level: 'ok'}],
	// Not reported, or no figure: the holdings are said.
	[{}, {level: 'ok'}],
	[{sellTax: 'high'}, {level: 'ok'}],
])('the worst risk of a token with these taxes %j is %j', (security, expected) => {
	expect(worst({}, security)).toEqual(expected);
});

test('all risks of a token stand in order, the worst first', () => {
	const entry = entryWith(
		{dev_holdings_percentage: 6, top_10_holdings_percentage: 90},
		{isMintable: true, buyTax: '30'},
	);
	expect(risksOf(entry, DEFAULT_RISK_THRESHOLDS)).toEqual([
		{level: 'bad', what: 'top10', percent: 90},
		{level: 'bad', what: 'tax', percent: 30},
		{level: 'bad', what: 'mint'},
		{level: 'warn', what: 'dev', percent: 6},
	]);
});
