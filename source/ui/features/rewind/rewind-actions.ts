import {topMode} from '../../../monitor/state.ts';
import {countCleared, modeChanged, modeEntered} from '../../../monitor/transitions/screen.ts';
import type {Context} from '../../feature.ts';

/** The actions of REWIND: show a moment of the past, go back to the present. */
export function createRewindActions({store, monitor}: Context) {
	const {apply, get} = store;
	return {
		/** Goes on by moments; the first step shows the newest one. */
		go: (by: number) => {
			const mode = topMode(get());
			if (mode.kind !== 'rewind') {
				const moments = monitor.moments();
				if (moments.length === 0) return monitor.notify('No history yet; wait a few seconds.', 'warn');
				return apply(state => modeEntered(countCleared(state), {kind: 'rewind', moments, at: moments.length - 1}));
			}
			const at = Math.min(Math.max(mode.at + by, 0), mode.moments.length - 1);
			apply(state => countCleared(modeChanged(state, {...mode, at})));
		},
		nextColumn: () => monitor.moveFocus(1),
		close: monitor.leaveMode,
	};
}
