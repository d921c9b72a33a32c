import type {ReactNode} from 'react';
import {spread} from '../view-model.ts';
import {FromSpans, spansOf, useDisplay} from './lines.tsx';

/** `left` at the left, the children at the right, blanks between; `left` gives way when both don't fit in `width` cells. */
export function Spread({
	left,
	width,
	children,
}: {
	readonly left: ReactNode;
	readonly width: number;
	readonly children: ReactNode;
}): ReactNode {
	const display = useDisplay();
	return <FromSpans spans={spread(spansOf(left, display), spansOf(children, display), width)} />;
}
