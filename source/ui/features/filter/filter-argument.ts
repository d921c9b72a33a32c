import type {MonitorActions} from '../../../monitor/actions.ts';
import {completeFilterLine} from '../../../monitor/filter/complete.ts';
import type {TextEdit} from '../../../monitor/transitions/text-edit.ts';
import {type Completion, MAX_COMPLETIONS} from '../../feature.ts';

/** The ways in which a typed filter can go on. */
export function filterCompletions(line: string): readonly Completion[] {
	return completeFilterLine(line, line.length, {limit: MAX_COMPLETIONS}).map(({start, end, text, help}) => ({
		argument: line.slice(0, start) + text + line.slice(end),
		note: help,
	}));
}

/** Takes over the first completion in the line that is typed, of a filter or of an alert rule. */
export function completeClause({changeMode}: Pick<MonitorActions, 'changeMode'>): void {
	changeMode(mode =>
		mode.kind === 'filter' || mode.kind === 'alertRule' ? {...mode, edit: completed(mode.edit)} : mode,
	);
}

function completed(edit: TextEdit): TextEdit {
	const {text, cursor} = edit;
	const [best] = completeFilterLine(text, cursor);
	if (best === undefined) return edit;
	return {
		text: text.slice(0, best.start) + best.text + text.slice(best.end),
		cursor: best.start + best.text.length,
	};
}
