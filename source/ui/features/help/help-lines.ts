import {chainLegend} from '../../../chains/chain-words.ts';
import {BONDING_FROM_PERCENT} from '../../../monitor/columns/shown-keys.ts';
import type {Glyphs} from '../../glyphs.ts';
import type {BoundKeys} from '../../keymap/binding.ts';
import {keysText} from '../../keymap/key-names.ts';
import {withKeys} from '../../keymap/key-texts.ts';
import {wrapText} from '../../wrap-text.ts';
import {GROUP_WIDTH, pairText, type SummaryLine, summaryLines} from './help-summary.ts';

/** One line of the help: a heading, or keys and what they do. */
export interface HelpLine {
	readonly keys?: string;
	readonly text: string;
	/** The heading of a section. */
	readonly section?: string;
	/** The parts of a line of the summary, whose text they are. */
	readonly pairs?: SummaryLine['pairs'];
}

export interface HelpCanvas {
	/** Cells of the screen. */
	readonly columns: number;
	readonly glyphs: Glyphs;
	/** The keys in force. */
	readonly keys: BoundKeys;
	/** The market is that of real chains: nothing is practice. */
	readonly isReal: boolean;
}

/** Cells for the names of keys: a third of a narrow help. */
export function keysWidthOf(columns: number): number {
	return Math.min(Math.max(Math.floor((helpWidth(columns) - 4) / 3), 9), 16);
}

/** Cells of the help window, border included. @param columns cells of the screen */
export function helpWidth(columns: number): number {
	return Math.min(columns - 2, 96);
}

/** Inside lines that the help shows at once. */
export function helpPage(rows: number): number {
	return Math.max(rows - 2 - 3, 1);
}

/** Cached, since each key in the help reads the lines again: by the keys in force, which many screens share. */
const made = new WeakMap<BoundKeys, Map<string, readonly HelpLine[]>>();
/** A terminal window that is resized goes through many widths. */
const MAX_KEPT = 16;

/** The whole help for a width: what the screen shows, then all keys by the place where they are pressed, from their table. */
export function helpLines(canvas: HelpCanvas): readonly HelpLine[] {
	const {columns, glyphs, keys, isReal} = canvas;
	const name = `${columns} ${glyphs.subscripts === ''} ${isReal}`;
	const kept = made.get(keys) ?? new Map<string, readonly HelpLine[]>();
	made.set(keys, kept);
	const lines = kept.get(name) ?? makeLines(canvas);
	if (kept.size >= MAX_KEPT) kept.clear();
	kept.set(name, lines);
	return lines;
}

function makeLines({columns, glyphs, keys, isReal}: HelpCanvas): readonly HelpLine[] {
	const ascii = glyphs.subscripts === '';
	const keysWidth = keysWidthOf(columns);
	const room = helpWidth(columns) - 4 - keysWidth - 1;
	const lines: HelpLine[] = [];
	const add = (names: string, text: string): void => {
		const left = wrapText(names, keysWidth);
		const right = wrapText(withKeys(text, keys, ascii), room);
		for (let at = 0; at < Math.max(left.length, right.length); at++)
			lines.push({keys: left[at] ?? '', text: right[at] ?? ''});
	};
	for (const {group, pairs} of summaryLines(keys, helpWidth(columns) - 4 - GROUP_WIDTH, ascii)) {
		lines.push({keys: group, text: pairs.map(pairText).join('  '), pairs});
	}
	lines.push({text: 'WHAT THE SCREEN SHOWS'});
	for (const [names, text] of legend(glyphs, isReal)) add(names, text);
	for (const {id, title, topics, notes} of keys.sections()) {
		lines.push({text: ''});
		for (const [at, text] of wrapText(withKeys(title, keys, ascii), room + keysWidth).entries())
			lines.push({text, ...(at === 0 && {section: id})});
		for (const {name, bindings} of topics) {
			if (name !== undefined) add('', `${glyphs.line} ${name} ${glyphs.line}`);
			for (const binding of bindings) {
				const isShared = keys.bindings.some(
					other => other !== binding && other.id === binding.id && other.keys.length > 0 && !other.isLine,
				);
				add(keysText(binding, ascii), isShared ? `${binding.help} (${binding.modes.join(', ')})` : binding.help);
			}
		}
		for (const [names, text] of notes) add(names, text);
	}
	lines.push({text: ''}, {text: 'MORE OF ROWS AND TITLES'});
	for (const [names, text] of moreLegend(glyphs, isReal)) add(names, text);
	lines.push({text: ''}, {text: 'MOUSE'});
	for (const [names, text] of MOUSE) add(names, text);
	return lines;
}

