import type {ReactNode} from 'react';
import type {TextEdit} from '../../monitor/transitions/text-edit.ts';
import type {Style} from '../../terminal/style.ts';
import {cellWidth} from '../../text.ts';
import {inSight} from './in-sight.ts';
import {Text, useDisplay, useWidth} from './lines.tsx';
import {CutLine} from './section.tsx';

/** A piece of the typed line with its style. */
export interface Piece {
	readonly start: number;
	readonly end: number;
	readonly style: Style;
}

export interface TypedLineProps {
	/** The label before the typed text. */
	readonly label: string;
	readonly edit: TextEdit;
	/** Without them the line has one colour. */
	readonly pieces?: readonly Piece[];
}

/** The line that is typed, its cursor an inverted cell; a line longer than the screen shows the part around the cursor. */
export function TypedLine({label, edit, pieces}: TypedLineProps): ReactNode {
	const {text, cursor} = edit;
	const {tones} = useDisplay().theme;
	const {from} = inSight(edit, useWidth() - cellWidth(label) - 1);
	const shown = (pieces ?? [{start: 0, end: text.length, style: tones.input}]).flatMap(({style, ...piece}) =>
		around(piece, edit).map(([start, end]) => (
			<Text key={start} style={start === cursor ? {...style, inverse: true} : style}>
				{text.slice(Math.max(start, from), Math.max(end, from))}
			</Text>
		)),
	);
	return (
		<CutLine>
			<Text tone="key">{label}</Text>
			{shown}
			{cursor >= text.length && <Text style={CURSOR}> </Text>}
		</CutLine>
	);
}

const CURSOR: Style = {inverse: true};

/** A piece cut at the cursor: before, the character under it, after. */
function around({start, end}: Omit<Piece, 'style'>, {text, cursor}: TextEdit): [start: number, end: number][] {
	if (cursor < start || cursor >= end) return [[start, end]];
	const next = cursor + (text.codePointAt(cursor)! > 0xffff ? 2 : 1);
	const parts: [number, number][] = [
		[start, cursor],
		[cursor, next],
		[next, end],
	];
	return parts.filter(([from, to]) => from < to);
}
