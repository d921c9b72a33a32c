import {expect, test} from 'vitest';
import {DEFAULT_RISK_THRESHOLDS, worstRisk} from '../../../../source/monitor/tokens/risk.ts';
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

function worst(change: Figures, authorities: {mint?: boolean; freeze?: boolean} = {}) {
	const reported = Object.entries({...NOTHING, ...change}).filter(([, percent]) => percent !== undefined);
	return worstRisk(entryOf('a', Object.fromEntries(reported)), DEFAULT_RISK_THRESHOLDS, authorities);
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
	expect(worst({}, {mint: true})).toEqual({level: 'bad', what: 'mint'});
	expect(worst({dev_holdings_percentage: 14}, {freeze: true})).toEqual({level: 'bad', what: 'freeze'});
	expect(worst({dev_holdings_percentage: 15}, {mint: true})).toEqual({level: 'bad', what: 'mint'});
	expect(worst({dev_holdings_percentage: 16}, {mint: true})).toEqual({level: 'bad', what: 'dev', percent: 16});
	expect(worst({}, {mint: false, freeze: false})).toEqual({level: 'ok'});
});

test('a threshold of 0 makes every holding bad, none of them too', () => {
	const none = {warn: 0, bad: 0};
	const thresholds = {...DEFAULT_RISK_THRESHOLDS, dev: none, snipers: none};
	const entry = entryOf('a', {...NOTHING, snipers_holdings_percentage: 1});
	expect(worstRisk(entry, thresholds, {})).toEqual({level: 'bad', what: 'snipers', percent: 1});
});