/** Meanings of the parts of the screen. */
function legend(glyphs: Glyphs, isReal: boolean): readonly (readonly [string, string])[] {
	return [
		['NEW BONDING', 'Just launched; on a bonding curve (bar: how full).'],
		['BONDED', 'On an exchange. BOND: time since the curve was full.'],
		isReal
			? ['LIVE, behind', 'Real launches. Yellow: late or incomplete. Red: stopped.']
			: ['PRACTICE', 'A simulated market and test money: nothing is real.'],
		['RISK', 'The worst: dev, top 10, snipers, insiders, bundlers, tax'],
		['', `%, mint, frz, honey, spam; + warn ! bad ${glyphs.dot} fine ? unknown.`],
		[
			`! ${glyphs.alike} ${glyphs.namesake} a name`,
			`A copy? ${glyphs.alike} of a larger token, ${glyphs.namesake} same name, ! odd letters.`,
		],
		[
			`${glyphs.held} ${glyphs.underWay} ${glyphs.arrow} ${glyphs.pin} ${glyphs.departed}`,
			'Held; being traded; just bonded; pinned; departed, kept.',
		],
		[`${glyphs.up} ${glyphs.down} colours`, 'Price just moved. Green good, red bad, yellow a warning.'],
		[glyphs.unknown, 'Not reported. Unknown is never shown as 0.'],
		[`${glyphs.frozen} frozen  +3 new`, 'The cursor freezes the order, {order.release} goes live; 3 wait.'],
	];
}

/** Meanings of the parts of wide rows and of titles. */
function moreLegend(glyphs: Glyphs, isReal: boolean): readonly (readonly [string, string])[] {
	return [
		['MCAP CHG VOL', 'Market cap, change, volume in USD. The window stands in the title; {window.next} changes it.'],
		['HOLD BUY/SELL LIQ', 'Holders, buys and sells, liquidity.'],
		['50/840', 'Rows shown of all that match a filter.'],
		[
			'L ? in a title',
			'L behind a sort or before a filter: the service did not apply it; it was applied to the rows loaded. ? behind a sort: no row has the figure.',
		],
		['data 8s', 'How old the data is, once it is not fresh.'],
		[
			`${glyphs.alike} ${glyphs.namesake} before a name`,
			`${glyphs.alike} of a much larger or bonded token; ${glyphs.namesake} shares a name or account with others. {detail.open} names it. !: foreign letters, or the symbol of known money.`,
		],
		...(isReal ? ([['~ before a figure', 'An average: the pool’s price after that trade is unknown.']] as const) : []),
		[
			'LIVE, NOT LIVE',
			'A market of real chains, and how old the newest block is that is shown. Yellow: a chain is late or reads its past, blocks could not be read (gaps), or a launchpad wrote what this version does not know. Red: nothing new comes, with the reason. No practice money stands beside it.',
		],
		['ON', `The chain: ${chainLegend()}.`],
		[
			'BOND, BONDED',
			`The time since a token bonded; ${glyphs.unknown}: it was listed without a curve. AGE counts from the launch.`,
		],
		[
			'DEV TOP SNI INS BUN',
			'The five holdings as percentages of the supply: + behind a warning, ! behind what is bad, ? not reported.',
		],
		['MF', `M: more can be minted. F: transfers can be frozen. ${glyphs.dot} no, ? not reported.`],
		[
			`${glyphs.held} ${glyphs.underWay} before a name`,
			'You hold some of the token; a trade of it is under way. {positions.open} lists them with cost and value.',
		],
		['WEB', 'x Twitter, w website, t Telegram.'],
		['PRICE 10m', 'The price of the last ten minutes as a line, as far as pulsetop has watched the token.'],
		[
			'6 in BONDING',
			`Matching tokens that stand in that column: a token is shown in one only, in NEW until ${BONDING_FROM_PERCENT} % of its curve.`,
		],
		[
			'TRENDING',
			'A fourth column, of the tokens with the highest trending score, where the service has it: {columns.open} shows it. Its tokens are of any phase, and stand in the column of their phase, too.',
		],
		[
			'51-100/4,931',
			'Later rows, read at the end of the column. Their figures stay live, their order is frozen; {cursor.first} goes back.',
		],
		['2 left', 'Rows that left the column but are kept while its order is frozen. They are not counted as shown.'],
	];
}

const MOUSE: readonly (readonly [string, string])[] = [
	[
		'click',
		'Put the cursor on a token; again opens it. On a heading (MCAP, AGE): sort by it, again turns the order around.',
	],
	['wheel', 'Scroll the column, the detail pane or the menu under the mouse. A click never moves money.'],
	[
		'Shift+drag',
		'Select text (Option in some terminals). mouse = false under [ui] in the configuration leaves the mouse to the terminal.',
	],
];

/** Where a section begins, the first line without one. */
export function sectionStart(lines: readonly HelpLine[], section: string): number {
	return Math.max(
		lines.findIndex(line => line.section !== undefined && line.section === section),
		0,
	);
}

/** The lines that contain the words, in any case. */
export function helpHits(lines: readonly HelpLine[], query: string): readonly number[] {
	const needle = query.trim().toLowerCase();
	if (needle === '') return [];
	return lines.flatMap((line, at) => (`${line.keys ?? ''} ${line.text}`.toLowerCase().includes(needle) ? [at] : []));
}
