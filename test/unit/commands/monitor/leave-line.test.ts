import {expect, test} from 'vitest';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import {leaveLine} from '../../../../source/monitor/leave-line.ts';
import {savedViewOf} from '../../../../source/monitor/saved-views/saved-view-transitions.ts';

const state = initialState({
	size: {columns: 80, rows: 24},
	nowMs: 0,
	service: {label: 'test', embedded: true},
	theme: 'dark',
});

test.each([
	[12_900, 'pulsetop: 12 s'],
	[12 * 60_000, 'pulsetop: 12 min'],
	[2 * 3_600_000 + 5 * 60_000, 'pulsetop: 2 h 5 min'],
	[3 * 3_600_000, 'pulsetop: 3 h'],
])('after %i ms the last line is %j', (ms, line) => {
	expect(leaveLine(state, ms)).toBe(line);
});

test('alerts of the run are counted, those that were looked at too, and the view that is shown is named', () => {
	const rung = {
		...state,
		alerts: {...state.alerts, rung: 3, unseen: 0},
		savedViews: new Map([[2, savedViewOf(state, 'Fresh')]]),
	};
	expect(leaveLine(rung, 60_000)).toBe('pulsetop: 1 min, 3 alerts, view Fresh');
	expect(leaveLine({...state, alerts: {...state.alerts, rung: 1}}, 60_000)).toBe('pulsetop: 1 min, 1 alert');
});
