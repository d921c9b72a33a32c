import {expect, test} from 'vitest';
import {ROW_FIELD_NAMES} from '../../../../source/monitor/columns/row-fields.ts';
import {VIEWS, type ViewName} from '../../../../source/monitor/views.ts';
import {cellWidth} from '../../../../source/text.ts';
import {headerLine, layoutCells} from '../../../../source/ui/cell-layout.ts';
import {THEMES} from '../../../../source/ui/theme.ts';
import {spansWidth} from '../../../../source/ui/view-model.ts';
import {cellSpans, cellsText} from '../../../helpers/drawn-rows.tsx';
import {entryOf} from '../../../helpers/entries.ts';
import {fc} from '../../../helpers/properties.ts';

const NOW_MS = 1_000_000;

const shown = (view: ViewName, width: number, lines: 1 | 2 | 3): ReadonlySet<string> =>
	new Set(
		layoutCells(view, width, lines)
			.flat()
			.map(({cell}) => cell.id),
	);

/** The order in which figures drop as a column gets narrower: stated here, so that a change of it is a decision. */
test.each([
	['new', 39, 1, ['mark symbol chain age mcap change risk']],
	['new', 66, 1, ['mark symbol chain name age mcap change volume bar risk']],
	['new', 80, 1, ['mark symbol chain name age mcap change volume holders bar risk']],
	[
		'bonding',
		130,
		1,
		['mark symbol chain name age mcap change volume liquidity holders trades bar risk source socials fees trail'],
	],
	['new', 39, 2, ['mark symbol chain age mcap change risk', 'mark volume holders trades bar']],
	[
		'new',
		52,
		2,
		['mark symbol chain name age mcap change risk', 'mark volume liquidity holders trades bar socials fees'],
	],
	[
		'bonding',
		66,
		2,
		['mark symbol chain name age mcap change risk', 'mark volume liquidity holders trades bar source socials fees'],
	],
	[
		'new',
		79,
		2,
		[
			'mark symbol chain name age mcap change risk risks',
			'mark volume liquidity holders trades bar source socials fees trail',
		],
	],
	['bonded', 39, 2, ['mark symbol chain since mcap change risk', 'mark volume liquidity holders trades fees']],
	[
		'new',
		39,
		3,
		[
			'mark symbol chain age mcap change risk',
			'mark volume holders trades bar',
			'mark name liquidity source socials fees',
		],
	],
] as const)('a %s row of %d cells and %d lines shows %j', (view, width, lines, expected) => {
	expect(layoutCells(view, width, lines).map(line => line.map(({cell}) => cell.id).join(' '))).toEqual(expected);
});

test('the chain is shown at every width, with every number of lines and any choice of fields; so is the worst risk by default', () => {
	for (const view of VIEWS) {
		for (const lines of [1, 2, 3] as const) {
			for (let width = 39; width < 200; width++) {
				expect(shown(view, width, lines)).toContain('chain');
				expect(shown(view, width, lines)).toContain('risk');
				const chosen = layoutCells(view, width, lines, ['buyers5m', 'mcap']).flat();
				expect(chosen.filter(({cell}) => cell.id === 'chain')).toHaveLength(1);
			}
		}
	}
});

test('the bonding bar never has more than five cells, and the name gets room before it is given away', () => {
	for (let width = 39; width < 250; width++) {
		for (const {cell, width: cells} of layoutCells('bonding', width, 2).flat()) {
			if (cell.id === 'bar') expect(cells).toBe(' 43% ━━━──'.length);
		}
	}
	const name = layoutCells('bonding', 79, 2)[0]!.find(({cell}) => cell.id === 'name');
	expect(name!.width).toBeGreaterThanOrEqual(15);
});

test('a bonded token has no bonding bar, and says how long ago it bonded', () => {
	expect(shown('bonded', 200, 1)).not.toContain('bar');
	const entry = entryOf('a', {created_at: NOW_MS - 3_600_000, bonded_at: NOW_MS - 12_000});
	const since = layoutCells('bonded', 39, 1)[0]!.filter(({cell}) => cell.id === 'since');
	expect(cellsText(since, entry, {sinceBonded: '12s'}).trim()).toBe('12s');
	expect(cellsText(since, entryOf('b')).trim()).toBe('–');
});

test('what is shown at a width is shown at every greater one', () => {
	for (const view of VIEWS) {
		for (const lines of [1, 2, 3] as const) {
			for (let width = 39; width < 200; width++) {
				const wider = shown(view, width + 1, lines);
				for (const id of shown(view, width, lines)) expect(wider, `${view} ${lines} ${width}`).toContain(id);
			}
		}
	}
});

