import type {Row, Span} from '../../terminal/style.ts';
import {cellWidth, padEnd} from '../../text.ts';
import {toned, type ViewModel} from '../view-model.ts';

/** A ruled line with a title, and a note at its right end. */
export function heading(model: ViewModel, title: string, width: number, note = ''): Row {
	const line = model.glyphs.line;
	const text = ` ${title} `;
	const end = note === '' ? '' : ` ${note}`;
	const rest = Math.max(width - cellWidth(text) - cellWidth(end) - 1, 0);
	return [
		toned(model, 'rule', line),
		toned(model, 'accent', text),
		toned(model, 'rule', line.repeat(rest)),
		toned(model, 'dim', end),
	];
}

/** Small cells side by side, read downwards. */
export function inColumns(cells: readonly (readonly Span[])[], width: number, columnWidth: number): Row[] {
	const across = Math.max(Math.floor(width / columnWidth), 1);
	const down = Math.ceil(cells.length / across);
	return Array.from({length: down}, (_, y) =>
		Array.from({length: across}, (_, x) => cells[x * down + y] ?? []).flatMap((cell, x) => {
			const used = cell.reduce((sum, span) => sum + cellWidth(span.text), 0);
			return x === across - 1 ? [...cell] : [...cell, {text: ' '.repeat(Math.max(columnWidth - used, 0))}];
		}),
	);
}

/** Names and values, two or more beside each other. */
export function pairs(
	model: ViewModel,
	width: number,
	facts: readonly (readonly [name: string, value: string])[],
): Row[] {
	const cells = facts.map(([name, value]) => [toned(model, 'dim', padEnd(name, 12)), toned(model, 'text', value)]);
	return inColumns(cells, width, Math.max(Math.floor(width / 2), 34));
}
