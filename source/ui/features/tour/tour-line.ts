import {type MonitorState, topMode} from '../../../monitor/state.ts';
import {TOUR_STEPS} from '../../../monitor/tour.ts';
import type {Row} from '../../../terminal/style.ts';
import {withKeys} from '../../keymap/key-texts.ts';
import {spread, toned, type ViewModel} from '../../view-model.ts';

/** A smaller screen has no line to spare. */
const FROM = {columns: 60, rows: 16} as const;

/** Rows that the tour takes above the hints: one while it goes on and the columns or a token are on top. */
export function tourRowsOf({tour, size, modes}: MonitorState): 0 | 1 {
	const {kind} = topMode({modes} as MonitorState);
	const isOpen = kind === 'list' || kind === 'detail';
	return tour !== undefined && isOpen && size.columns >= FROM.columns && size.rows >= FROM.rows ? 1 : 0;
}

/** The line of the tour: which step, what it says, the key that goes on. */
export function paintTour(model: ViewModel, width: number): Row {
	const {state, glyphs, keys} = model;
	const at = state.tour ?? 0;
	const ascii = glyphs.subscripts === '';
	const isLast = at === TOUR_STEPS.length - 1;
	const next = withKeys(`{tour.next} ${isLast ? 'done' : 'next'} `, keys, ascii);
	return spread(
		[
			toned(model, 'badge', ` ${at + 1}/${TOUR_STEPS.length} `),
			toned(model, 'text', ` ${withKeys(TOUR_STEPS[at]!, keys, ascii)}`),
		],
		[toned(model, 'key', next)],
		width,
	);
}
