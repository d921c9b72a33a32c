import type {ReactNode} from 'react';
import {TOUR_STEPS} from '../../monitor/tour.ts';
import {withKeys} from '../keymap/key-texts.ts';
import {Line, Text} from '../live/lines.tsx';
import {Spread} from '../live/spread.tsx';
import type {ViewModel} from '../view-model.ts';

/** The line of the tour: the step, its text, the key of the next step. */
export function TourLine({model: {state, glyphs, keys}}: {readonly model: ViewModel}): ReactNode {
	const at = state.tour ?? 0;
	const named = (text: string) => withKeys(text, keys, glyphs.subscripts === '');
	const isLast = at === TOUR_STEPS.length - 1;
	const step = (
		<>
			<Text tone="badge">{` ${at + 1}/${TOUR_STEPS.length} `}</Text>
			<Text tone="text"> {named(TOUR_STEPS[at]!)}</Text>
		</>
	);
	return (
		<Line>
			<Spread left={step}>
				<Text tone="key">{named(`{tour.next} ${isLast ? 'done' : 'next'} `)}</Text>
			</Spread>
		</Line>
	);
}
