import type {ReactNode} from 'react';
import {cellWidth, padEnd} from '../../text.ts';
import {cutSpans} from '../view-model.ts';
import {FromSpans, Line, measured, spansOf, Text, useDisplay} from './lines.tsx';

/** A ruled line with a title, and a note at its right end. */
export function Heading({
	title,
	width,
	note = '',
}: {
	readonly title: string;
	readonly width: number;
	readonly note?: string;
}): ReactNode {
	const {line} = useDisplay().glyphs;
	const text = ` ${title} `;
	const end = note === '' ? '' : ` ${note}`;
	return (
		<Line>
			<Text tone="rule">{line}</Text>
			<Text tone="accent">{text}</Text>
			<Text tone="rule">{line.repeat(Math.max(width - cellWidth(text) - cellWidth(end) - 1, 0))}</Text>
			<Text tone="dim">{end}</Text>
		</Line>
	);
}

/** One line, truncated with an ellipsis to `width` cells. */
export function CutLine({width, children}: {readonly width: number; readonly children: ReactNode}): ReactNode {
	return (
		<Line>
			<Cut width={width}>{children}</Cut>
		</Line>
	);
}

/** Parts of a line, cut to `width` cells. */
export function Cut({width, children}: {readonly width: number; readonly children: ReactNode}): ReactNode {
	return <FromSpans spans={cutSpans(spansOf(children, useDisplay()), width)} />;
}

/** Small parts of a line side by side, read downwards. */
export function InColumns({
	parts,
	width,
	columnWidth,
}: {
	readonly parts: readonly ReactNode[];
	readonly width: number;
	readonly columnWidth: number;
}): ReactNode {
	const display = useDisplay();
	const across = Math.max(Math.floor(width / columnWidth), 1);
	const down = Math.ceil(parts.length / across);
	return Array.from({length: down}, (_, y) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
		<Line key={y}>
			{Array.from({length: across}, (_, x) => {
				const made = measured(parts[x * down + y], display);
				return [made.part, x < across - 1 && ' '.repeat(Math.max(columnWidth - made.width, 0))];
			})}
		</Line>
	));
}

/** Names and values, two or more beside each other. */
export function Pairs({
	facts,
	width,
}: {
	readonly facts: readonly (readonly [name: string, value: string])[];
	readonly width: number;
}): ReactNode {
	const parts = facts.map(([name, value]) => (
		<>
			<Text tone="dim">{padEnd(name, 12)}</Text>
			<Text tone="text">{value}</Text>
		</>
	));
	return <InColumns parts={parts} width={width} columnWidth={Math.max(Math.floor(width / 2), 34)} />;
}
