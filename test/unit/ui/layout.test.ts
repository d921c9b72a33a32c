import {expect, test} from 'vitest';
import {VIEWS, type ViewName} from '../../../source/monitor/views.ts';
import {layoutCells, type RowLines} from '../../../source/ui/cell-layout.ts';
import {modeSpec} from '../../../source/ui/features.ts';
import {columnsAtATime, layoutScreen, widthOf} from '../../../source/ui/layout.ts';
import {fc} from '../../helpers/properties.ts';

const base = {focus: 'new', isDetailOpen: false, density: 'auto', promptRows: 0} as const;
const columnsAt = (columns: number, rows = 24) =>
	layoutScreen({...base, size: {columns, rows}}).columns.map(c => c.view);

test('three columns from 119 cells on, two from 79, one at 40', () => {
	expect(columnsAt(119)).toEqual(['new', 'bonding', 'bonded']);
	expect(columnsAt(118)).toEqual(['new', 'bonding']);
	expect(columnsAt(79)).toEqual(['new', 'bonding']);
	expect(columnsAt(78)).toEqual(['new']);
	expect(columnsAt(120)).toEqual(['new', 'bonding', 'bonded']);
	expect(columnsAt(80)).toEqual(['new', 'bonding']);
	expect(columnsAt(40)).toEqual(['new']);
});

test('four columns from 159 cells on; below that three at a time, beside the focused one', () => {
	const shownAt = (columns: number, focus: ViewName = 'new', rows = 45) =>
		layoutScreen({...base, focus, views: VIEWS, size: {columns, rows}});
	expect(shownAt(widthOf(4)).columns).toEqual(VIEWS.map(view => ({view, width: 39})));
	expect(shownAt(158).columns.map(c => c.view)).toEqual(['new', 'bonding', 'bonded']);
	expect(shownAt(120, 'trending').columns.map(c => c.view)).toEqual(['bonding', 'bonded', 'trending']);
	expect([39, 78, 79, 118, 119, 158, 159].map(columnsAtATime)).toEqual([1, 1, 2, 2, 3, 3, 4]);
	// At 160x45 each token has two lines, and 20 of them are on screen.
	expect(shownAt(160)).toMatchObject({lines: 2, pageRows: 20});
});

test('the focused column is always among those shown', () => {
	for (const focus of VIEWS) {
		for (let columns = 40; columns <= 200; columns++) {
			const layout = layoutScreen({...base, views: VIEWS, focus, size: {columns, rows: 24}});
			expect(layout.columns.map(c => c.view)).toContain(focus);
		}
	}
});

test('the detail pane stands beside the columns where there is room, and covers them where there is none', () => {
	expect(layoutScreen({...base, isDetailOpen: true, size: {columns: 160, rows: 40}}).detail?.isFull).toBe(false);
	const narrow = layoutScreen({...base, isDetailOpen: true, size: {columns: 80, rows: 24}});
	expect(narrow.detail).toEqual({width: 80, isFull: true});
	expect(narrow.columns).toEqual([]);
});

test('below 20x6 it is too small; windows of money and the screens beside the columns need 40x12', () => {
	expect(layoutScreen({...base, size: {columns: 19, rows: 40}}).isTooSmall).toBe(true);
	expect(layoutScreen({...base, size: {columns: 100, rows: 5}}).isTooSmall).toBe(true);
	expect(layoutScreen({...base, size: {columns: 20, rows: 6}}).isTooSmall).toBe(false);
	expect(layoutScreen({...base, size: {columns: 39, rows: 40}}).isTooSmall).toBe(false);
	for (const mode of ['bridge', 'perp', 'predictionAccount', 'prediction'] as const) {
		const {minSize} = modeSpec(mode);
		expect(layoutScreen({...base, minSize, size: {columns: 39, rows: 40}}).isTooSmall).toBe(true);
		expect(layoutScreen({...base, minSize, size: {columns: 40, rows: 12}}).isTooSmall).toBe(false);
	}
});

