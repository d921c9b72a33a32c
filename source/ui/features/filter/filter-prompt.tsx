import {Fragment, type ReactNode} from 'react';
import {mistakeText} from '../../../monitor/filter/clause.ts';
import {completeFilterLine} from '../../../monitor/filter/complete.ts';
import {filterTokens, parseFilterLine} from '../../../monitor/filter/filter-line.ts';
import {focused} from '../../../monitor/select.ts';
import {topMode} from '../../../monitor/state.ts';
import {cellWidth} from '../../../text.ts';
import {withKeys} from '../../keymap/key-texts.ts';
import {Text, useWidth} from '../../live/lines.tsx';
import {CutLine} from '../../live/section.tsx';
import {type Piece, TypedLine, type TypedLineProps} from '../../live/typed-line.tsx';
import type {Tone} from '../../theme.ts';
import type {ViewModel} from '../../view-model.ts';

export interface FilterPromptProps extends Pick<TypedLineProps, 'label' | 'edit'> {
	readonly model: ViewModel;
	/** Shown where nothing more can be typed; without it, which clauses the service applies. */
	readonly done?: string;
}

/** The typed line with its colours; below it the mistake, or words that could come next. */
export function FilterPrompt(props: FilterPromptProps): ReactNode {
	const {model, label, edit} = props;
	return (
		<>
			<TypedLine label={label} edit={edit} pieces={filterPieces(model, edit.text)} />
			<CutLine>
				<Message {...props} />
			</CutLine>
		</>
	);
}

const TOKEN_TONES: Readonly<Record<string, Tone>> = {
	field: 'accent',
	operator: 'dim',
	value: 'strong',
	bool: 'brand',
	error: 'bad',
};

function filterPieces({theme: {tones}}: ViewModel, text: string): Piece[] {
	const pieces: Piece[] = [];
	let at = 0;
	for (const {start, end, kind} of filterTokens(text)) {
		if (start > at) pieces.push({start: at, end: start, style: tones.input});
		const style = tones[TOKEN_TONES[kind]!];
		pieces.push({start, end, style: kind === 'error' ? {...style, underline: true} : style});
		at = end;
	}
	if (at < text.length) pieces.push({start: at, end: text.length, style: tones.input});
	return pieces;
}

/** Under the line: what is wrong and where, or what could be typed next. */
function Message({model, label, edit, done}: FilterPromptProps): ReactNode {
	const width = useWidth();
	const indent = cellWidth(label);
	const keyed = (text: string): string =>
		withKeys(text, model.keys, model.glyphs.subscripts === '', topMode(model.state).kind);
	const completions = completeFilterLine(edit.text, edit.cursor);
	const error = shownError(edit, completions);
	if (error) {
		const message = mistakeText(error);
		// The caret points at the place; a message that would not fit there moves left of it.
		const at = indent + cellWidth(edit.text.slice(0, error.start));
		const from = Math.max(Math.min(at, width - cellWidth(message) - 3), 0);
		return [' '.repeat(from), <Text key="error" tone="bad">{`^ ${message}`}</Text>];
	}
	const words = completions.slice(0, 8).map(completion => completion.text);
	const next =
		edit.text.trim() === ''
			? 'mcap>50k holders>=100 age<10m dev<5% bonding:80..99 chain:solana type:pumpfun -kw:elon'
			: words.length > 0
				? `${keyed('{prompt.complete}: ')}${words.join('  ')}`
				: done && keyed(done);
	return [
		' '.repeat(indent),
		next === undefined ? (
			<ClauseTags key="tags" model={model} line={edit.text} />
		) : (
			<Text key="next" tone="dim">
				{next}
			</Text>
		),
	];
}

/** The error under the cursor, else the first; text that can still become valid is no error while it is typed. */
function shownError({text: line, cursor}: TypedLineProps['edit'], completions: ReturnType<typeof completeFilterLine>) {
	const parsed = parseFilterLine(line);
	if (parsed.ok) return undefined;
	const error = parsed.errors.find(({start, end}) => cursor >= start && cursor <= end) ?? parsed.errors[0]!;
	const isBeginning = completions.some(
		({start, end, text}) =>
			text.length > end - start && text.startsWith(line.slice(start, end)) && end > start && end === cursor,
	);
	return isBeginning && cursor >= error.start && cursor <= error.end ? undefined : error;
}

/** Each clause with where it is applied: `S` by the service, `L` here, to the rows loaded. */
function ClauseTags({model, line}: {readonly model: ViewModel; readonly line: string}): ReactNode {
	const {isLocal = false, rows} = focused(model.state);
	return (
		<>
			{parseFilterLine(line).parts.map(({text, start}) => (
				<Fragment key={start}>
					<Text tone={isLocal ? 'warn' : 'good'}>{isLocal ? 'L ' : 'S '}</Text>
					<Text tone="dim">{`${text}  `}</Text>
				</Fragment>
			))}
			<Text tone="faint">
				{isLocal
					? `L: applied here, to the ${rows.size} rows loaded, not to all tokens`
					: 'S: applied by the service, to all tokens'}
			</Text>
		</>
	);
}
