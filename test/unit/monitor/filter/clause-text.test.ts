import {expect, test} from 'vitest';
import type {Entry} from '../../../../source/contract/entry.ts';
import {readEntry} from '../../../../source/contract/entry-reader.ts';
import {explain, matches} from '../../../../source/contract/filter.ts';
import {parseFilters} from '../../../../source/contract/filter-parse.ts';
import {describeActual, describeFailure} from '../../../../source/monitor/filter/clause-text.ts';
import {withViewOptions} from '../../../../source/monitor/filter/compile.ts';
import {parseFilterLine} from '../../../../source/monitor/filter/filter-line.ts';
import {entryOf} from '../../../helpers/entries.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

function filterOf(line: string) {
	const {filters, viewOptions, ...rest} = parseFilterLine(line);
	expect(rest, line).toMatchObject({ok: true});
	return parseFilters(withViewOptions(filters, viewOptions), {mode: 'asset'});
}

/** The only clause of a line, for a token. */
function clause(line: string, figures: Partial<Entry>) {
	return explain(filterOf(line), readEntry(entryOf('a', figures)), NOW_MS)[0]!;
}

const ageOf = (seconds: number): Partial<Entry> => ({created_at: NOW_MS - seconds * 1000});

test.each<readonly [string, Partial<Entry>, string]>([
	['mcap>5k', {market_cap: 4900}, 'mcap 4.9k ≤ 5k'],
	['mcap>=5k', {market_cap: 4900}, 'mcap 4.9k < 5k'],
	['mcap<5k', {market_cap: 6334}, 'mcap 6330 ≥ 5k'],
	['mcap<=5k', {market_cap: 6334}, 'mcap 6330 > 5k'],
	['mcap=5k', {market_cap: 4900}, 'mcap 4.9k ≠ 5k'],
	['mcap>5k', {}, 'mcap is not known'],
	['-mcap>5k', {market_cap: 6000}, 'mcap 6k > 5k'],
	// Rounded to three digits the value would be the limit.
	['mcap>5k', {market_cap: 4999.5}, 'mcap 4999.5 ≤ 5k'],
	['sym:PEPE', {symbol: 'DOG'}, 'sym is DOG'],
	['bonded', {bonded: false}, 'bonded is no'],
	['-bonded', {bonded: true}, 'bonded is yes'],
	['dev<5%', {dev_holdings_percentage: 12.345}, 'dev 12.3% ≥ 5%'],
	['age<10m', ageOf(754), 'age 12m ≥ 10m'],
	['age<10m', ageOf(119), 'age 119s ≥ 10m'],
	['age>10m', ageOf(119), 'age 119s ≤ 10m'],
	['age>10m', ageOf(120), 'age 2m ≤ 10m'],
	['age<10m', ageOf(2 * 3600 - 1), 'age 119m ≥ 10m'],
	['age<10m', ageOf(2 * 3600), 'age 2h ≥ 10m'],
	['age<10m', ageOf(2 * 86_400 - 1), 'age 47h ≥ 10m'],
	['age<10m', ageOf(2 * 86_400), 'age 2d ≥ 10m'],
	['created>2026-11-22', {created_at: NOW_MS}, 'created 2026-11-21T12:00Z < 2026-11-23T00:00Z'],
	['bondedat<2026-01-01', {bonded_at: NOW_MS + 61_000}, 'bondedat 2026-11-21T12:01:01Z ≥ 2026-01-01T00:00Z'],
])('%s fails for %j: %s', (line, figures, text) => {
	expect(describeFailure(clause(line, figures))).toBe(text);
});