test('below 40 columns there is one column, the focused one, as wide as the screen', () => {
	const {columns} = layoutScreen({...base, focus: 'bonding', size: {columns: 30, rows: 20}});
	expect(columns).toEqual([{view: 'bonding', width: 30}]);
});

test('columns, rules and pane fill the width exactly, at every size', () => {
	fc.assert(
		fc.property(
			fc.integer({min: 40, max: 400}),
			fc.integer({min: 12, max: 120}),
			fc.boolean(),
			fc.constantFrom(...VIEWS),
			(columns, rows, isDetailOpen, focus) => {
				const layout = layoutScreen({size: {columns, rows}, isDetailOpen, focus, density: 'auto', promptRows: 0});
				const parts = layout.columns.length + (layout.detail && !layout.detail.isFull ? 1 : 0);
				const used =
					layout.columns.reduce((sum, c) => sum + c.width, 0) +
					(layout.columns.length > 0 && layout.detail ? layout.detail.width : 0);
				if (layout.columns.length > 0) expect(used + parts - 1).toBe(columns);
				expect(layout.bodyHeight + layout.footerRows + 1).toBe(rows);
				expect(layout.pageRows * layout.lines).toBeLessThanOrEqual(layout.rowsHeight);
			},
		),
	);
});

test('going back and forth between two columns that are both shown moves neither', () => {
	const at80 = {...base, size: {columns: 80, rows: 24}};
	const right = layoutScreen({...at80, focus: 'bonded', before: 'new'}).columns.map(c => c.view);
	expect(right).toEqual(['bonding', 'bonded']);
	expect(layoutScreen({...at80, focus: 'bonding', before: 'bonding'}).columns.map(c => c.view)).toEqual(right);
	expect(layoutScreen({...at80, focus: 'new', before: 'bonding'}).columns.map(c => c.view)).toEqual(['new', 'bonding']);
});

/** Rows that are enough for three lines, for two, and for no more than one. */
test.each([
	[40, 24, 1],
	[40, 40, 2],
	[60, 90, 3],
	[80, 24, 1],
	[80, 45, 2],
	[120, 40, 2],
	[120, 90, 3],
	[160, 45, 2],
	[160, 90, 3],
	[200, 60, 2],
	[200, 90, 2],
	[240, 60, 2],
	[400, 60, 2],
	[420, 60, 1],
])('at %dx%d a token has %d lines', (columns, rows, lines) => {
	expect(layoutScreen({...base, size: {columns, rows}}).lines).toBe(lines);
});

test('a line being typed or a notice takes rows of the list, and leaves the height of a token as it is', () => {
	for (let rows = 12; rows < 110; rows++) {
		const size = {columns: 120, rows};
		const [plain, typing] = [0, 3].map(promptRows => layoutScreen({...base, size, promptRows}));
		expect(typing!.lines, `120x${rows}`).toBe(plain!.lines);
	}
});

test('more width never shows fewer columns, and with the same columns never less of a token', () => {
	for (const rows of [24, 45, 60, 100]) {
		for (let columns = 40; columns < 420; columns++) {
			const [narrow, wide] = [columns, columns + 1].map(cells =>
				layoutScreen({...base, size: {columns: cells, rows}}),
			) as [ReturnType<typeof layoutScreen>, ReturnType<typeof layoutScreen>];
			expect(wide.columns.length).toBeGreaterThanOrEqual(narrow.columns.length);
			if (wide.columns.length > narrow.columns.length) continue;
			for (const [at, {view, width}] of narrow.columns.entries()) {
				const more = shownAt(view, wide.columns[at]!.width, wide.lines);
				for (const id of shownAt(view, width, narrow.lines)) expect(more, `${columns}x${rows} ${view}`).toContain(id);
			}
		}
	}
});

const shownAt = (...at: [ViewName, number, RowLines]): ReadonlySet<string> =>
	new Set(
		layoutCells(...at)
			.flat()
			.map(({cell}) => cell.id),
	);
