import {type MonitorState, topMode} from '../../../monitor/state.ts';
import {feature} from '../../feature.ts';
import {createActionLogActions} from './action-log-actions.ts';
import {actionLogScrolls} from './action-log-rows.ts';

const LOG = ['actionLog'] as const;
const LINES = 3;
const PAGE = 15;

/** The journal of what could move money. */
export const actionLog = feature({
	name: 'actionLog',
	actions: createActionLogActions,
	modes: {actionLog: {help: 'log', window: 'own'}},
	help: {log: {title: 'ACTION LOG ({log.open})', rank: 200}},
	bindings: [
		{
			id: 'log.open',
			keys: [],
			modes: ['list', 'detail'],
			group: 'Money',
			label: 'action log',
			help: 'Action log: every request that could move money and what came of it, newest first.',
			needs: 'money',
			run: a => void a.open(),
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
			run: a => a.close(),
		},
		{
			id: 'log.wallet',
			keys: ['w'],
			modes: LOG,
			group: 'Money',
			label: 'wallet',
			help: 'Filter by wallet: one after the other, then all.',
			hint: 12,
			run: a => a.nextWallet(),
		},
		{
			id: 'log.down',
			keys: ['j', 'down'],
			modes: LOG,
			group: 'Money',
			label: 'scroll',
			help: 'Scroll down.',
			hint: 10,
			hintWhen: canScroll,
			run: a => a.scroll(LINES),
		},
		{
			id: 'log.up',
			keys: ['k', 'up'],
			modes: LOG,
			group: 'Money',
			label: 'scroll up',
			help: 'Scroll up.',
			run: a => a.scroll(-LINES),
		},
		{
			id: 'log.pageDown',
			keys: ['pgdn', 'space', 'ctrl+d'],
			modes: LOG,
			group: 'Money',
			label: 'page down',
			help: 'Older records.',
			run: a => a.scroll(PAGE),
		},
		{
			id: 'log.pageUp',
			keys: ['pgup', 'ctrl+u'],
			modes: LOG,
			group: 'Money',
			label: 'page up',
			help: 'Newer records.',
			run: a => a.scroll(-PAGE),
		},
	],
});

function canScroll(state: MonitorState): boolean {
	const mode = topMode(state);
	return mode.kind !== 'actionLog' || actionLogScrolls(mode, state.size);
}
