import type {ReactNode} from 'react';
import type {Mode, ViewName} from '../../monitor/state.ts';
import type {Row} from '../../terminal/style.ts';
import {cellWidth, fitTo, graphemes} from '../../text.ts';
import type {BoundKeys} from '../bound-keys.ts';
import {withKeys} from '../key-texts.ts';
import type {MenuItem} from '../menus.ts';
import type {Signs} from '../signs.ts';
import {on, type Theme} from '../theme.ts';
import {wrapText} from '../wrap-text.ts';
import {Modal} from './modal.tsx';

export interface MenuProps {
	readonly mode: Exclude<Extract<Mode, {readonly index: number}>, {readonly kind: 'menuNarrow'}>;
	/** Words are typed that narrow a menu of letters. */
	readonly isNarrowing?: boolean;
	/** The focused column, which sort and fields are about. */
	readonly view: ViewName;
	readonly items: readonly MenuItem[];
	/** Under the typed line: what is wrong with it, or how it goes on. */
	readonly message?: {readonly text: string; readonly isProblem: boolean} | undefined;
	readonly screen: {readonly columns: number; readonly rows: number};
	readonly theme: Theme;
	readonly signs: Signs;
	/** The keys in force. */
	readonly keys: BoundKeys;
}

const TITLES: Readonly<Record<MenuProps['mode']['kind'], string>> = {
	sort: 'Sort VIEW by (type to narrow, choose again to reverse)',
	palette: 'Commands (type to narrow; why, go, sort, filter take arguments)',
	themes: 'Colours',
	alerts: 'Alert rules and recent alerts',
	presets: 'Saved views ({preset.number} loads one, {preset.save} saves what is on screen)',
	fields: 'Row fields of VIEW (the first are kept longest)',
	links: 'Links ({menu.accept} opens, {links.copy} copies)',
	columns: 'Columns of the screen, from left to right',
	hidden: 'Hidden, the newest first ({menu.accept} shows one again)',
	chains: 'Chains of all columns (none chosen: all)',
	launchpads: 'Launchpads of all columns (none chosen: all)',
	commandConfirm: 'Run this command?',
	filter: 'Filter',
};

/** Why a list is empty, and what to do about it. */
function nothing(kind: MenuProps['mode']['kind'], typed: string | undefined, isTyping: boolean): string {
	if (isTyping) return 'Nothing by that name. {edit.backspace} takes letters back.';
	if (typed !== undefined) return 'Nothing by that name. {menu.close} shows all.';
	return kind === 'alerts' ? 'No rule yet: {alerts.new} adds one, such as mcap>100k dev<5%' : 'Nothing here yet.';
}

/** What narrows the lines; undefined where all are shown and nothing is typed. */
function typedIn(mode: MenuProps['mode']): string | undefined {
	if (mode.kind === 'sort') return mode.query.text;
	if (mode.kind === 'palette') return mode.edit.text;
	return mode.kind === 'fields' || mode.kind === 'presets' ? mode.narrow : undefined;
}

/** The end of a typed text, where the typing goes on. */
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
export function Menu({
	mode,
	isNarrowing = false,
	view,
	items,
	message,
	screen,
	theme,
	signs,
	keys,
}: MenuProps): ReactNode {
	const named = (text: string): string => withKeys(text, keys, signs.subscripts === '', mode.kind);
	const width = Math.min(mode.kind === 'palette' || mode.kind === 'links' ? 92 : 64, screen.columns - 2);
	const typed = typedIn(mode);
	const isTyping = isNarrowing || mode.kind === 'sort' || mode.kind === 'palette';
	const index = Math.min(mode.index, Math.max(items.length - 1, 0));
	const frame = (typed === undefined ? 3 : 4) + (message === undefined ? 0 : 1);
	const inner = width - 4;
	const empty =
		items.length > 0 || message?.isProblem ? [] : wrapText(named(nothing(mode.kind, typed, isTyping)), inner);
	const height = Math.min(Math.max(items.length, empty.length) + frame, screen.rows - 2, 26);
	const room = Math.max(height - frame, 1);
	const top = Math.min(Math.max(index - room + 2, 0), Math.max(items.length - room, 0));
	const {tones} = theme;
	const hasChecks = items.some(({isCurrent}) => isCurrent !== undefined);
	const lines: Row[] = items
		.slice(top, top + room)
		.map((item, at) => menuRow(item, top + at === index, inner, {theme, signs, hasChecks}));
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
			title={[{text: named(TITLES[mode.kind]).replace('VIEW', view.toUpperCase()), style: tones.brand}]}
			lines={lines}
			width={width}
			height={Math.max(height, frame + 1)}
			screen={screen}
			theme={theme}
			signs={signs}
		/>
	);
}

function menuRow(
	{label, note, disabled, isCurrent}: MenuItem,
	isMarked: boolean,
	width: number,
	{theme, signs, hasChecks}: Pick<MenuProps, 'theme' | 'signs'> & {readonly hasChecks: boolean},
): Row {
	const end = disabled ?? note;
	const endWidth = Math.min(cellWidth(end), Math.floor(width / 2));
	const check = !hasChecks ? '' : isCurrent ? signs.check : ' ';
	const row: Row = [
		{text: `${isMarked ? signs.cursor : ' '}${check}`, style: theme.tones.accent},
		{
			text: fitTo(label, width - endWidth - 2 - check.length),
			style: disabled === undefined ? theme.tones.text : theme.tones.faint,
		},
		{text: ` ${fitTo(end, endWidth)}`, style: theme.tones.dim},
	];
	return isMarked ? row.map(({text, style}) => ({text, style: on(theme, style, theme.cursor)})) : row;
}
