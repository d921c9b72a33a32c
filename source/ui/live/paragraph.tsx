import type {ReactNode} from 'react';
import type {Tone} from '../theme.ts';
import {wrapText} from '../wrap-text.ts';
import {Line, Text, useWidth} from './lines.tsx';

/** Text in as many lines as it needs. */
export function Paragraph({
	text,
	tone,
	indent = 0,
}: {
	readonly text: string;
	readonly tone: Tone;
	/** Blank cells before each line. */
	readonly indent?: number;
}): ReactNode {
	return wrapText(text, useWidth() - indent).map((line, at) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
		<Line key={at}>
			<Text tone={tone}>
				{' '.repeat(indent)}
				{line}
			</Text>
		</Line>
	));
}
