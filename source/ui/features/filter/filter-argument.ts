import {completeFilterLine} from '../../../monitor/filter/complete.ts';
import type {Completion} from '../../feature.ts';

/** How many ways to go on are shown. */
const MOST = 30;

/** The ways in which a typed filter can go on. */
export function filterCompletions(line: string): readonly Completion[] {
	return completeFilterLine(line, line.length, {limit: MOST}).map(({start, end, text, help}) => ({
		argument: line.slice(0, start) + text + line.slice(end),
		note: help,
	}));
}
