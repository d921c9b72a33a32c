import type {ReactNode} from 'react';
import type {Color} from '../../terminal/style.ts';
import {cellWidth, padEnd} from '../../text.ts';
import {cutSpans} from '../view-model.ts';
import {FromSpans, Line, measured, spansOf, Text, useDisplay, useWidth} from './lines.tsx';

/** A ruled line with a title, and a note at its right end. */
export function Heading({title, note = ''}: {readonly title: string; readonly note?: string}): ReactNode {
	const {line} = useDisplay().glyphs;
	const width = useWidth();
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

interface CutLineProps {
	readonly band?: Color | undefined;
	readonly children: ReactNode;
}

/** One line, truncated with an ellipsis where it has no room. */
export function CutLine({band, children}: CutLineProps): ReactNode {
	const width = useWidth();
	return (
		<Line band={band}>
			<FromSpans spans={cutSpans(spansOf(children, useDisplay(), width), width)} />
		</Line>
	);
}

/** Small parts of a line side by side, read downwards. */
export function InColumns({
	parts,
	columnWidth,
}: {
	readonly parts: readonly ReactNode[];
	readonly columnWidth: number;
}): ReactNode {
	const display = useDisplay();
	const width = useWidth();
	const across = Math.max(Math.floor(width / columnWidth), 1);
	const down = Math.ceil(parts.length / across);
	return Array.from({length: down}, (_, y) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
		<Line key={y}>
			{Array.from({length: across}, (_, x) => {
				const made = measured(parts[x * down + y], display, width);
				return [made.part, x < across - 1 && ' '.repeat(Math.max(columnWidth - made.width, 0))];
			})}
		</Line>
	));
}

/** Names and values, two or more beside each other. */
export function Pairs({facts}: {readonly facts: readonly (readonly [name: string, value: string])[]}): ReactNode {
	const parts = facts.map(([name, value]) => (
		<>
			<Text tone="dim">{padEnd(name, 12)}</Text>
			<Text tone="text">{value}</Text>
		</>
	));
	return <InColumns parts={parts} columnWidth={Math.max(Math.floor(useWidth() / 2), 34)} />;
}
