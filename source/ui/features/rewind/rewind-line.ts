import type {ModeOf} from '../../../monitor/mode.ts';
import {shownMs} from '../../../monitor/select.ts';
import type {Row} from '../../../terminal/style.ts';
import {clock} from '../../format.ts';
import {cutSpans, toned, type ViewModel} from '../../view-model.ts';

/** The place of the shown moment among the kept ones: a line with a knob, the time, how long ago. */
export function rewindLine(model: ViewModel, {moments, at: index}: ModeOf<'rewind'>, width: number): Row {
	const {atMs, skewMs} = moments[index]!;
	const agoS = Math.max(Math.round((model.liveMs - atMs) / 1000), 0);
	const ago = agoS < 60 ? `${agoS}s ago` : `${Math.floor(agoS / 60)}m ${String(agoS % 60).padStart(2, '0')}s ago`;
	const text = ` ${clock(shownMs({service: model.state.service, skewMs}, atMs))}  ${ago} `;
	const room = Math.max(Math.min(width - text.length - 10, 60), 5);
	const knob = moments.length < 2 ? 0 : Math.round((index / (moments.length - 1)) * (room - 1));
	const {line, cursor} = model.glyphs;
	return cutSpans(
		[
			toned(model, 'warn', ' rewind '),
			toned(model, 'dim', line.repeat(knob)),
			toned(model, 'key', cursor),
			toned(model, 'faint', line.repeat(room - 1 - knob)),
			toned(model, 'strong', text),
		],
		width,
	);
}
