import type {ReactNode} from 'react';
import {activeSlot} from '../../../monitor/saved-views/saved-view-transitions.ts';
import {Text} from '../../live/lines.tsx';
import {CutLine} from '../../live/section.tsx';
import type {ViewModel} from '../../view-model.ts';

/** The saved views by number, while the next key is the number of one. */
export function SlotLine({model: {state}}: {readonly model: ViewModel}): ReactNode {
	const active = activeSlot(state);
	return (
		<CutLine>
			<Text tone="accent"> view:</Text>
			{Array.from(state.savedViews, ([slot, {name}]) => [
				<Text key={slot} tone="key">{`  ${slot} `}</Text>,
				<Text key={`${slot} name`} tone={slot === active ? 'good' : 'text'}>
					{name}
				</Text>,
			])}
		</CutLine>
	);
}
