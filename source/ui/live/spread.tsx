import type {ReactNode} from 'react';
import {spread} from '../view-model.ts';
import {FromSpans, spansOf, useDisplay, useWidth} from './lines.tsx';

/** `left` at the left, the children at the right, blanks between; `left` gives way when both don't fit. */
export function Spread({left, children}: {readonly left: ReactNode; readonly children: ReactNode}): ReactNode {
	const display = useDisplay();
	const width = useWidth();
	return <FromSpans spans={spread(spansOf(left, display, width), spansOf(children, display, width), width)} />;
}
