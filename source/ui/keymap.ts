import type {Actions} from '../monitor/actions.ts';
import {BOARDS} from '../monitor/boards/board.ts';
import {freshness, selected} from '../monitor/select.ts';
import {type ModeKind, type MonitorState, topMode} from '../monitor/state.ts';
import type {BoardActions} from './boards/board-actions.ts';
import {BOARD_KEYS} from './boards/board-keys.ts';
import type {ComfortActions} from './comfort-actions.ts';
import {COMFORT_KEYS} from './comfort-keys.ts';
import type {MoneyActions} from './desk/money-actions.ts';
import {HIDE_BINDINGS} from './features/hides/hide-keys.ts';
import {SCOPE_BINDINGS} from './features/scope/scope-keys.ts';
import type {UiActions} from './ui-actions.ts';

/** Everything that a key can do. */
export type Verbs = Actions & UiActions & MoneyActions & ComfortActions & BoardActions;

/** Where a binding stands in the help. */
export const GROUPS = ['Move', 'Columns', 'Token', 'Money', 'Boards', 'View', 'Program', 'Typing', 'Menu'] as const;
export type Group = (typeof GROUPS)[number];

/**
 * One row a thing that can be done. Dispatch, the hints at the bottom, the help, the palette, the README and read-only
 * mode all read this table, and no component compares keys.
 */
export interface Binding {
	/** Stable name, for rebinding and for the palette. */
	readonly id: string;
	/** Names as keys.ts gives them. */
	readonly keys: readonly string[];
	readonly modes: readonly ModeKind[];
	readonly group: Group;
	/** One or two words for the hint line. */
	readonly label: string;
	/** One sentence for the help. */
	readonly help: string;
	/** Rank in the hint line, the lowest first; without one it is not hinted. */
	readonly hint?: number;
	/** Whether it does something as things stand, where that is not always so: it is hinted at only then. */
	readonly hintWhen?: (state: MonitorState) => boolean;
	/** Another word for the hint line, as things stand. */
	readonly labelNow?: (state: MonitorState) => string | undefined;
	/** It could move money or change something at the service: read-only mode leaves it out. */
	readonly danger?: boolean;
	/** Why it can't be done now; undefined when it can. */
	readonly disabled?: (state: MonitorState) => string | undefined;
	/** @param key the one that was pressed, where a binding has several that differ; empty from the palette */
	readonly run: (actions: Verbs, count: number, key: string) => void;
	/** How the keys are written where they are many alike: `1-9`. */
	readonly written?: string;
	/** The way out of its modes: it may have other keys, but not none. */
	readonly isExit?: boolean;
}

const LIST: readonly ModeKind[] = ['list'];
const BROWSE: readonly ModeKind[] = ['list', 'detail'];
/** Windows that move money: their keys are fixed. */
export const MONEY_MODES: readonly ModeKind[] = ['bridge', 'perp', 'vault'];
/** Modes in which a key that is not bound types its text. */
export const TYPING: readonly ModeKind[] = [
	'boardInput',
	'filter',
	'search',
	'palette',
	'sort',
	'presetName',
	'presetImport',
	'alertRule',
	'hidePrompt',
];
/** Modes in which a digit belongs to the count before a motion. */
export const COUNT_MODES: readonly ModeKind[] = ['list', 'detail', 'rewind'];
const MENUS: readonly ModeKind[] = [
	'sort',
	'palette',
	'themes',
	'hidden',
	'presets',
	'alerts',
	'fields',
	'chains',
	'launchpads',
];
/** Menus in which letters are keys. */
const LETTER_MENUS: readonly ModeKind[] = ['themes', 'hidden', 'presets', 'alerts', 'fields', 'chains', 'launchpads'];
/** Menus whose Enter is an action of their own. */
const OWN_ENTER: readonly ModeKind[] = ['fields', 'chains', 'launchpads'];
const EVERYWHERE: readonly ModeKind[] = [
	'list',
	'detail',
	'sort',
	'filter',
	'search',
	'help',
	'palette',
	'themes',
	'hidden',
	'why',
	'slot',
	'presets',
	'presetName',
	'presetImport',
	'presetDiff',
	'rewind',
	'alerts',
	'alertRule',
	'fields',
	'chains',
	'launchpads',
	'hidePrompt',
	'bridge',
	'perp',
	'vault',
	...BOARDS,
	'boardInput',
];

