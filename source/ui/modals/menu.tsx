import type {ReactNode} from 'react';
import type {Mode} from '../../monitor/mode.ts';
import type {Row} from '../../terminal/style.ts';
import {cellWidth, fitTo, graphemes} from '../../text.ts';
import type {MenuContext, MenuItem, MenuSpec} from '../feature.ts';
import type {MenuMode} from '../features/menu/mode.ts';
import type {Glyphs} from '../glyphs.ts';
import {withKeys} from '../keymap/key-texts.ts';
import {on, type Theme} from '../theme.ts';
import {wrapText} from '../wrap-text.ts';
import {Modal} from './modal.tsx';

export interface MenuProps {
	readonly spec: MenuSpec<Mode, unknown>;
	readonly mode: MenuMode;
	readonly context: MenuContext;
	readonly screen: {readonly columns: number; readonly rows: number};
	readonly theme: Theme;
	readonly glyphs: Glyphs;
}

/** Why a list is empty, and what to do about it. */
function emptyText({empty}: MenuProps['spec'], typed: string | undefined, isTyping: boolean): string {
	if (isTyping) return 'Nothing by that name. {edit.backspace} takes letters back.';
	if (typed !== undefined) return 'Nothing by that name. {menu.close} shows all.';
	return empty ?? 'Nothing here yet.';
}

/** The end of a typed text, which has the cursor. */
function endOf(text: string, width: number): string {
	return cellWidth(text) <= width
		? text
		: `…${graphemes(text)
				.slice(1 - width)
				.join('')}`;
}

/** The first sentences of a text, as many as fit in a width; all of it where not even one does. */
function wholeSentences(text: string, width: number): string {
	const sentences = text.split(/(?<=[.:!?]) +(?=[A-Z])/);
	while (sentences.length > 1 && cellWidth(sentences.join(' ')) > width) sentences.pop();
	return cellWidth(sentences[0]!) > width ? text : sentences.join(' ');
}

/** A list to choose from, narrowed by what is typed. */
export function Menu({spec, mode, context, screen, theme, glyphs}: MenuProps): ReactNode {
	const {keys, state} = context;
	const named = (text: string): string => withKeys(text, keys, context.isAscii, mode.kind);
	const width = Math.min(spec.width ?? 64, screen.columns - 2);
	const items = context.itemsOf(mode);
	const message = spec.message?.(mode, context, items[mode.index]);
	const isTyping = 'edit' in mode;
	const typed = isTyping ? mode.edit.text : 'narrow' in mode ? mode.narrow : undefined;
	const index = Math.min(mode.index, Math.max(items.length - 1, 0));
	const frame = (typed === undefined ? 3 : 4) + (message === undefined ? 0 : 1);
	const inner = width - 4;
	const empty = items.length > 0 || message?.isProblem ? [] : wrapText(named(emptyText(spec, typed, isTyping)), inner);
	const height = Math.min(Math.max(items.length, empty.length) + frame, screen.rows - 2, 26);
	const room = Math.max(height - frame, 1);
	const top = Math.min(Math.max(index - room + 2, 0), Math.max(items.length - room, 0));
	const {tones} = theme;
	const hasChecks = items.some(({isCurrent}) => isCurrent !== undefined);
	const lines: Row[] = items
		.slice(top, top + room)
		.map((item, at) => menuRow(item, top + at === index, inner, {theme, glyphs, hasChecks}));
	lines.push(...empty.map((text): Row => [{text, style: tones.dim}]));
	if (message !== undefined)
		lines.unshift([
			{text: `  ${wholeSentences(message.text, inner - 2)}`, style: message.isProblem ? tones.bad : tones.dim},
		]);
	if (typed !== undefined)
		lines.unshift([
			{text: `${isTyping ? '>' : '/'} ${endOf(typed, inner - 3)}`, style: tones.key},
			{text: ' ', style: {...tones.key, inverse: isTyping}},
		]);
	return (
		<Modal
			title={[{text: named(spec.title).replace('VIEW', state.focus.toUpperCase()), style: tones.brand}]}
			lines={lines}
			width={width}
			height={Math.max(height, frame + 1)}
			screen={screen}
			theme={theme}
			glyphs={glyphs}
		/>
	);
}

function menuRow(
	{label, note, disabled, isCurrent}: MenuItem,
	isMarked: boolean,
	width: number,
	{theme, glyphs, hasChecks}: Pick<MenuProps, 'theme' | 'glyphs'> & {readonly hasChecks: boolean},
): Row {
	const end = disabled ?? note;
	const endWidth = Math.min(cellWidth(end), Math.floor(width / 2));
	const check = !hasChecks ? '' : isCurrent ? glyphs.check : ' ';
	const row: Row = [
		{text: `${isMarked ? glyphs.cursor : ' '}${check}`, style: theme.tones.accent},
		{
			text: fitTo(label, width - endWidth - 2 - check.length),
			style: disabled === undefined ? theme.tones.text : theme.tones.faint,
		},
		{text: ` ${fitTo(end, endWidth)}`, style: theme.tones.dim},
	];
	return isMarked ? row.map(({text, style}) => ({text, style: on(theme, style, theme.cursor)})) : row;
}
