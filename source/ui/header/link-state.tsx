import type {ReactNode} from 'react';
import {isStale, newestDataMs} from '../../monitor/select.ts';
import type {Link, MonitorState} from '../../monitor/state.ts';
import type {Glyphs} from '../glyphs.ts';
import {Text} from '../live/lines.tsx';
import type {Tone} from '../theme.ts';
import type {ViewModel} from '../view-model.ts';

/** The connection in one word with a glyph; each column shows the age of its data. */
export function LinkState({model: {state, glyphs}}: {readonly model: ViewModel}): ReactNode {
	const [tone, glyph, text] = stateOf(state, state.link, glyphs);
	return <Text tone={tone}>{`${glyph} ${text}`}</Text>;
}

function stateOf(
	state: MonitorState,
	link: Link | undefined,
	glyphs: Glyphs,
): readonly [tone: Tone, glyph: string, text: string] {
	const inSeconds = (ms: number | undefined): string =>
		ms === undefined ? '' : ` in ${Math.max(Math.ceil((ms - state.nowMs) / 1000), 0)}s`;
	switch (link?.phase) {
		case 'live':
			// The columns say since when.
			return isStale(newestDataMs(state), state.nowMs)
				? ['warn', glyphs.waiting, 'connected, no new data']
				: ['good', glyphs.live, 'live'];
		case 'polling':
			// The service answers, and refuses all that is asked: a wrong address, credits that are used up.
			if (state.shownViews.every(view => state.columns[view].status.kind === 'failed'))
				return ['bad', glyphs.broken, 'no data'];
			return ['warn', glyphs.live, 'polling'];
		case 'reconnecting':
			return ['warn', glyphs.waiting, `reconnecting${inSeconds(link.nextTryAtMs)} (${link.attempt})`];
		case 'refused':
			return ['bad', glyphs.broken, 'key refused'];
		case 'offline': {
			const {nextTryAtMs = Number.POSITIVE_INFINITY, nextPollAtMs} = link;
			// A REST request runs: there is no next attempt to count down to.
			const again = nextPollAtMs === undefined ? '' : `, again${inSeconds(Math.min(nextTryAtMs, nextPollAtMs))}`;
			return ['bad', glyphs.broken, `offline${again}`];
		}
		case 'closed':
			return ['dim', glyphs.waiting, 'closed'];
		default:
			return ['dim', glyphs.waiting, 'connecting'];
	}
}
