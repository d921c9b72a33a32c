import type {ReactNode} from 'react';
import {CORRECT_INPUT, type Explanation} from '../../errors.ts';
import {Line, useDisplay} from './lines.tsx';
import {Paragraph} from './paragraph.tsx';

/** A blank line, then what happened, why, and what to do next. */
export function Problem({problem: {what, why, advice}}: {readonly problem: Explanation}): ReactNode {
	return (
		<>
			<Line />
			<Paragraph tone="bad" text={`${useDisplay().glyphs.cross} ${what}`} />
			<Paragraph tone="text" text={why} />
			{/* Where the input stands right above, the reason says what to change. */}
			{advice !== CORRECT_INPUT && <Paragraph tone="dim" text={advice} />}
		</>
	);
}
