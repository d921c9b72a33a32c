import type {ReactNode} from 'react';
import {padEnd} from '../../text.ts';
import type {Tone} from '../theme.ts';
import {folded} from '../wrap-text.ts';
import {Line, Text, useWidth} from './lines.tsx';

/** Cells before the text of a fact or a field: `you receive` is the longest label. */
export const LABEL = 13;

interface FactProps {
	readonly label: string;
	readonly tone?: Tone;
	readonly children: string;
}

/** A label and its value; a long value goes on below. No value is cut: it can be what will be signed. */
export function Fact({label, tone = 'text', children}: FactProps): ReactNode {
	return folded(children, Math.max(useWidth() - LABEL, 10)).map((line, at) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
		<Line key={at}>
			<Text tone="dim">{padEnd(at === 0 ? label : '', LABEL)}</Text>
			<Text tone={tone}>{line}</Text>
		</Line>
	));
}

/** Labels and values, a line or more each. */
export function Facts({facts}: {readonly facts: readonly (readonly [label: string, value: string])[]}): ReactNode {
	return facts.map(([label, value]) => (
		<Fact key={label} label={label}>
			{value}
		</Fact>
	));
}
