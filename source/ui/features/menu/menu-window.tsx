import {type ReactNode, useContext} from 'react';
import type {MenuMode, Mode} from '../../../monitor/mode.ts';
import {cellWidth, fitTo, graphemes} from '../../../text.ts';
import type {MenuContext, MenuItem, MenuSpec} from '../../feature.ts';
import {withKeys} from '../../keymap/key-texts.ts';
import {Line, Text, useDisplay, useWidth} from '../../live/lines.tsx';
import {Modal} from '../../modals/modal.tsx';
import {ScreenSize} from '../../modals/screen-size.ts';
import {wrapText} from '../../wrap-text.ts';
import {FRAME_ROWS, MAX_MENU_ROWS} from './mark-line.ts';

export interface MenuProps {
	readonly spec: MenuSpec<Mode, unknown>;
	readonly mode: MenuMode;
	readonly context: MenuContext;
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

/** A list to choose from, narrowed by the typed text. */
export function Menu({spec, mode, context}: MenuProps): ReactNode {
	const screen = useContext(ScreenSize);
	const {keys, state} = context;
	const named = (text: string): string => withKeys(text, keys, context.isAscii, mode.kind);
	const width = Math.min(spec.width ?? 64, screen.columns - 2);
	const items = context.itemsOf(mode);
	const message = spec.message?.(mode, context, items[mode.index]);
	const isTyping = 'edit' in mode;
	const typed = isTyping ? mode.edit.text : 'narrow' in mode ? mode.narrow : undefined;
	const index = Math.min(mode.index, Math.max(items.length - 1, 0));
	const frame = FRAME_ROWS + (typed === undefined ? 0 : 1) + (message === undefined ? 0 : 1);
	const inner = width - 4;
	const empty = items.length > 0 || message?.isProblem ? [] : wrapText(named(emptyText(spec, typed, isTyping)), inner);
	const height = Math.min(Math.max(items.length, empty.length) + frame, screen.rows - 2, MAX_MENU_ROWS);
	const room = Math.max(height - frame, 1);
	const top = Math.min(Math.max(index - room + 2, 0), Math.max(items.length - room, 0));
	const hasChecks = items.some(({isCurrent}) => isCurrent !== undefined);
	return (
		<Modal
			title={<Text tone="brand">{named(spec.title).replace('VIEW', state.focus.toUpperCase())}</Text>}
			width={width}
			height={Math.max(height, frame + 1)}
		>
			{typed !== undefined && <TypedWords text={typed} isTyping={isTyping} />}
			{message !== undefined && (
				<Line>
					<Text tone={message.isProblem ? 'bad' : 'dim'}>{`  ${wholeSentences(message.text, inner - 2)}`}</Text>
				</Line>
			)}
			{items.slice(top, top + room).map((item, at) => (
				<MenuRow key={item.id} item={item} isMarked={top + at === index} hasChecks={hasChecks} />
			))}
			{empty.map(text => (
				<Line key={text}>
					<Text tone="dim">{text}</Text>
				</Line>
			))}
		</Modal>
	);
}

/** The words that narrow the list, with a cursor while they are typed. */
function TypedWords({text, isTyping}: {readonly text: string; readonly isTyping: boolean}): ReactNode {
	const width = useWidth();
	const {theme} = useDisplay();
	return (
		<Line>
			<Text tone="key">{`${isTyping ? '>' : '/'} ${endOf(text, width - 3)}`}</Text>
			<Text style={{...theme.tones.key, inverse: isTyping}}> </Text>
		</Line>
	);
}

interface MenuRowProps {
	readonly item: MenuItem;
	readonly isMarked: boolean;
	readonly hasChecks: boolean;
}

function MenuRow({item, isMarked, hasChecks}: MenuRowProps): ReactNode {
	const width = useWidth();
	const {theme, glyphs} = useDisplay();
	const {label, note, disabled, isCurrent} = item;
	const end = disabled ?? note;
	const endWidth = Math.min(cellWidth(end), Math.floor(width / 2));
	const check = !hasChecks ? '' : isCurrent ? glyphs.check : ' ';
	return (
		<Line band={isMarked ? theme.cursor : undefined}>
			<Text tone="accent">
				{isMarked ? glyphs.cursor : ' '}
				{check}
			</Text>
			<Text tone={disabled === undefined ? 'text' : 'faint'}>{fitTo(label, width - endWidth - 2 - check.length)}</Text>
			<Text tone="dim">{` ${fitTo(end, endWidth)}`}</Text>
		</Line>
	);
}
