import type {ReactNode} from 'react';
import {Line, Text, useDisplay} from '../live/lines.tsx';
import {drawSparkline, type ValueRange} from '../sparkline.ts';

export interface SparklineProps {
	/** Oldest first; at least one. */
	readonly values: readonly number[];
	readonly width: number;
	readonly height: number;
	/** The values at the bottom and the top, instead of the extremes of `values`. */
	readonly range?: ValueRange;
}

/** A line of values over `height` rows: braille, or steps where the terminal has ASCII only. The colour shows whether the values rose. */
export function Sparkline({values, width, height, range}: SparklineProps): ReactNode {
	const {subscripts} = useDisplay().glyphs;
	const tone = values.at(-1)! >= values[0]! ? 'up' : 'down';
	return drawSparkline(values, width, height, subscripts === '', range).map((text, y) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
		<Line key={y}>
			<Text tone={tone}>{text}</Text>
		</Line>
	));
}