test('at one width more lines never show less', () => {
	for (const view of VIEWS) {
		for (let width = 39; width < 200; width++) {
			for (const id of shown(view, width, 1)) expect(shown(view, width, 2), `${view} ${width}`).toContain(id);
		}
	}
});

test('unknown risk figures and rights to mint or freeze are marked as unknown', () => {
	const [line] = layoutCells('new', 80, 1, ['risks', 'authority']);
	const cells = line!.filter(({cell}) => cell.id === 'risks' || cell.id === 'authority');
	const entry = entryOf('a', {
		dev_holdings_percentage: 3,
		top_10_holdings_percentage: 31.4,
		bundlers_holdings_percentage: 27,
	});
	expect(cellsText(cells, entry)).toBe('  3  31+  ?   ?  27! ??');
	const secured = {...entry, security: {isMintable: true, transferPausable: false}} as typeof entry;
	expect(cellsText(cells.slice(1), secured)).toBe('M·');
});

test('a line never takes more than its width, with any name of the token', () => {
	const token = fc.record({
		symbol: fc.option(fc.string({unit: 'grapheme'}), {nil: undefined}),
		name: fc.option(fc.string({unit: 'grapheme'}), {nil: undefined}),
		market_cap: fc.option(fc.double({noNaN: true}), {nil: undefined}),
		bonding_percentage: fc.option(fc.double({noNaN: true}), {nil: undefined}),
		buys_1h: fc.option(fc.nat(), {nil: undefined}),
		sells_1h: fc.option(fc.double({noNaN: true, min: 0}), {nil: undefined}),
		holders_count: fc.option(fc.nat(), {nil: undefined}),
		price_change_1h: fc.option(fc.double({noNaN: true}), {nil: undefined}),
		dev_holdings_percentage: fc.option(fc.double({noNaN: true}), {nil: undefined}),
	});
	fc.assert(
		fc.property(
			token,
			fc.integer({min: 39, max: 200}),
			fc.constantFrom(...VIEWS),
			fc.constantFrom(1 as const, 2 as const, 3 as const),
			(figures, width, view, lines) => {
				const known = Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined));
				for (const cells of layoutCells(view, width, lines)) {
					const spans = cellSpans(cells, {entry: entryOf('a', known)});
					expect(spansWidth(spans)).toBe(
						cells.reduce((sum, c, at) => sum + c.width + (at > 0 && cells[at - 1]!.cell.id !== 'mark' ? 1 : 0), 0),
					);
					expect(spansWidth(spans)).toBeLessThanOrEqual(width);
				}
			},
		),
	);
});

/** Chosen fields stand in their order, and the last drop first: stated here for the widths that terminals have. */
test.each([
	[39, 1, ['mark symbol chain mcap buyers5m age']],
	[50, 1, ['mark symbol chain mcap buyers5m age top10']],
	[60, 1, ['mark symbol chain mcap buyers5m age top10 bar']],
	[80, 1, ['mark symbol chain mcap buyers5m age top10 bar name price']],
	[39, 2, ['mark symbol chain mcap buyers5m age', 'mark top10 bar name price']],
	[39, 3, ['mark symbol chain mcap buyers5m age', 'mark top10 bar name price', 'mark']],
] as const)('at %d cells and %d lines the chosen figures are shown as %j', (width, lines, shown) => {
	const fields = ['mcap', 'buyers5m', 'age', 'top10', 'bar', 'name', 'price'];
	expect(layoutCells('bonded', width, lines, fields).map(line => line.map(({cell}) => cell.id).join(' '))).toEqual(
		shown,
	);
});

test('chosen figures fit their width in any order, with headings above them', () => {
	const fields = fc.uniqueArray(fc.constantFrom(...ROW_FIELD_NAMES), {minLength: 1, maxLength: 12});
	const figures = {market_cap: 1e9, ath: 1.234e-9, created_at: 1, buyers_5min: 5, top_10_holdings_percentage: 12.34};
	fc.assert(
		fc.property(
			fields,
			fc.integer({min: 39, max: 200}),
			fc.constantFrom(1 as const, 2 as const, 3 as const),
			(names, width, lines) => {
				for (const cells of layoutCells('new', width, lines, names)) {
					const painted = spansWidth(cellSpans(cells, {entry: entryOf('a', figures)}));
					expect(painted).toBeLessThanOrEqual(width);
					expect(cellWidth(headerLine(cells, '1h'))).toBe(painted);
				}
			},
		),
	);
});

