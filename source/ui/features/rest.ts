import type {ScopePart} from '../../monitor/columns/scope.ts';
import {urlText} from '../../monitor/links/safe-url.ts';
import {activeSlot, savedViewSummary} from '../../monitor/saved-views/saved-view.ts';
import {freshness, selected} from '../../monitor/select.ts';
import {type MonitorState, topMode} from '../../monitor/state.ts';
import type {Row} from '../../terminal/style.ts';
import {padEnd, truncate} from '../../text.ts';
import {BOARD_KEYS} from '../boards/board-keys.ts';
import {COMFORT_KEYS} from '../comfort-keys.ts';
import {type Context, feature, type MouseEvent} from '../feature.ts';
import {fuzzyFilter} from '../fuzzy.ts';
import {helpWindow} from '../help/help.ts';
import {type BindingSpec, BROWSE, type ModeTraits} from '../keymap/binding.ts';
import {LINK_KEYS} from '../links/link-keys.ts';
import {presetDiffWindow} from '../modals/preset-diff.ts';
import {shownSlots} from '../narrowing.ts';
import {paintRewind} from '../paint-rewind.ts';
import {paletteItems, paletteMessage} from '../palette.ts';
import {cutSpans, type Scene, toned} from '../scene.ts';
import {orderWords, sortChoices} from '../sort-choices.ts';
import {TEXT_COMMANDS} from '../text-commands.ts';
import {plainLine} from '../typed-line.ts';
import {createUiActions} from '../ui-actions.ts';
import {ACTION_LOG_BINDINGS} from './action-log/action-log-keys.ts';
import {actionLogWindow} from './action-log/action-log-window.ts';
import {columnItems} from './columns/column-items.ts';
import {COLUMN_BINDINGS} from './columns/column-keys.ts';
import {EMPTY_BINDINGS} from './empty/drop-clause.ts';
import {filterPrompt} from './filter/filter-prompt.ts';
import {hiddenItems} from './hides/hide-items.ts';
import {HIDE_BINDINGS} from './hides/hide-keys.ts';
import {shownFieldItems} from './rest-fields.ts';
import {scopeItems} from './scope/scope-items.ts';
import {SCOPE_BINDINGS} from './scope/scope-keys.ts';
import {confirmItems} from './user-commands/command-actions.ts';
import {TOKEN_LIST_BINDINGS} from './watchlist/token-list-keys.ts';

const LIST = ['list'] as const;
const MONEY_MODES = (traits: ModeTraits): boolean => traits.movesMoney === true;
const EVERYWHERE = (): boolean => true;
const WINDOW_SIZE = {columns: 40, rows: 12} as const;

function createRestActions(context: Context) {
	return {...context.monitor, ...createUiActions(context), ...context.money!, ...context.boards!};
}
export type Verbs = ReturnType<typeof createRestActions>;
type Binding = BindingSpec<Verbs>;

const needsToken = (state: MonitorState): string | undefined =>
	selected(state) === undefined ? 'put the cursor on a token first ({cursor.down})' : undefined;

/** Money needs a service that answers, and data that is not old (features, "Freshness"). */
const needsLink = (state: MonitorState): string | undefined => {
	const phase = state.link?.phase;
	if (phase !== 'live' && phase !== 'polling') return 'the service does not answer now';
	return freshness(state.columns[state.focus].dataAtMs, state.nowMs) === 'unusable'
		? 'the data is old: wait for the link, or {feed.retry} asks for it again'
		: undefined;
};

function hasSearchedHelp(state: MonitorState): boolean {
	const mode = topMode(state);
	return mode.kind === 'help' && mode.search !== '';
}

