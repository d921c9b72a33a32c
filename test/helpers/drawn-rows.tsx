import type {ReactNode} from 'react';
import type {Entry} from '../../source/contract/entry.ts';
import type {Row as TokenRow} from '../../source/monitor/columns/column.ts';
import type {MonitorState} from '../../source/monitor/state.ts';
import {DEFAULT_RISK_THRESHOLDS} from '../../source/monitor/tokens/risk.ts';
import type {ViewName} from '../../source/monitor/views.ts';
import type {Row} from '../../source/terminal/style.ts';
import type {PlacedCell} from '../../source/ui/cell-layout.ts';
import type {ShownToken} from '../../source/ui/columns/shown-token.ts';
import {Cells} from '../../source/ui/columns/token-row.tsx';
import {TokenRows} from '../../source/ui/columns/token-rows.tsx';
import type {Display} from '../../source/ui/display.ts';
import {glyphsFor} from '../../source/ui/glyphs.ts';
import {DEFAULT_KEYS} from '../../source/ui/keymap/bound-keys.ts';
import {linesOf, spansOf} from '../../source/ui/live/lines.tsx';
import type {ScreenModel} from '../../source/ui/screen-model.ts';
import {THEMES} from '../../source/ui/theme.ts';

/** The display for tests of single components. */
export const DISPLAY: Display = {
	theme: THEMES.dark,
	glyphs: glyphsFor(false),
	keys: DEFAULT_KEYS,
	thresholds: DEFAULT_RISK_THRESHOLDS,
	isStill: false,
};

/** The rows of a column as a screen shows them. @param draw makes rows of components; without it no rows are kept */
export function columnRows(
	screen: ScreenModel,
	state: MonitorState,
	view: ViewName,
	draw: (...of: Parameters<typeof linesOf>) => Row[] = linesOf,
): readonly Row[] {
	const model = screen.of(state);
	const {layout, display} = model;
	const {width} = layout.columns.find(place => place.view === view)!;
	const height = layout.rowsHeight;
	return draw(<TokenRows model={model} view={view} height={height} />, display, width).slice(0, height);
}

/** The lines that components show, as text. @param width cells */
export function drawnTexts(node: ReactNode, width: number): string[] {
	return linesOf(node, DISPLAY, width).map(row => row.map(({text}) => text).join(''));
}

/** The text of cells side by side for a token of an entry. */
export function cellsText(cells: readonly PlacedCell[], entry: Entry, shown: Partial<ShownToken> = {}): string {
	return cellSpans(cells, {entry}, shown)
		.map(({text}) => text)
		.join('');
}

/** The spans of cells side by side. */
export function cellSpans(
	cells: readonly PlacedCell[],
	{entry}: Pick<TokenRow, 'entry'>,
	shown: Partial<ShownToken> = {},
): Row {
	const token: ShownToken = {
		entry,
		window: '1h',
		age: '–',
		sinceBonded: undefined,
		isSelected: false,
		isPinned: false,
		holding: undefined,
		alike: undefined,
		moved: undefined,
		trail: undefined,
		promoted: undefined,
		departed: undefined,
		serviceMs: 0,
		...shown,
	};
	return spansOf(<Cells cells={cells} token={token} />, DISPLAY, 0);
}
