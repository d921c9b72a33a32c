import {Box} from 'ink';
import {type ReactNode, useContext} from 'react';
import {LiveRows} from '../../terminal/live-rows.tsx';
import type {Color, Row, Style} from '../../terminal/style.ts';
import {Line, linesOf, useDisplay} from '../live/lines.tsx';
import {on, type Theme} from '../theme.ts';
import {cutSpans, spansWidth} from '../view-model.ts';
import {ScreenSize} from './screen-size.ts';

export interface ModalProps {
	/** The first line inside the border. */
	readonly title: ReactNode;
	/** Cells and lines of the whole, border included. */
	readonly width: number;
	readonly height: number;
	/** The line of the screen that it begins in; it is in the middle if not given. */
	readonly top?: number;
	readonly border?: 'round' | 'double';
	/** The theme's if not given. */
	readonly borderColor?: Color;
	/** The lines below the title, of pure components; those that do not fit are left out. */
	readonly children: ReactNode;
}

/** Lines across and down, and the corners: upper left and right, lower left and right. */
const BORDERS = {
	round: ['─', '│', '╭', '╮', '╰', '╯'],
	double: ['═', '║', '╔', '╗', '╚', '╝'],
	ascii: ['-', '|', '+', '+', '+', '+'],
} as const;

/**
 * A window over everything else, in the middle of the screen; nothing shows through it. The window is rows of cells, as
 * the columns are: text that Ink lays out takes ten times as long to appear after its key.
 */
export function Modal({title, width, height, top, border = 'round', borderColor, children}: ModalProps): ReactNode {
	const display = useDisplay();
	const screen = useContext(ScreenSize);
	const {theme, glyphs} = display;
	const fits = {width: Math.min(width, screen.columns), height: Math.min(height, screen.rows)};
	const [across, down, ...corners] = BORDERS[glyphs.subscripts === '' ? 'ascii' : border];
	const style: Style = {color: borderColor ?? theme.modal.border};
	const edge = (left: string, right: string): Row => [
		{text: left + across.repeat(Math.max(fits.width - 2, 0)) + right, style},
	];
	const shown = linesOf([<Line key="title">{title}</Line>, children], display, fits.width - 4);
	const framed = (at: number): Row => {
		if (at === 0) return edge(corners[0], corners[1]);
		if (at === fits.height - 1) return edge(corners[2], corners[3]);
		return [{text: down, style}, ...inside(shown[at - 1] ?? [], fits.width - 2, theme), {text: down, style}];
	};
	// A blank at either side, so that what is below does not run into the border, or show a sliver beside it.
	const margin = fits.width + 2 <= screen.columns ? ' ' : '';
	const rows = (): Row[] =>
		Array.from({length: fits.height}, (_, at) => [{text: margin}, ...framed(at), {text: margin}]);
	return (
		<Box
			position="absolute"
			left={Math.floor((screen.columns - fits.width) / 2) - margin.length}
			top={top ?? Math.floor((screen.rows - fits.height) / 2)}
		>
			<LiveRows id="modal" width={fits.width + 2 * margin.length} count={fits.height} rows={rows} />
		</Box>
	);
}

/** A row between the borders, a blank at either side, on the background of windows. */
function inside(row: Row, width: number, theme: Theme): Row {
	const spans = cutSpans(row, width - 2);
	const rest = ' '.repeat(Math.max(width - 1 - spansWidth(spans), 0));
	return [{text: ' '}, ...spans, {text: rest}].map(({text, style}) => ({
		text,
		style: on(theme, style, theme.modal.background),
	}));
}
