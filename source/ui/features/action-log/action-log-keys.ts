import type {ModeKind} from '../../../monitor/mode.ts';
import type {Verbs} from '../../features/rest.ts';
import type {BindingSpec} from '../../keymap/binding.ts';

const LOG: readonly ModeKind[] = ['actionLog'];
const LINES = 3;
const PAGE = 15;

/** Bindings of the action log; part of the one table in keymap.ts. */
export const ACTION_LOG_BINDINGS: readonly BindingSpec<Verbs>[] = [
	{
		id: 'log.open',
		keys: ['@'],
		modes: ['list', 'detail'],
		group: 'Money',
		label: 'action log',
		help: 'Action log: every request that could move money and what came of it, newest first.',
		run: a => void a.openActionLog(),
	},
	{
		id: 'log.close',
		keys: ['esc', 'q', '@', 'enter'],
		modes: LOG,
		isExit: true,
		group: 'Money',
		label: 'close',
		help: 'Close.',
		hint: 5,
		run: a => a.leaveMode(),
	},
	{
		id: 'log.wallet',
		keys: ['w'],
		modes: LOG,
		group: 'Money',
		label: 'wallet',
		help: 'Filter by wallet: one after the other, then all.',
		hint: 12,
		run: a => a.nextLogWallet(),
	},
	{
		id: 'log.down',
		keys: ['j', 'down'],
		modes: LOG,
		group: 'Money',
		label: 'scroll',
		help: 'Scroll down.',
		hint: 10,
		run: a => a.scrollActionLog(LINES),
	},
	{
		id: 'log.up',
		keys: ['k', 'up'],
		modes: LOG,
		group: 'Money',
		label: 'scroll up',
		help: 'Scroll up.',
		run: a => a.scrollActionLog(-LINES),
	},
	{
		id: 'log.pageDown',
		keys: ['pgdn', 'space', 'ctrl+d'],
		modes: LOG,
		group: 'Money',
		label: 'page down',
		help: 'Older records.',
		run: a => a.scrollActionLog(PAGE),
	},
	{
		id: 'log.pageUp',
		keys: ['pgup', 'ctrl+u'],
		modes: LOG,
		group: 'Money',
		label: 'page up',
		help: 'Newer records.',
		run: a => a.scrollActionLog(-PAGE),
	},
];
