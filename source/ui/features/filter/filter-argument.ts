import {completeFilterLine} from '../../../monitor/filter/complete.ts';
import {type Completion, MAX_COMPLETIONS} from '../../feature.ts';

/** The ways in which a typed filter can go on. */
export function filterCompletions(line: string): readonly Completion[] {
	return completeFilterLine(line, line.length, {limit: MAX_COMPLETIONS}).map(({start, end, text, help}) => ({
		argument: line.slice(0, start) + text + line.slice(end),
		note: help,
	}));
}
