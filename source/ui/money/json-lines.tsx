import type {ReactNode} from 'react';
import {Line, Text, useWidth} from '../live/lines.tsx';
import {jsonText} from './json-text.ts';

/**
 * Data as JSON, complete: a line that is too long goes on below itself under the same indent, and no character is left out.
 * Characters beyond ASCII stand as their JSON escapes: each takes one cell, and none can hide.
 */
export function JsonLines({value}: {readonly value: unknown}): ReactNode {
	const width = useWidth();
	return jsonText(value)
		.split('\n')
		.flatMap(line => {
			const indent = /^ */.exec(line)![0];
			const rest = line.slice(indent.length);
			const parts = rest.match(new RegExp(`.{1,${Math.max(width - indent.length, 1)}}`, 'g')) ?? [''];
			return parts.map(part => indent + part);
		})
		.map((text, at) => (
			// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
			<Line key={at}>
				<Text tone="text">{text}</Text>
			</Line>
		));
}
