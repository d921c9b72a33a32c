import {Box, type DOMElement, Text} from 'ink';
import {type ReactNode, useLayoutEffect, useRef} from 'react';
import {cellWidth, padEnd, truncate} from '../text.ts';
import type {Placement} from './live-layer.ts';
import {useScreen} from './screen-context.ts';
import type {Row, Span} from './style.ts';

export interface LiveRowsProps {
	/** Name by which `screen.invalidate` finds the rows. */
	readonly id: string;
	/** Cells of the rows: longer ones are cut, shorter ones filled. */
	readonly width: number;
	/** How many rows there are, and lines that they take. */
	readonly count: number;
	/** The rows as they should be now; a missing one is blank. */
	readonly rows: () => readonly Row[];
}

/**
 * Rows that tick. On a LiveScreen this is an empty box: the screen asks for the rows itself, whenever
 * `screen.invalidate(id)` has said that they changed, and React has no part in it. Without a screen above, the same
 * rows are drawn as Ink text, once a render.
 */
export function LiveRows({id, width, count, rows}: LiveRowsProps): ReactNode {
	const screen = useScreen();
	const box = useRef<DOMElement>(null);
	const placement = useRef<Placement>(undefined);
	const latest = useRef({id, count, rows});

	// Before the effect that mounts, so that a mount finds the newest rows.
	useLayoutEffect(() => {
		latest.current = {id, count, rows};
		placement.current?.update(latest.current);
	}, [id, count, rows]);

	useLayoutEffect(() => {
		if (screen === undefined || box.current === null) return;
		const added = screen.addRegion(box.current, latest.current);
		placement.current = added;
		return () => {
			placement.current = undefined;
			added.remove();
		};
	}, [screen]);

	const shown = screen === undefined ? rows() : [];
	return (
		<Box ref={box} width={width} height={count} flexDirection="column" overflow="hidden">
			{screen === undefined &&
				Array.from({length: count}, (_, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
					<RowText key={index} row={shown[index] ?? []} width={width} />
				))}
		</Box>
	);
}

/** A span as Ink text. */
export function SpanText({span: {text, style}}: {readonly span: Span}): ReactNode {
	return <Text {...style}>{text}</Text>;
}

/** One row as Ink text of exactly `width` cells. */
export function RowText({row, width}: {readonly row: Row; readonly width: number}): ReactNode {
	return (
		<Box width={width} height={1} flexShrink={0}>
			<Text>
				{cutRow(row, width).map((span, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: a span is its place
					<SpanText key={index} span={span} />
				))}
			</Text>
		</Box>
	);
}

/** The spans of a row in exactly `width` cells: cut without an ellipsis, filled with blanks. */
function cutRow(row: Row, width: number): Row {
	const spans: Span[] = [];
	let left = width;
	for (const span of row) {
		if (left <= 0) break;
		const cells = cellWidth(span.text);
		// Half of a wide glyph is a blank, in the style of the glyph.
		const text = cells <= left ? span.text : padEnd(truncate(span.text, left, ''), left);
		spans.push({...span, text});
		left -= Math.min(cells, left);
	}
	if (left > 0) spans.push({text: ' '.repeat(left)});
	return spans;
}
