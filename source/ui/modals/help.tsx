import type {ReactNode} from 'react';
import type {Row} from '../../terminal/style.ts';
import {fitTo} from '../../text.ts';
import {type BoundKeys, keysText} from '../bound-keys.ts';
import {withKeys} from '../key-texts.ts';
import {GROUPS} from '../keymap.ts';
import {moreLines, type Signs} from '../signs.ts';
import type {Theme} from '../theme.ts';
import {wrapText} from '../wrap-text.ts';
import {Modal} from './modal.tsx';

export interface HelpProps {
	readonly scroll: number;
	/** The keys in force. */
	readonly keys: BoundKeys;
	readonly screen: {readonly columns: number; readonly rows: number};
	readonly theme: Theme;
	readonly signs: Signs;
}

/** One line of the help: a heading, or keys and what they do. */
export interface HelpLine {
	readonly keys?: string;
	readonly text: string;
}

/** Cells for the names of keys: a third of a narrow help. */
function keysWidthOf(columns: number): number {
	return Math.min(Math.max(Math.floor((helpWidth(columns) - 4) / 3), 9), 16);
}

export function helpWidth(columns: number): number {
	return Math.min(columns - 2, 96);
}

/** Inside lines that the help shows at once. */
export function helpPage(rows: number): number {
	return Math.max(rows - 2 - 3, 1);
}

/** The whole help for a width, made from the table of keys, with what the marks mean at its end. */
export function helpLines(columns: number, ascii: boolean, signs: Signs, bound: BoundKeys): readonly HelpLine[] {
	const {bindings: all} = bound;
	const keysWidth = keysWidthOf(columns);
	const room = helpWidth(columns) - 4 - keysWidth - 1;
	const lines: HelpLine[] = [];
	const add = (keys: string, words: string): void => {
		const names = wrapText(keys, keysWidth);
		const sentence = wrapText(withKeys(words, bound, ascii), room);
		for (let at = 0; at < Math.max(names.length, sentence.length); at++)
			lines.push({keys: names[at] ?? '', text: sentence[at] ?? ''});
	};
	lines.push({text: 'WHAT THIS IS'});
	add('NEW', 'Tokens as they are launched.');
	add('BONDING', 'Tokens being sold on a bonding curve: each buy raises the price, until the curve is full.');
	add('BONDED', 'Tokens whose curve is full: they trade on an exchange.');
	add('PRACTICE', 'In the first line: a simulated market and test money. Nothing real is moved.');
	lines.push({text: ''});
	for (const group of GROUPS) {
		lines.push({text: group.toUpperCase()});
		for (const binding of all.filter(candidate => candidate.group === group)) {
			const isShared = all.some(other => other !== binding && other.id === binding.id);
			add(keysText(binding, ascii), isShared ? `${binding.help} (${binding.modes.join(', ')})` : binding.help);
		}
		lines.push({text: ''});
	}
	lines.push({text: 'MOUSE'});
	add(
		'click',
		'Put the cursor on a token; again opens it. On a heading (MCAP, AGE): sort by it, again turns the order around.',
	);
	add('wheel', 'Scroll the column, the detail pane or the menu under the mouse. A click never moves money.');
	add(
		'Shift+drag',
		'Select text as usual (Option in some terminals). mouse = false under [ui] in the configuration leaves the mouse to the terminal.',
	);
	lines.push({text: ''});
	lines.push({text: 'WHAT THE MARKS MEAN'});
	add(
		'MCAP CHG VOL',
		'Market cap, price change and volume; 5m, 1h: the time that they are over. Money is in US dollars.',
	);
	add('HOLD B/S LIQ NET', 'Holders, buys and sells, liquidity, network.');
	add(
		'RISK  D T S I B',
		'Developer, top 10 holders, snipers, insiders, bundlers: a dot is fine, a small letter a warning, a capital bad, ? not reported.',
	);
	add(
		`${signs.pin}  ${signs.gone}  ${signs.frozen} held`,
		'Pinned; left the view but kept because the order is held; the order holds still until {order.release}.',
	);
	add(
		`!  ${signs.alike}`,
		'Looks like something else: ! foreign letters or the symbol of known money, the other sign a name that an older or larger token has. The detail pane names it.',
	);
	add('!  !!', 'Behind a share of the supply in the detail pane: a warning; bad.');
	add(`${signs.arrow}`, 'Came from an earlier column within the last 10 s.');
	add(`${signs.up} ${signs.down} before MCAP`, 'The price just went up or down.');
	add(`${signs.unknown}`, 'Not reported. Unknown is never shown as 0.');
	add('seconds at right', 'Age of the column’s data, apart from the connection.');
	return lines;
}

/** All keys, in groups. */
export function Help({scroll, keys, screen, theme, signs}: HelpProps): ReactNode {
	const lines = helpLines(screen.columns, signs.subscripts === '', signs, keys);
	const page = helpPage(screen.rows);
	const rest = lines.length - scroll - page;
	const title = `Help${rest > 0 ? ` (${moreLines(signs, rest)}: ${keys.keyOf('help.down') ?? 'wheel'})` : ''}`;
	return (
		<Modal
			title={[{text: title, style: theme.tones.brand}]}
			lines={lines.slice(scroll, scroll + page).map(line => helpRow(line, keysWidthOf(screen.columns), theme))}
			width={helpWidth(screen.columns)}
			height={Math.min(lines.length + 3, screen.rows - 2)}
			screen={screen}
			theme={theme}
			signs={signs}
		/>
	);
}

function helpRow({keys, text}: HelpLine, keysWidth: number, {tones}: Theme): Row {
	if (keys === undefined) return [{text, style: {...tones.accent, bold: true}}];
	return [
		{text: `${fitTo(keys, keysWidth)} `, style: tones.key},
		{text, style: tones.text},
	];
}