const BINDINGS: readonly Binding[] = [
	{
		id: 'cursor.down',
		keys: ['j', 'down'],
		modes: BROWSE,
		group: 'Move',
		label: 'down',
		help: 'Next token; a count moves further (3{cursor.down}). The order is frozen while the cursor is set. Below the last: the next 50.',
		hint: 10,
		run: (a, n) => a.moveCursor(n),
	},
	{
		id: 'cursor.up',
		keys: ['k', 'up'],
		modes: BROWSE,
		group: 'Move',
		label: 'up',
		help: 'Previous token; above the first of later rows: the 50 before.',
		run: (a, n) => a.moveCursor(-n),
	},
	{
		id: 'cursor.first',
		keys: ['g', 'home'],
		modes: BROWSE,
		group: 'Move',
		label: 'first',
		help: 'First token of the column; from later rows back to the live ones.',
		run: a => a.moveFirst(),
	},
	{
		id: 'cursor.last',
		keys: ['G', 'end'],
		modes: BROWSE,
		group: 'Move',
		label: 'last',
		help: 'Last token, or the one with the number typed before (7{cursor.last}); on the last: the next 50.',
		run: (a, n) => a.moveLast(n),
	},
	{
		id: 'page.down',
		keys: ['pgdn', 'ctrl+f'],
		modes: LIST,
		group: 'Move',
		label: 'page down',
		help: 'One screen down; on the last token the next 50.',
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
		help: 'Go live: drop the cursor and let the order move again; ends a quick search first.',
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
		label: 'timeframe',
		help: 'Next timeframe of the price line (1h, 6h, 24h, 7d), or length of a candle (1s, 5s, 1m, 5m).',
		hint: 14,
		run: a => a.nextTimeFrame(1),
	},
	{
		id: 'detail.candles',
		keys: ['i'],
		modes: ['detail'],
		group: 'Token',
		label: 'candles',
		labelNow: s => (s.detail?.chart.kind === 'candles' ? 'line' : undefined),
		help: 'Price as a line or as candles with volume. Candles are built from live updates of opened and pinned tokens.',
		hint: 16,
		run: a => a.toggleChartKind(),
	},
	{
		id: 'detail.scale',
		keys: ['$'],
		modes: ['detail'],
		group: 'Token',
		label: 'market cap',
		labelNow: s => (s.detail?.chart.scale === 'mcap' ? 'price' : undefined),
		help: 'Chart of the price or of the market cap.',
		hint: 17,
		run: a => a.toggleChartScale(),
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
		help: 'Sort the column; choosing the same field again reverses the order.',
		hint: 25,
		run: a => a.openSort(),
	},
	{
		id: 'sort.reverse',
		keys: ['S', 'r'],
		modes: BROWSE,
		group: 'Columns',
		label: 'reverse',
		help: 'Reverse the order of the column.',
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
		help: 'Lock signing until you restart pulsetop.',
		danger: true,
		run: a => a.killWallet(),
	},
	{
		id: 'money.accept',
		keys: ['enter'],
		modes: MONEY_MODES,
		group: 'Money',
		label: 'go on',
		help: 'Next step; in the confirmation, the marked answer, Cancel by default.',
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
		label: 'raw',
		help: 'Show exactly what is signed and sent, and back.',
		hint: 25,
		run: a => a.moneyRaw(),
	},
	{
		id: 'money.export',
		keys: ['ctrl+o'],
		modes: MONEY_MODES,
		group: 'Money',
		label: 'to file',
		help: 'Write exactly what is about to be signed to a private file, without a signature.',
		hint: 26,
		run: a => a.moneyExport(),
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
		help: 'Reconnect and refresh everything now.',
		run: a => a.retry(),
	},
	{
		id: 'view.density',
		keys: ['v'],
		modes: BROWSE,
		group: 'View',
		label: 'row height',
		help: 'Row height: automatic, one, two or three lines.',
		run: a => a.nextDensity(),
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
		modes: ({typesLine, movesMoney}, kind) => !typesLine && !movesMoney && kind !== 'help',
		group: 'Program',
		label: 'help',
		help: 'Help: what the screen shows, and all keys. In a window it opens at the keys of that window.',
		hint: 90,
		run: a => a.openHelp(),
	},
	{
		id: 'help.typing',
		keys: ['f1'],
		modes: ({typesLine}, kind) => typesLine === true && kind !== 'helpSearch',
		group: 'Program',
		label: 'help',
		help: 'Help for the line that is being typed.',
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
		modes: ['help'],
		isExit: true,
		group: 'Menu',
		label: 'close',
		help: 'Close.',
		hint: 5,
		run: a => a.leaveMode(),
	},
	{
		id: 'help.down',
		keys: ['j', 'down'],
		modes: ['help'],
		group: 'Menu',
		label: 'down',
		help: 'One line down.',
		hint: 10,
		run: a => a.scrollHelpLines(1),
	},
	{
		id: 'help.up',
		keys: ['k', 'up'],
		modes: ['help'],
		group: 'Menu',
		label: 'up',
		help: 'One line up.',
		run: a => a.scrollHelpLines(-1),
	},
	{
		id: 'help.pageDown',
		keys: ['space', 'pgdn', 'ctrl+d', 'ctrl+f'],
		modes: ['help'],
		group: 'Menu',
		label: 'next page',
		help: 'One screen down.',
		hint: 8,
		run: a => a.scrollHelp(1),
	},
	{
		id: 'help.pageUp',
		keys: ['pgup', 'ctrl+u', 'ctrl+b'],
		modes: ['help'],
		group: 'Menu',
		label: 'page up',
		help: 'One screen up.',
		run: a => a.scrollHelp(-1),
	},
	{
		id: 'help.first',
		keys: ['g', 'home'],
		modes: ['help'],
		group: 'Menu',
		label: 'first',
		help: 'To the beginning.',
		run: a => a.helpEnd('first'),
	},
	{
		id: 'help.last',
		keys: ['G', 'end'],
		modes: ['help'],
		group: 'Menu',
		label: 'last',
		help: 'To the end.',
		run: a => a.helpEnd('last'),
	},
	{
		id: 'help.search',
		keys: ['/'],
		modes: ['help'],
		group: 'Menu',
		label: 'search',
		help: 'Find a word in the help.',
		hint: 6,
		run: a => a.openHelpSearch(),
	},
	{
		id: 'help.next',
		keys: ['n'],
		modes: ['help'],
		group: 'Menu',
		label: 'next found',
		help: 'Next match.',
		hint: 7,
		hintWhen: hasSearchedHelp,
		run: a => a.nextHelpHit(1),
	},
	{
		id: 'help.previous',
		keys: ['N'],
		modes: ['help'],
		group: 'Menu',
		label: 'previous found',
		help: 'Previous match.',
		run: a => a.nextHelpHit(-1),
	},
	{
		id: 'help.searched',
		keys: ['enter'],
		modes: ['helpSearch'],
		group: 'Menu',
		label: 'find',
		help: 'Keep the matches; {help.next} and {help.previous} go on from there.',
		hint: 5,
		run: a => a.acceptHelpSearch(),
	},
	{
		id: 'help.unsearched',
		keys: ['esc'],
		modes: ['helpSearch'],
		isExit: true,
		group: 'Menu',
		label: 'cancel',
		help: 'End the search.',
		hint: 15,
		run: a => a.leaveMode(),
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
		help: 'Cancel.',
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
	...COMFORT_KEYS,
	...COLUMN_BINDINGS,
	...SCOPE_BINDINGS,
	...ACTION_LOG_BINDINGS,
	...HIDE_BINDINGS,
	...EMPTY_BINDINGS,
	...TOKEN_LIST_BINDINGS,
	...LINK_KEYS,
	...BOARD_KEYS,
];

const HIDE_PROMPTS = {
	keyword: ' hide tokens with: ',
	import: ' list or file to import: ',
	export: ' write the list to: ',
} as const;

const money = {
	help: 'money',
	movesMoney: true,
	minSize: WINDOW_SIZE,
	window: 'money',
	text: (text: string, a: Verbs) => a.moneyType(text),
	paste: (text: string, _: unknown, a: Verbs) => {
		a.moneyPaste(text);
		return true;
	},
} as const;
const board = {
	coversColumns: true,
	minSize: WINDOW_SIZE,
	window: 'board',
	paste: (text: string, _: unknown, a: Verbs) => {
		a.boardPaste(text);
		return true;
	},
	mouse: (event: MouseEvent, a: Verbs) => a.boardMouse(event),
} as const;
const scope = (part: ScopePart) => ({
	help: 'scope',
	menu: {
		title: `${part === 'chains' ? 'Chains' : 'Launchpads'} of all columns (none chosen: all)`,
		hasOwnEnter: true,
		items: (_: unknown, {state}: {state: MonitorState}) => scopeItems(part, state),
		// Their counts are those of the columns, which move all the time: once a second is enough to read.
		source: (state: MonitorState) => Math.floor(state.nowMs / 1000),
		cancel: (_: unknown, a: Verbs) => a.abandonScope(),
	},
});

export const rest = feature({
	name: 'rest',
	actions: createRestActions,
	modes: {
		list: {help: 'columns', takesCount: true, mouse: (event, a) => a.mouse(event)},
		detail: {help: 'detail', takesCount: true, mouse: (event, a) => a.mouse(event)},
		sort: {
			help: 'menus',
			typesLine: true,
			menu: {
				title: 'Sort VIEW by (type to narrow, choose again to reverse)',
				items: (mode, {state}) => {
					const {sortBy, sortOrder, window} = state.columns[state.focus];
					return fuzzyFilter(sortChoices(window), mode.edit.text, c => `${c.word} ${c.label} ${c.field}`).map(
						choice => ({
							id: choice.field,
							label: choice.label,
							note: choice.word,
							isCurrent: choice.field === sortBy,
							...(choice.field === sortBy && {
								note: `${choice.word}, ${orderWords(sortBy, sortOrder)}`,
							}),
						}),
					);
				},
				accept: ({id}, mode, a) => a.choose(mode, id),
			},
		},
		filter: {
			help: 'typing',
			typesLine: true,
			prompt: {
				rows: 2,
				paint: (scene, {edit}, width) => filterPrompt(scene, {label: ` filter ${scene.state.focus}: `, edit, width}),
			},
		},
		search: {
			help: 'typing',
			typesLine: true,
			typed: ({edit}, a) => a.setSearch(edit.text.trim()),
			prompt: {
				rows: 1,
				paint: (scene, {edit}, width) => [plainLine(scene, ` search ${scene.state.focus} /`, edit, width)],
			},
		},
		help: {help: 'help', window: helpWindow, wheel: (by, a) => a.scrollHelpLines(3 * by)},
		helpSearch: {help: 'help', typesLine: true, window: helpWindow, typed: (_, a) => a.helpTyped()},
		palette: {
			help: 'menus',
			typesLine: true,
			menu: {
				title: 'Commands (type to narrow; why, go, sort, filter take arguments)',
				width: 92,
				items: (mode, look) => paletteItems(mode.edit.text, look),
				message: (mode, look, marked) => paletteMessage(mode.edit.text, look, marked),
				accept: (item, mode, a) => (item.line === undefined ? a.choose(mode, item.id) : a.acceptLine(item)),
			},
		},
		hidden: {
			help: 'hidden',
			menu: {
				title: 'Hidden, the newest first ({menu.accept} shows one again)',
				items: (_, {state}) => hiddenItems(state),
				source: state => state.hidden,
				accept: ({id}, _, a) => a.acceptHidden(id),
			},
		},
		hidePrompt: {
			help: 'hidden',
			typesLine: true,
			prompt: {
				rows: 1,
				paint: (scene, {purpose, edit}, width) => [plainLine(scene, HIDE_PROMPTS[purpose], edit, width)],
			},
		},
		chains: scope('chains'),
		launchpads: scope('launchpads'),
		bridge: money,
		perp: money,
		vault: money,
		slot: {help: 'views', prompt: {rows: 1, paint: (scene, _, width) => [slotLine(scene, width)]}},
		presets: {
			help: 'views',
			menu: {
				title: 'Saved views ({preset.number} loads one, {preset.save} saves what is on screen)',
				canNarrow: true,
				items: (mode, {state, isAscii}) =>
					shownSlots(mode, state).map(slot => {
						const savedView = state.savedViews.get(slot);
						return {
							id: String(slot),
							label: `${slot}  ${savedView?.name ?? (isAscii ? '-' : '–')}`,
							note: savedView ? savedViewSummary(savedView) : 'empty',
							isCurrent: activeSlot(state) === slot,
						};
					}),
				source: state => state.savedViews,
				accept: ({id}, mode, a) => a.choose(mode, id),
			},
		},
		presetName: {
			help: 'views',
			typesLine: true,
			prompt: {
				rows: 1,
				paint: (scene, {slot, edit}, width) => [plainLine(scene, ` name of view ${slot}: `, edit, width)],
			},
		},
		presetImport: {
			help: 'views',
			typesLine: true,
			prompt: {rows: 1, paint: (scene, {edit}, width) => [plainLine(scene, ' paste a view: ', edit, width)]},
		},
		presetDiff: {help: 'views', window: presetDiffWindow},
		fields: {
			help: 'fields',
			menu: {
				title: 'Row fields of VIEW (the first are kept longest)',
				hasOwnEnter: true,
				canNarrow: true,
				items: (mode, {state}) => shownFieldItems(mode, state),
				source: state => state.columns[state.focus].fields,
				cancel: ({before}, a) => a.abandonFields(before),
			},
		},
		links: {
			help: 'menus',
			menu: {
				title: 'Links ({menu.accept} opens, {links.copy} copies)',
				width: 92,
				items: mode =>
					mode.links.map(({name, text, url}, at) => ({
						id: String(at),
						label: `${padEnd(truncate(name, 12), 13)}${url.ok ? urlText(url) : truncate(text, 60)}`,
						note: url.ok ? '' : 'not opened',
						...(!url.ok && {disabled: url.why}),
					})),
				accept: (_, __, a) => a.openLink(),
			},
		},
		columns: {
			help: 'shown',
			menu: {
				title: 'Columns of the screen, from left to right',
				hasOwnEnter: true,
				items: (_, {state}) => columnItems(state),
				cancel: (_, a) => a.abandonColumns(),
			},
		},
		rewind: {
			help: 'rewind',
			takesCount: true,
			prompt: {rows: 1, paint: (scene, {moments, at}, width) => [paintRewind(scene, moments, at, width)]},
		},
		actionLog: {help: 'log', window: actionLogWindow},
		commandConfirm: {
			help: 'menus',
			menu: {
				title: 'Run this command?',
				items: mode => confirmItems(mode),
				accept: ({id}, mode, a) => a.choose(mode, id),
			},
		},
		markets: {...board, help: 'markets'},
		webhooks: {...board, help: 'webhooks'},
		labels: {...board, help: 'labels'},
		watchlist: {...board, help: 'tokens'},
		developer: {...board, help: 'tokens'},
		boardInput: {
			help: 'forms',
			typesLine: true,
			minSize: WINDOW_SIZE,
			window: 'board',
			// Addresses may be more than a line can hold.
			paste: (text, {field}, a) => {
				if (field === 'addresses') a.boardPaste(text);
				return field === 'addresses';
			},
		},
	},
	help: {
		columns: {title: 'IN THE COLUMNS', rank: 10},
		detail: {title: 'WITH A TOKEN OPEN (besides the keys of the columns)', rank: 20},
		views: {title: 'SAVED VIEWS ({preset.list}, {preset.prefix})', rank: 50},
		fields: {title: 'FIELDS OF A ROW ({fields.open})', rank: 60},
		shown: {title: 'COLUMNS OF THE SCREEN ({columns.open})', rank: 70},
		hidden: {title: 'HIDDEN TOKENS, DEVELOPERS AND KEYWORDS ({token.hidden})', rank: 80},
		scope: {title: 'CHAINS AND LAUNCHPADS ({chains.open}, {launchpads.open})', rank: 90},
		rewind: {title: 'REWIND ({rewind.open})', rank: 100},
		boards: {
			title: 'ON THE SCREENS OF TOKENS, MARKETS, WEBHOOKS AND WALLETS',
			rank: 130,
			shared: ({coversColumns}) => coversColumns === true,
		},
		forms: {title: 'LINES AND FORMS OF THESE SCREENS', rank: 140},
		tokens: {title: 'WATCH LIST AND DEVELOPER ({watchlist.open}, {developer.open})', rank: 150},
		markets: {title: 'MARKETS ({markets.open})', rank: 160},
		webhooks: {title: 'WEBHOOKS ({webhooks.open})', rank: 170},
		labels: {title: 'WALLETS ({labels.open})', rank: 180},
		money: {title: 'MONEY WINDOWS ({bridge.open}, {perp.open})', rank: 190},
		log: {title: 'ACTION LOG ({log.open})', rank: 200},
		help: {title: 'IN THIS HELP ({help.open})', rank: 210},
	},
	paste: (text, a) => a.pasteElsewhere(text),
	commands: TEXT_COMMANDS,
	bindings: BINDINGS,
});

/** The saved views by number, while one is waited for. */
function slotLine(scene: Scene, width: number): Row {
	const {state} = scene;
	const active = activeSlot(state);
	const slots = Array.from(state.savedViews, ([slot, {name}]) => [
		toned(scene, 'key', `  ${slot} `),
		toned(scene, slot === active ? 'good' : 'text', name),
	]);
	return cutSpans([toned(scene, 'accent', ' view:'), ...slots.flat()], width);
}