const needsToken = (state: MonitorState): string | undefined =>
	selected(state) === undefined ? 'put the cursor on a token first ({cursor.down})' : undefined;

/** Money needs a service that answers, and data that is not old (features, "Freshness"). */
const needsLink = (state: MonitorState): string | undefined => {
	const phase = state.link?.phase;
	if (phase !== 'live' && phase !== 'polling') return 'the service does not answer now';
	return freshness(state.columns[state.focus].dataAtMs, state.nowMs) === 'unusable'
		? 'the data is old: wait for the link, or {feed.retry} asks for it anew'
		: undefined;
};

/** Whether the menu on top has a line to mark. */
function isMenuFilled(state: MonitorState): boolean {
	const {kind} = topMode(state);
	return kind !== 'alerts' || state.alerts.rules.length + state.alerts.recent.length > 0;
}

/** What stands in the line that is typed. */
function typedText(state: MonitorState): string {
	const mode = topMode(state);
	return 'edit' in mode ? mode.edit.text : 'query' in mode ? mode.query.text : '';
}

export const keymap: readonly Binding[] = [
	{
		id: 'cursor.down',
		keys: ['j', 'down'],
		modes: BROWSE,
		group: 'Move',
		label: 'down',
		help: 'Next token; a count moves further (3{cursor.down}). The order holds still while the cursor is set.',
		hint: 10,
		run: (a, n) => a.moveCursor(n),
	},
	{
		id: 'cursor.up',
		keys: ['k', 'up'],
		modes: BROWSE,
		group: 'Move',
		label: 'up',
		help: 'Previous token.',
		run: (a, n) => a.moveCursor(-n),
	},
	{
		id: 'cursor.first',
		keys: ['g', 'home'],
		modes: BROWSE,
		group: 'Move',
		label: 'first',
		help: 'First token of the column.',
		run: a => a.moveFirst(),
	},
	{
		id: 'cursor.last',
		keys: ['G', 'end'],
		modes: BROWSE,
		group: 'Move',
		label: 'last',
		help: 'Last token, or the one with the number typed before (7{cursor.last}).',
		run: (a, n) => a.moveLast(n),
	},
	{
		id: 'page.down',
		keys: ['pgdn', 'ctrl+f'],
		modes: LIST,
		group: 'Move',
		label: 'page down',
		help: 'One screen down.',
		run: (a, n) => a.movePage(n),
	},
	{
		id: 'page.up',
		keys: ['pgup', 'ctrl+b'],
		modes: LIST,
		group: 'Move',
		label: 'page up',
		help: 'One screen up.',
		run: (a, n) => a.movePage(-n),
	},
	{
		id: 'half.down',
		keys: ['ctrl+d'],
		modes: LIST,
		group: 'Move',
		label: 'half down',
		help: 'Half a screen down.',
		run: (a, n) => a.moveHalfPage(n),
	},
	{
		id: 'half.up',
		keys: ['ctrl+u'],
		modes: LIST,
		group: 'Move',
		label: 'half up',
		help: 'Half a screen up.',
		run: (a, n) => a.moveHalfPage(-n),
	},
	{
		id: 'column.next',
		keys: ['tab', 'l', 'right'],
		modes: BROWSE,
		group: 'Move',
		label: 'next column',
		help: 'Focus the next column.',
		hint: 20,
		run: a => a.moveFocus(1),
	},
	{
		id: 'column.previous',
		keys: ['shift+tab', 'h', 'left'],
		modes: BROWSE,
		group: 'Move',
		label: 'previous column',
		help: 'Focus the previous column.',
		run: a => a.moveFocus(-1),
	},
	{
		id: 'order.release',
		keys: ['esc'],
		modes: LIST,
		group: 'Move',
		label: 'go live',
		help: 'Let the order move again and drop the cursor; ends a quick search first.',
		hint: 15,
		hintWhen: s => s.columns[s.focus].frozen || s.columns[s.focus].search !== '',
		labelNow: s => (s.columns[s.focus].search === '' ? undefined : 'end search'),
		run: a => a.release(),
	},

	{
		id: 'detail.open',
		keys: ['enter'],
		modes: LIST,
		group: 'Token',
		label: 'open',
		help: 'Show everything about the token: figures, wallet labels, price line.',
		hint: 5,
		run: a => a.openDetail(),
	},
	{
		id: 'detail.close',
		keys: ['esc', 'enter', 'q'],
		modes: ['detail'],
		isExit: true,
		group: 'Token',
		label: 'close',
		help: 'Close the detail pane.',
		hint: 5,
		run: a => a.closeDetail(),
	},
	{
		id: 'detail.down',
		keys: ['pgdn', 'space', 'ctrl+d', 'J'],
		modes: ['detail'],
		group: 'Token',
		label: 'scroll',
		help: 'Scroll the detail pane down.',
		hint: 12,
		run: a => a.scrollDetailBy(1),
	},
	{
		id: 'detail.up',
		keys: ['pgup', 'ctrl+u', 'K'],
		modes: ['detail'],
		group: 'Token',
		label: 'scroll up',
		help: 'Scroll the detail pane up.',
		run: a => a.scrollDetailBy(-1),
	},
	{
		id: 'detail.time',
		keys: ['t'],
		modes: ['detail'],
		group: 'Token',
		label: 'time frame',
		help: 'Next time frame of the price line: 1h, 6h, 24h, 7d.',
		hint: 14,
		run: a => a.nextTimeFrame(1),
	},
	{
		id: 'token.copy',
		keys: ['y'],
		modes: BROWSE,
		group: 'Token',
		label: 'copy address',
		help: 'Copy the whole address to the clipboard; works over SSH where the terminal allows it (OSC 52).',
		hint: 40,
		disabled: needsToken,
		run: a => a.copyAddress(),
	},
	{
		id: 'token.pin',
		keys: ['P', '*'],
		modes: BROWSE,
		group: 'Token',
		label: 'pin',
		help: 'Pin or unpin: a pinned token stays at the top whatever the filter says.',
		hint: 55,
		disabled: needsToken,
		run: a => a.togglePin(),
	},
	{
		id: 'token.hide',
		keys: ['x', 'delete'],
		modes: BROWSE,
		group: 'Token',
		label: 'hide',
		help: 'Hide the token from all columns.',
		hint: 50,
		disabled: needsToken,
		run: a => a.hide(),
	},
	{
		id: 'sort.menu',
		keys: ['s'],
		modes: BROWSE,
		group: 'Columns',
		label: 'sort',
		help: 'Choose what the column is sorted by; choosing it again turns the order around.',
		hint: 25,
		run: a => a.openSort(),
	},
	{
		id: 'sort.reverse',
		keys: ['S', 'r'],
		modes: BROWSE,
		group: 'Columns',
		label: 'reverse',
		help: 'Turn the order of the column around.',
		run: a => a.reverseSort(),
	},
	{
		id: 'filter.edit',
		keys: ['f'],
		modes: BROWSE,
		group: 'Columns',
		label: 'filter',
		help: 'Filter the column: mcap>50k age<10m dev<5% -kw:elon. Checked while you type, applied by the service.',
		hint: 30,
		run: a => a.openFilter(),
	},
	{
		id: 'filter.clear',
		keys: ['F'],
		modes: BROWSE,
		group: 'Columns',
		label: 'no filter',
		help: 'Remove the filter of the column.',
		run: a => a.clearFilter(),
	},
	{
		id: 'search.open',
		keys: ['/'],
		modes: BROWSE,
		group: 'Columns',
		label: 'search',
		help: 'Quick search in the column: symbol, name or address. {prompt.cancel} goes back to where you were.',
		hint: 35,
		run: a => a.openSearch(),
	},
	{
		id: 'window.next',
		keys: ['w'],
		modes: BROWSE,
		group: 'Columns',
		label: 'window',
		help: 'Longer time window for volume, buys, sells and change: 1m to 24h.',
		hint: 60,
		run: a => a.nextWindow(1),
	},
	{
		id: 'window.previous',
		keys: ['W'],
		modes: BROWSE,
		group: 'Columns',
		label: 'shorter window',
		help: 'Shorter time window.',
		run: a => a.nextWindow(-1),
	},
	{
		id: 'bridge.open',
		keys: ['b'],
		modes: BROWSE,
		group: 'Money',
		label: 'bridge',
		help: 'Send tokens to another chain, gas paid by the service. Nothing is signed before a review and a typed confirmation.',
		hint: 65,
		danger: true,
		disabled: needsLink,
		run: a => a.openBridge(),
	},
	{
		id: 'perp.open',
		keys: ['o'],
		modes: BROWSE,
		group: 'Money',
		label: 'orders',
		help: 'List the wallet’s open perpetuals orders and cancel one.',
		hint: 66,
		danger: true,
		disabled: needsLink,
		run: a => a.openPerp(),
	},
	{
		id: 'wallet.lock',
		keys: ['L'],
		modes: BROWSE,
		group: 'Money',
		label: 'lock',
		help: 'Lock the wallet.',
		danger: true,
		run: a => a.lockWallet(),
	},
	{
		id: 'wallet.kill',
		keys: ['!'],
		modes: BROWSE,
		group: 'Money',
		label: 'kill signing',
		help: 'Lock signing until the program is started anew.',
		danger: true,
		run: a => a.killWallet(),
	},
	{
		id: 'money.accept',
		keys: ['enter'],
		modes: MONEY_MODES,
		group: 'Money',
		label: 'go on',
		help: 'The next step; in the confirmation, the marked answer, which is Cancel until another was chosen.',
		hint: 5,
		run: a => a.moneyAccept(),
	},
	{
		id: 'money.back',
		keys: ['esc'],
		modes: MONEY_MODES,
		group: 'Money',
		label: 'back',
		help: 'One step back; from the first step, out. What was sent goes on.',
		hint: 6,
		run: a => a.moneyBack(),
	},
	{
		id: 'money.next',
		keys: ['tab', 'down'],
		modes: MONEY_MODES,
		group: 'Money',
		label: 'next',
		help: 'Next line, order or answer.',
		hint: 10,
		run: a => a.moneyMove(1),
	},
	{
		id: 'money.previous',
		keys: ['shift+tab', 'up'],
		modes: MONEY_MODES,
		group: 'Money',
		label: 'previous',
		help: 'Previous line, order or answer.',
		run: a => a.moneyMove(-1),
	},
	{
		id: 'money.right',
		keys: ['right'],
		modes: MONEY_MODES,
		group: 'Money',
		label: 'other',
		help: 'Next token or answer.',
		hint: 12,
		run: a => a.moneyTurn(1),
	},
	{
		id: 'money.left',
		keys: ['left'],
		modes: MONEY_MODES,
		group: 'Money',
		label: 'other',
		help: 'Previous token or answer.',
		run: a => a.moneyTurn(-1),
	},
	{
		id: 'money.pageDown',
		keys: ['pgdn', 'ctrl+d'],
		modes: MONEY_MODES,
		group: 'Money',
		label: 'scroll',
		help: 'Scroll down.',
		hint: 20,
		run: a => a.moneyScroll(1),
	},
	{
		id: 'money.pageUp',
		keys: ['pgup'],
		modes: MONEY_MODES,
		group: 'Money',
		label: 'scroll up',
		help: 'Scroll up.',
		hint: 21,
		run: a => a.moneyScroll(-1),
	},
	{
		id: 'money.raw',
		keys: ['ctrl+r'],
		modes: MONEY_MODES,
		group: 'Money',
		label: 'bytes',
		help: 'Show exactly what is signed and sent, and back.',
		hint: 25,
		run: a => a.moneyRaw(),
	},
	{
		id: 'money.backspace',
		keys: ['backspace', 'ctrl+h'],
		modes: MONEY_MODES,
		group: 'Money',
		label: 'delete',
		help: 'Delete the character before the cursor.',
		run: a => a.moneyEdit('charDeleted'),
	},
	{
		id: 'money.word',
		keys: ['ctrl+w', 'ctrl+u'],
		modes: MONEY_MODES,
		group: 'Money',
		label: 'delete line',
		help: 'Delete what was typed.',
		run: a => a.moneyEdit('lineDeleted'),
	},
	{
		id: 'feed.pause',
		keys: ['p'],
		modes: BROWSE,
		group: 'View',
		label: 'pause',
		labelNow: s => (s.paused ? 'resume' : undefined),
		help: 'Pause or resume the feed.',
		hint: 45,
		run: a => a.togglePause(),
	},
	{
		id: 'feed.retry',
		keys: ['R'],
		modes: BROWSE,
		group: 'View',
		label: 'retry',
		help: 'Connect and ask for everything anew, now.',
		run: a => a.retry(),
	},
	{
		id: 'view.density',
		keys: ['v'],
		modes: BROWSE,
		group: 'View',
		label: 'row height',
		help: 'Row height: automatic, one line, two lines.',
		run: a => a.nextDensity(),
	},
	{
		id: 'view.theme',
		keys: ['T'],
		modes: BROWSE,
		group: 'View',
		label: 'theme',
		help: 'Choose the colours.',
		run: a => a.openThemes(),
	},
	{
		id: 'view.redraw',
		keys: ['ctrl+l'],
		modes: EVERYWHERE,
		group: 'View',
		label: 'redraw',
		help: 'Draw the whole screen again.',
		run: a => a.redraw(),
	},

	{
		id: 'help.open',
		keys: ['?', 'f1'],
		modes: BROWSE,
		group: 'Program',
		label: 'help',
		help: 'All keys.',
		hint: 90,
		run: a => a.openHelp(),
	},
	{
		id: 'palette.open',
		keys: [':', 'ctrl+k'],
		modes: BROWSE,
		group: 'Program',
		label: 'commands',
		help: 'Find and run any action by name.',
		hint: 80,
		run: a => a.openPalette(),
	},
	{
		id: 'program.quit',
		keys: ['q'],
		modes: LIST,
		isExit: true,
		group: 'Program',
		label: 'quit',
		help: 'Leave the program.',
		hint: 95,
		run: a => a.quit(),
	},
	{
		id: 'program.interrupt',
		keys: ['ctrl+c'],
		modes: EVERYWHERE,
		group: 'Program',
		label: 'quit',
		help: 'Leave the program, from anywhere.',
		run: a => a.quit(),
	},
	{
		id: 'program.suspend',
		keys: ['ctrl+z'],
		modes: EVERYWHERE,
		group: 'Program',
		label: 'suspend',
		help: 'Back to the shell; fg brings the monitor back.',
		run: a => a.suspend(),
	},

	{
		id: 'help.close',
		keys: ['esc', 'q', '?', 'enter', 'f1'],
		modes: ['help', 'why'],
		isExit: true,
		group: 'Menu',
		label: 'close',
		help: 'Close.',
		hint: 5,
		run: a => a.leaveMode(),
	},
	{
		id: 'help.down',
		keys: ['j', 'down', 'pgdn', 'space', 'ctrl+d'],
		modes: ['help'],
		group: 'Menu',
		label: 'scroll',
		help: 'Scroll down.',
		hint: 10,
		run: a => a.scrollHelp(1),
	},
	{
		id: 'help.up',
		keys: ['k', 'up', 'pgup', 'ctrl+u'],
		modes: ['help'],
		group: 'Menu',
		label: 'scroll up',
		help: 'Scroll up.',
		run: a => a.scrollHelp(-1),
	},

	{
		id: 'menu.accept',
		keys: ['enter'],
		modes: MENUS.filter(mode => !OWN_ENTER.includes(mode)),
		group: 'Menu',
		label: 'choose',
		help: 'Choose the marked line.',
		hint: 5,
		hintWhen: isMenuFilled,
		run: a => a.acceptMenu(),
	},
	{
		id: 'menu.down',
		keys: ['down', 'ctrl+n'],
		modes: MENUS,
		group: 'Menu',
		label: 'next',
		help: 'Next line.',
		hint: 10,
		hintWhen: isMenuFilled,
		run: a => a.moveMenu(1),
	},
	{
		id: 'menu.next',
		keys: ['tab'],
		modes: ['sort', ...LETTER_MENUS],
		group: 'Menu',
		label: 'next',
		help: 'Next line.',
		run: a => a.moveMenu(1),
	},
	{
		id: 'menu.up',
		keys: ['up', 'ctrl+p', 'shift+tab'],
		modes: MENUS,
		group: 'Menu',
		label: 'up',
		help: 'Previous line.',
		run: a => a.moveMenu(-1),
	},
	{
		id: 'menu.letterDown',
		keys: ['j'],
		modes: LETTER_MENUS,
		group: 'Menu',
		label: 'next',
		help: 'Next line.',
		run: a => a.moveMenu(1),
	},
	{
		id: 'menu.letterUp',
		keys: ['k'],
		modes: LETTER_MENUS,
		group: 'Menu',
		label: 'up',
		help: 'Previous line.',
		run: a => a.moveMenu(-1),
	},
	{
		id: 'menu.close',
		keys: ['esc'],
		modes: MENUS,
		isExit: true,
		group: 'Menu',
		label: 'cancel',
		help: 'Close and change nothing.',
		hint: 15,
		run: a => a.cancelMenu(),
	},
	{
		id: 'menu.letterClose',
		keys: ['q'],
		modes: LETTER_MENUS,
		group: 'Menu',
		label: 'cancel',
		help: 'Close and change nothing.',
		run: a => a.cancelMenu(),
	},

	{
		id: 'prompt.accept',
		keys: ['enter'],
		modes: ['filter', 'search'],
		group: 'Typing',
		label: 'apply',
		help: 'Apply what was typed.',
		hint: 5,
		run: a => a.acceptPrompt(),
	},
	{
		id: 'prompt.cancel',
		keys: ['esc'],
		modes: ['filter', 'search'],
		isExit: true,
		group: 'Typing',
		label: 'cancel',
		help: 'Back, and nothing changes.',
		hint: 15,
		run: a => a.cancelPrompt(),
	},
	{
		id: 'prompt.complete',
		keys: ['tab'],
		modes: ['filter', 'alertRule'],
		group: 'Typing',
		label: 'complete',
		help: 'Complete the word.',
		hint: 10,
		run: a => a.completePrompt(),
	},
	{
		id: 'edit.backspace',
		keys: ['backspace', 'ctrl+h'],
		modes: TYPING,
		group: 'Typing',
		label: 'delete',
		help: 'Delete the character before the cursor.',
		run: a => a.edit('charDeleted'),
	},
	{
		id: 'edit.delete',
		keys: ['delete'],
		modes: TYPING,
		group: 'Typing',
		label: 'delete next',
		help: 'Delete the character under the cursor.',
		run: a => a.edit('nextCharDeleted'),
	},
	{
		id: 'edit.word',
		keys: ['ctrl+w'],
		modes: TYPING,
		group: 'Typing',
		label: 'delete word',
		help: 'Delete the word before the cursor.',
		run: a => a.edit('wordDeleted'),
	},
	{
		id: 'edit.line',
		keys: ['ctrl+u'],
		modes: TYPING,
		group: 'Typing',
		label: 'delete line',
		help: 'Delete everything before the cursor.',
		hint: 20,
		hintWhen: s => typedText(s) !== '',
		run: a => a.edit('lineDeleted'),
	},
	{
		id: 'edit.left',
		keys: ['left'],
		modes: TYPING,
		group: 'Typing',
		label: 'left',
		help: 'One character left.',
		run: a => a.edit('left'),
	},
	{
		id: 'edit.right',
		keys: ['right'],
		modes: TYPING,
		group: 'Typing',
		label: 'right',
		help: 'One character right.',
		run: a => a.edit('right'),
	},
	{
		id: 'edit.start',
		keys: ['home', 'ctrl+a'],
		modes: TYPING,
		group: 'Typing',
		label: 'start',
		help: 'Start of the line.',
		run: a => a.edit('start'),
	},
	{
		id: 'edit.end',
		keys: ['end', 'ctrl+e'],
		modes: TYPING,
		group: 'Typing',
		label: 'end',
		help: 'End of the line.',
		run: a => a.edit('end'),
	},

	...COMFORT_KEYS,
	...SCOPE_BINDINGS,
	...HIDE_BINDINGS,
	...BOARD_KEYS,
];
