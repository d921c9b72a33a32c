import {Cells, CellWriter, layOutRow} from '../../source/terminal/cells.ts';
import {GlyphTable, TAIL} from '../../source/terminal/glyphs.ts';
import {SgrEncoder} from '../../source/terminal/sgr.ts';
import {type Row, StyleTable} from '../../source/terminal/style.ts';
import {PANE_WIDTH, PANES, ROWS} from './render-model.ts';

/**
 * The smallest thing that draws the model: cells that changed, written where they are, each run of them after the shorter of two
 * moves. No layers, boxes, marks or uncertain widths: the bytes of the real screen are measured against it.
 */
export function byHand(row: (pane: number, at: number) => Row, write: (data: string) => void) {
	const glyphs = new GlyphTable();
	const styles = new StyleTable();
	const sgr = new SgrEncoder(styles, 'truecolor');
	const shown = new Cells(PANE_WIDTH * PANES.length, ROWS + 1);
	const line = new Cells(PANE_WIDTH, 1);
	const writer = new CellWriter(glyphs, line);
	let pen = 0;
	let x = -1;
	let y = -1;

	const draw = (spans: Row, pane: number, line_y: number): string => {
		layOutRow(spans, PANE_WIDTH, writer, line, styles);
		let out = '';
		for (let column = 0; column < PANE_WIDTH; column++) {
			const cell = line_y * shown.columns + pane * PANE_WIDTH + column;
			const glyph = line.glyphs[column]!;
			const style = line.styles[column]!;
			if (shown.glyphs[cell] === glyph && shown.styles[cell] === style) continue;
			shown.glyphs[cell] = glyph;
			shown.styles[cell] = style;
			if (glyph === TAIL) continue;
			const toX = pane * PANE_WIDTH + column;
			if (y === line_y && x !== toX) out += x < toX && toX - x < 100 ? `\x1B[${toX - x}C` : `\x1B[${toX + 1}G`;
			else if (y !== line_y) out += `\x1B[${line_y + 1};${toX + 1}H`;
			out += sgr.change(pen, style) + glyphs.text(glyph);
			pen = style;
			x = toX + glyphs.width(glyph);
			y = line_y;
		}
		return out;
	};
	return {
		all: () => {
			let out = '\x1B[2J';
			for (let pane = 0; pane < PANES.length; pane++) {
				for (let at = 0; at < ROWS; at++) out += draw(row(pane, at), pane, at + 1);
			}
			write(out);
		},
		/** @param changed rows, as pane * ROWS + row */
		rows: (changed: ReadonlySet<number>, headline: string) => {
			let out = draw([{text: headline}], 0, 0);
			for (const at of [...changed].sort((a, b) => (a % ROWS) - (b % ROWS))) {
				const pane = Math.floor(at / ROWS);
				out += draw(row(pane, at % ROWS), pane, (at % ROWS) + 1);
			}
			if (out !== '') write(out);
		},
	};
}