test.each<readonly [string, Partial<Entry>, string]>([
	['mcap>5k', {market_cap: 6334}, 'mcap 6330'],
	['mcap>5k', {}, 'mcap not known'],
	['kw:elon', {symbol: 'ELON'}, '“ELON”'],
	['kw:elon', {symbol: 'DOG'}, 'none of the words is in it'],
	['created>2026-01-01', {created_at: Date.UTC(2026, 10, 21, 12)}, 'created 2026-11-21T12:00Z'],
])('%s of %j says: %s', (line, figures, text) => {
	expect(describeActual(clause(line, figures))).toBe(text);
});

const LINKS = {twitter: 'https://x.com/a', telegram: 'https://t.me/a', website: 'https://a.example'};
const TOKENS: readonly Partial<Entry>[] = Array.from({length: 8}, (_, bits) => ({
	...(bits & 1 && {twitter: LINKS.twitter}),
	...(bits & 2 && {telegram: LINKS.telegram}),
	...(bits & 4 && {website: LINKS.website}),
}));

test.each([
	['socials>=0', [0, 1, 2, 3]],
	['socials>=1', [1, 2, 3]],
	['socials>=2', [2, 3]],
	['socials>1', [2, 3]],
	['socials>=3', [3]],
	['socials=0', [0]],
	['socials:0,3', [0, 3]],
	['socials:1,2', [1, 2]],
	['socials<2', [0, 1]],
	['socials<=2', [0, 1, 2]],
	['-socials>=2', [0, 1]],
	['-socials:1', [0, 2, 3]],
])('%s takes the tokens with so many links: %j', (line, counts) => {
	const filter = filterOf(line);
	for (const token of TOKENS) {
		const count = Object.keys(token).length;
		expect(matches(filter, readEntry(entryOf('a', token)), NOW_MS), `${line} of ${count}`).toBe(counts.includes(count));
	}
});

test('chains and launchpads of a line hold for the rows here, too', () => {
	const on = (chainId: string, type: string) => readEntry(entryOf('0xabc', {type}, chainId));
	const filter = filterOf('chain:base,bnb type:clanker');
	expect(matches(filter, on('evm:56', 'clanker'), NOW_MS)).toBe(true);
	expect(matches(filter, on('evm:1', 'clanker'), NOW_MS)).toBe(false);
	expect(matches(filter, on('evm:56', 'zora'), NOW_MS)).toBe(false);
});

const BOTH = {market_cap: 10, holders_count: 10};

test.each<readonly [string, Partial<Entry>, boolean]>([
	// Two limits of one field share an object, a mode belongs to each alone.
	['mcap>5 mcap<20', BOTH, true],
	['mcap>5 mcap<9', BOTH, false],
	['mcap>5 mcap>20', BOTH, false],
	['mcap>20 mcap>5', BOTH, false],
	['sym~PE sym~PX', {symbol: 'PEPX'}, true],
	['sym~pe sym:PEPX', {symbol: 'PEPX'}, true],
	['sym~pe sym:"pepx"', {symbol: 'PEPX'}, true],
	['sym~pe sym~~pepx', {symbol: 'PEPX'}, false],
	['-(mcap>5 holders>20)', BOTH, true],
	['-(mcap>5 holders>5)', BOTH, false],
	['-(mcap>20) -(holders>20)', BOTH, true],
	['-(mcap>20) -(holders>5)', BOTH, false],
	['-(mcap>20 | holders>5)', BOTH, false],
	['(mcap>20 | holders>5) (mcap>5 | holders>20)', BOTH, true],
	['(mcap>20 | holders>20) (mcap>5 | holders>20)', BOTH, false],
	['-kw:dog -kw:cat', {symbol: 'CAT'}, false],
	['-kw:dog -kw:cat', {symbol: 'BIRD'}, true],
	['kw:dog kw:cat', {symbol: 'CAT'}, false],
	['kw:dog kw:cat', {symbol: 'CATDOG'}, true],
	['chain?:base', {}, false],
])('%s takes %j: %s', (line, figures, isTaken) => {
	expect(matches(filterOf(line), readEntry(entryOf('a', figures)), NOW_MS)).toBe(isTaken);
});
