import {expect, test} from 'vitest';
import {leaveLine} from '../../../source/monitor/leave-line.ts';
import {savedViewOf} from '../../../source/monitor/saved-views/saved-view-transitions.ts';
import {startState} from '../../helpers/start-state.ts';

const START = startState();

test.each([
	[0, '0 s'],
	[59_999, '59 s'],
	[60_000, '1 min'],
	[3_599_999, '59 min'],
	[3_600_000, '1 h'],
	[3_660_000, '1 h 1 min'],
	[7_200_000, '2 h'],
])('after %i ms the last line says %s', (ms, text) => {
	expect(leaveLine(START, ms)).toBe(`pulsetop: ${text}`);
});

test('alerts and the saved view are named where there are any', () => {
	const rung = (count: number) => ({...START, alerts: {...START.alerts, rung: count}});
	expect(leaveLine(rung(1), 5000)).toBe('pulsetop: 5 s, 1 alert');
	expect(leaveLine(rung(3), 5000)).toBe('pulsetop: 5 s, 3 alerts');
	const view = savedViewOf(START, 'Fresh');
	expect(leaveLine({...rung(3), savedViews: new Map([[2, view]])}, 5000)).toBe('pulsetop: 5 s, 3 alerts, view Fresh');
});
