import type {ModeKind} from '../../../monitor/mode.ts';
import {selected} from '../../../monitor/select.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import type {BoardActions} from '../../boards/board-actions.ts';
import type {BindingSpec} from '../../keymap/binding.ts';

const BROWSE: readonly ModeKind[] = ['list', 'detail'];
const LISTS: readonly ModeKind[] = ['watchlist', 'developer'];

function needsDeployer(state: MonitorState): string | undefined {
	const entry = selected(state);
	if (entry === undefined) return 'put the cursor on a token first ({cursor.down})';
	return entry.deployer === undefined ? 'the deployer of this token is not reported' : undefined;
}

/** Bindings of the watch list and of a developer's tokens; part of the one table in keymap.ts. */
export const TOKEN_LIST_BINDINGS: readonly BindingSpec<BoardActions>[] = [
	{
		id: 'watchlist.open',
		keys: ['Q'],
		modes: BROWSE,
		group: 'Boards',
		label: 'watch list',
		help: 'Watch list: all pinned tokens, with the price now and the change since each was pinned.',
		hint: 71,
		run: a => a.openBoard('watchlist'),
	},
	{
		id: 'developer.open',
		keys: ['D'],
		modes: BROWSE,
		group: 'Boards',
		label: 'developer',
		title: 'Tokens of the developer',
		help: 'All tokens of the same deployer, on every chain: age, mcap, bonded or dead.',
		hint: 59,
		disabled: needsDeployer,
		run: a => a.openBoard('developer'),
	},
	{
		id: 'tokens.sort',
		keys: ['s'],
		modes: LISTS,
		group: 'Boards',
		label: 'sort',
		help: 'Sort by the next figure.',
		hint: 10,
		run: a => a.boardRun('sort'),
	},
	{
		id: 'tokens.reverse',
		keys: ['S', 'r'],
		modes: LISTS,
		group: 'Boards',
		label: 'reverse',
		help: 'Reverse the order.',
		hint: 11,
		run: a => a.boardRun('reverse'),
	},
	{
		id: 'watchlist.unpin',
		keys: ['P', '*', 'x', 'delete'],
		modes: ['watchlist'],
		group: 'Boards',
		label: 'unpin',
		help: 'Unpin the marked token.',
		hint: 7,
		run: a => a.boardRun('unpin'),
	},
	{
		id: 'developer.hide',
		keys: ['x', 'delete'],
		modes: ['developer'],
		group: 'Boards',
		label: 'hide developer',
		help: 'Hide all tokens of this developer from the columns.',
		hint: 20,
		run: a => a.boardRun('hide'),
	},
];
