import {isStale} from '../monitor/select.ts';
import type {MonitorState} from '../monitor/state.ts';
import type {Style} from '../terminal/style.ts';

/** How old the newest data of any column is, ms; undefined before the first came. */
export function dataAgeMs({columns, nowMs}: Pick<MonitorState, 'columns' | 'nowMs'>): number | undefined {
	const newest = Math.max(...Object.values(columns).map(({dataAtMs}) => dataAtMs ?? Number.NEGATIVE_INFINITY));
	return Number.isFinite(newest) ? Math.max(nowMs - newest, 0) : undefined;
}

/** Whether all data on screen is old, by the rule of the columns. */
export function isOld(state: Pick<MonitorState, 'columns' | 'nowMs'>): boolean {
	const ageMs = dataAgeMs(state);
	return ageMs !== undefined && isStale(0, ageMs);
}

/** The look of old data; cached, so that equal styles are the same object. */
export function dimmed(style: Style | undefined): Style {
	const base = style ?? PLAIN;
	const dim = dims.get(base) ?? {...base, dimColor: true};
	dims.set(base, dim);
	return dim;
}
const PLAIN: Style = {};
const dims = new WeakMap<Style, Style>();