test('a figure of any field is written as its kind is', () => {
	const fields = ['buyers5m', 'top10', 'chg24h', 'price', 'lasttrade', 'migrating', 'ovol1h'];
	const entry = entryOf('a', {
		buyers_5min: 12_345,
		top_10_holdings_percentage: 12.34,
		price_change_24h: -5.55,
		latest_price: 0.0000012345,
		latest_trade_date: NOW_MS - 90_000,
		migrating: false,
	});
	const text = cellsText(layoutCells('new', 120, 1, fields)[0]!, entry, {serviceMs: NOW_MS});
	expect(text.trim().split(/ +/)).toEqual(['–', 'SOL', '12.3K', '12%', '-5.5%', '$0.0₅1234', '1m', 'no', '–']);
});

test('the price of the last minutes is a line that rises or falls, and a dash where there is none', () => {
	const [cells] = layoutCells('new', 120, 1, ['trail']);
	const entry = entryOf('a', {latest_price: 3});
	const line = cells!.filter(({cell}) => cell.id === 'trail');
	const shown = (trail: readonly number[] | undefined) => cellSpans(line, {entry}, {trail});
	expect(shown(undefined)[0]!.text.trim()).toBe('–');
	const [rising] = shown([1, 2]);
	expect(rising).toEqual({text: expect.stringMatching(/^[\u2800-\u28ff]+$/), style: THEMES.dark.tones.up});
	expect(cellWidth(rising!.text)).toBe(line[0]!.width);
	expect(shown([5, 4])[0]!.style).toBe(THEMES.dark.tones.down);
});

test('the line of the price has the room that others leave, at 79 cells and two lines', () => {
	for (const view of VIEWS) expect(shown(view, 66, 2)).not.toContain('trail');
	for (const view of VIEWS) expect(shown(view, 79, 2)).toContain('trail');
});

test('headers stand above their cells', () => {
	for (const view of VIEWS) {
		const cells = layoutCells(view, 120, 1)[0]!;
		expect(cellWidth(headerLine(cells, '1h'))).toBe(spansWidth(cellSpans(cells, {entry: entryOf('a')})));
	}
});

test.each([
	[{dev_holdings_percentage: 0, top_10_holdings_percentage: 35, snipers_holdings_percentage: 40}, 'sni40!', 'sni 40!'],
	[{top_10_holdings_percentage: 31.4}, 'top31+', 'top 31+'],
	[{dev_holdings_percentage: 100}, 'de100!', 'dev100!'],
	[{dev_holdings_percentage: 7}, 'dev 7+', 'dev 7+ '],
	[{security: {isMintable: true}}, 'mint! ', 'mint!  '],
	[{security: {transferPausable: true}}, 'frz!  ', 'frz!   '],
	[{security: {isHoneypot: true}}, 'honey!', 'honey! '],
	[{is_spam: true, dev_holdings_percentage: 7}, 'spam! ', 'spam!  '],
	[{security: {sellTax: '12'}}, 'tax12+', 'tax 12+'],
	[{security: {buyTax: '100'}}, 'ta100!', 'tax100!'],
	[{}, '?     ', '?      '],
	[
		{
			dev_holdings_percentage: 0,
			top_10_holdings_percentage: 0,
			snipers_holdings_percentage: 0,
			insiders_holdings_percentage: 0,
			bundlers_holdings_percentage: 0,
			security: {isMintable: false, transferPausable: false},
		},
		'·     ',
		'·      ',
	],
])('the worst risk is a word and its figure, not a colour alone: %j', (figures, narrow, wide) => {
	const row = {entry: entryOf('a', figures)};
	const [placed] = layoutCells('new', 39, 1)[0]!.filter(({cell}) => cell.id === 'risk');
	expect(cellsText([placed!], row.entry)).toBe(narrow);
	expect(cellsText([{...placed!, width: 7}], row.entry)).toBe(wide);
});

test('a token without figures shows dashes, not zeros', () => {
	const text = cellsText(layoutCells('bonded', 90, 1)[0]!, entryOf('a'));
	expect(text).not.toContain('0');
	expect(text).toContain('–');
});

test('where a line has room left, the launchpad is not cut', () => {
	const entry = entryOf('token', {source: 'raydium-launchlab'});
	const [, second] = layoutCells('bonded', 79, 2);
	expect(cellsText(second!, entry)).toContain('raydium-launchlab');
});
