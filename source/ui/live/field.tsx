import type {ReactNode} from 'react';
import type {TextEdit} from '../../monitor/transitions/text-edit.ts';
import {cellWidth, padEnd, truncate} from '../../text.ts';
import type {Tone} from '../theme.ts';
import {LABEL} from './fact.tsx';
import {inSight} from './in-sight.ts';
import {Line, Text, useDisplay, useWidth} from './lines.tsx';
import {CutLine} from './section.tsx';

interface LabelProps {
	readonly label: string;
	/** It has the keyboard. */
	readonly isActive: boolean;
}

/** The label of a field, with a mark while the field has the keyboard. */
export function FieldLabel({label, isActive}: LabelProps): ReactNode {
	const {cursor} = useDisplay().glyphs;
	return (
		<>
			<Text tone="accent">{isActive ? cursor : ' '}</Text>
			<Text tone={isActive ? 'key' : 'dim'}>{padEnd(label, LABEL - 1)}</Text>
		</>
	);
}

interface FieldProps extends LabelProps {
	readonly edit: TextEdit;
	/** It stands in an empty field. */
	readonly hint?: string;
}

/** A field that can be typed into, its cursor inverted while it has the keyboard. */
export function Field({label, edit, isActive, hint = ''}: FieldProps): ReactNode {
	const {text, cursor} = inSight(edit, useWidth() - LABEL);
	// In an empty field the cursor stands on the hint, so that it begins where hints of the other fields do.
	const isEmpty = text === '';
	const shown = isEmpty ? hint : text;
	const at = isEmpty ? 0 : cursor;
	const tone = isEmpty ? 'faint' : isActive ? 'strong' : 'text';
	return (
		<CutLine>
			<FieldLabel label={label} isActive={isActive} />
			{isActive ? <WithCursor text={shown} cursor={at} tone={tone} /> : <Text tone={tone}>{shown}</Text>}
		</CutLine>
	);
}

/** A text with its cursor inverted. */
function WithCursor({text, cursor, tone}: TextEdit & {readonly tone: Tone}): ReactNode {
	const next = cursor + ((text.codePointAt(cursor) ?? 0) > 0xffff ? 2 : 1);
	return (
		<>
			<Text tone={tone}>{text.slice(0, cursor)}</Text>
			<Text style={{inverse: true}}>{text.slice(cursor, next) || ' '}</Text>
			<Text tone={tone}>{text.slice(next)}</Text>
		</>
	);
}

/** One of several, turned with the arrow keys. @param texts of the choice, the longest first: the first that fits is taken, and no figure is cut */
export function Choice({label, texts, isActive}: LabelProps & {readonly texts: readonly string[]}): ReactNode {
	const room = useWidth() - LABEL - 4;
	const value = texts.find(text => cellWidth(text) <= room) ?? truncate(texts.at(-1)!, room);
	return (
		<Line>
			<FieldLabel label={label} isActive={isActive} />
			<Text tone={isActive ? 'strong' : 'text'}>{isActive ? `< ${value} >` : value}</Text>
		</Line>
	);
}
