import type {ReactNode} from 'react';
import type {MonitorState} from '../monitor/state.ts';
import {cellWidth} from '../text.ts';
import {ColumnTitle} from './columns/column-title.tsx';
import {TokenRows} from './columns/token-rows.tsx';
import {Footer} from './footer/footer.tsx';
import {Header} from './header/header.tsx';
import {linesOf} from './live/lines.tsx';
import type {ScreenModel} from './screen-model.ts';

/** The header, the columns side by side, the open token and the hints as text, without windows: those can show money and secrets. */
export function screenText(screen: ScreenModel, state: MonitorState): string {
	const model = screen.of(state);
	const {layout} = model;
	const width = state.size.columns;
	const texts = (node: ReactNode, cells: number): string[] =>
		linesOf(node, model, cells).map(row => row.map(({text}) => text).join(''));
	const columns = layout.columns.map(place => {
		const column = {model, view: place.view};
		const lines = [
			...texts(<ColumnTitle {...column} />, place.width).slice(0, layout.titleRows),
			...texts(<TokenRows {...column} height={layout.rowsHeight} />, place.width),
		];
		return lines.map(line => line + ' '.repeat(Math.max(place.width - cellWidth(line), 0)));
	});
	const body = Array.from({length: layout.bodyHeight}, (_, at) =>
		columns
			.map((lines, n) => lines[at] ?? ' '.repeat(layout.columns[n]!.width))
			.join('|')
			.trimEnd(),
	);
	const detail = screen.detailLines(model).map(row => row.map(({text}) => text).join(''));
	return [
		...texts(<Header model={model} />, width),
		...body,
		...detail.slice(0, layout.bodyHeight),
		...texts(<Footer model={model} />, width),
	].join('\n');
}
