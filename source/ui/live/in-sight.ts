import type {TextEdit} from '../../monitor/transitions/text-edit.ts';
import {cellWidth} from '../../text.ts';

/** The part of a text that fits with its cursor in sight, and how much of it is left out before. @param room cells */
export function inSight({text, cursor}: TextEdit, room: number): TextEdit & {readonly from: number} {
	let from = 0;
	while (from < cursor && cellWidth(text.slice(from, cursor)) > room - 1)
		from += text.codePointAt(from)! > 0xffff ? 2 : 1;
	return {text: text.slice(from), cursor: cursor - from, from};
}
