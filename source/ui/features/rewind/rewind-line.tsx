import type {ReactNode} from 'react';
import type {ModeOf} from '../../../monitor/mode.ts';
import {shownMs} from '../../../monitor/select.ts';
import {clock} from '../../format.ts';
import {Text, useWidth} from '../../live/lines.tsx';
import {CutLine} from '../../live/section.tsx';
import type {ViewModel} from '../../view-model.ts';

export interface RewindLineProps {
	readonly model: ViewModel;
	readonly mode: ModeOf<'rewind'>;
}

/** The place of the shown moment among the kept ones: a line with a knob, the time, how long ago. */
export function RewindLine({model, mode: {moments, at: index}}: RewindLineProps): ReactNode {
	const {atMs, skewMs} = moments[index]!;
	const agoS = Math.max(Math.round((model.liveMs - atMs) / 1000), 0);
	const ago = agoS < 60 ? `${agoS}s ago` : `${Math.floor(agoS / 60)}m ${String(agoS % 60).padStart(2, '0')}s ago`;
	const text = ` ${clock(shownMs({service: model.state.service, skewMs}, atMs))}  ${ago} `;
	const room = Math.max(Math.min(useWidth() - text.length - 10, 60), 5);
	const knob = moments.length < 2 ? 0 : Math.round((index / (moments.length - 1)) * (room - 1));
	const {line, cursor} = model.glyphs;
	return (
		<CutLine>
			<Text tone="warn"> rewind </Text>
			<Text tone="dim">{line.repeat(knob)}</Text>
			<Text tone="key">{cursor}</Text>
			<Text tone="faint">{line.repeat(room - 1 - knob)}</Text>
			<Text tone="strong">{text}</Text>
		</CutLine>
	);
}
