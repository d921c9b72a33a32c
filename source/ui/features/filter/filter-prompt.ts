import {completeFilterLine} from '../../../monitor/filter/complete.ts';
import {filterTokens, parseFilterLine} from '../../../monitor/filter/filter-line.ts';
import {focused} from '../../../monitor/select.ts';
import {topMode} from '../../../monitor/state.ts';
import type {TextEdit} from '../../../monitor/transitions/text-edit.ts';
import type {Row, Span} from '../../../terminal/style.ts';
import {cellWidth} from '../../../text.ts';
import {withKeys} from '../../keymap/key-texts.ts';
import type {Tone} from '../../theme.ts';
import {type Piece, typedLine} from '../../typed-line.ts';
import {cutSpans, toned, type ViewModel} from '../../view-model.ts';

/** A filter that is typed. */
export interface FilterPrompt {
	/** The text before the line. */
	readonly label: string;
	readonly edit: TextEdit;
	readonly width: number;
	/** Shown where nothing more can be typed; without it, which clauses the service applies. */
	readonly done?: string;
}

/** The typed line with its colours, and below it what is wrong, or what could be typed next. */
export function filterPrompt(model: ViewModel, prompt: FilterPrompt): readonly Row[] {
	const {label, edit, width} = prompt;
	return [typedLine(model, label, edit, width, filterPieces(model, edit.text)), messageRow(model, prompt)];
}

const TOKEN_TONES: Readonly<Record<string, Tone>> = {
	field: 'accent',
	operator: 'dim',
	value: 'strong',
	bool: 'brand',
	error: 'bad',
};

function filterPieces(model: ViewModel, text: string): Piece[] {
	const pieces: Piece[] = [];
	let at = 0;
	for (const token of filterTokens(text)) {
		if (token.start > at) pieces.push({start: at, end: token.start, style: model.theme.tones.input});
		const style = model.theme.tones[TOKEN_TONES[token.kind]!];
		pieces.push({
			start: token.start,
			end: token.end,
			style: token.kind === 'error' ? {...style, underline: true} : style,
		});
		at = token.end;
	}
	if (at < text.length) pieces.push({start: at, end: text.length, style: model.theme.tones.input});
	return pieces;
}

/** Each clause with where it is applied: `S` by the service, `L` here, to the rows loaded. */
function clauseTags(model: ViewModel, {parts}: ReturnType<typeof parseFilterLine>): Span[] {
	const isLocal = focused(model.state).isLocal === true;
	const tags = parts.flatMap(({text}) => [
		toned(model, isLocal ? 'warn' : 'good', isLocal ? 'L ' : 'S '),
		toned(model, 'dim', `${text}  `),
	]);
	const {rows} = focused(model.state);
	const said = isLocal
		? `L: applied here, to the ${rows.size} rows loaded, not to all tokens`
		: 'S: applied by the service, to all tokens';
	return [...tags, toned(model, 'faint', said)];
}

/** Under the line: what is wrong and where, or what could be typed next. */
function messageRow(model: ViewModel, {label, edit, width, done}: FilterPrompt): Row {
	const indent = cellWidth(label);
	const keyed = (text: string): string =>
		withKeys(text, model.keys, model.glyphs.subscripts === '', topMode(model.state).kind);
	const parsed = parseFilterLine(edit.text);
	const completions = completeFilterLine(edit.text, edit.cursor);
	// Text that can still become valid is not reported as an error while it is typed.
	const isBeginning = completions.some(
		({start, end, text}) =>
			text.length > end - start && text.startsWith(edit.text.slice(start, end)) && end > start && end === edit.cursor,
	);
	const error = parsed.ok
		? undefined
		: (parsed.errors.find(e => edit.cursor >= e.start && edit.cursor <= e.end) ?? parsed.errors[0]);
	if (error && !(isBeginning && edit.cursor >= error.start && edit.cursor <= error.end)) {
		const at = indent + cellWidth(edit.text.slice(0, error.start));
		const {suggestion} = error;
		const isSaid = suggestion === undefined || error.message.includes(suggestion);
		const message = isSaid ? error.message : `${error.message} (${suggestion}?)`;
		// The caret points at the place; a message that would not fit there moves left of it.
		const from = Math.max(Math.min(at, width - cellWidth(message) - 3), 0);
		return cutSpans([{text: ' '.repeat(from)}, toned(model, 'bad', `^ ${message}`)], width);
	}
	if (edit.text.trim() === '')
		return cutSpans(
			[
				{text: ' '.repeat(indent)},
				toned(model, 'dim', 'mcap>50k holders>=100 age<10m dev<5% bonding:80..99 chain:solana type:pumpfun -kw:elon'),
			],
			width,
		);
	const words = completions.slice(0, 8).map(completion => completion.text);
	if (words.length === 0 && done === undefined)
		return cutSpans([{text: ' '.repeat(indent)}, ...clauseTags(model, parsed)], width);
	return cutSpans(
		[
			{text: ' '.repeat(indent)},
			toned(
				model,
				'dim',
				words.length === 0 ? keyed(done ?? '') : `${keyed('{prompt.complete}: ')}${words.join('  ')}`,
			),
		],
		width,
	);
}
