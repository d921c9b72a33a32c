import {selected} from '../../../monitor/select.ts';
import {type MonitorState, topMode} from '../../../monitor/state.ts';
import {feature} from '../../feature.ts';
import {type BoundKeys, BROWSE} from '../../keymap/binding.ts';
import {TOKEN_ARGUMENT} from '../token/token-argument.ts';
import {createExplainActions} from './explain-actions.ts';
import {explanationReach} from './explain-lines.ts';

/** Why a token is in a column, or not. */
export const explain = feature({
	name: 'explain',
	actions: createExplainActions,
	modes: {
		why: {
			help: 'menus',
			window: 'own',
			cancels: 'close',
			open: a => a.close(),
			close: a => a.close(),
			scroll: (step, a) => a.scroll(step),
			canScroll,
		},
	},
	commands: [
		{
			word: 'why',
			usage: 'why ADDRESS [CHAIN]',
			help: 'Say which clause of which column keeps a token out.',
			...TOKEN_ARGUMENT,
			run: (token, a) => a.openFor(token),
		},
	],
	bindings: [
		{
			id: 'token.why',
			keys: ['e'],
			modes: BROWSE,
			group: 'Token',
			label: 'explain',
			title: 'Explain token',
			help: 'Explain which columns show the token, and why: every clause with its values. {palette.open}why ADDRESS takes any token.',
			hint: 58,
			disabled: s => (selected(s) === undefined ? 'put the cursor on a token first ({cursor.down})' : undefined),
			run: a => a.open(),
		},
	],
});

function canScroll(state: MonitorState, keys: BoundKeys): boolean {
	const mode = topMode(state);
	return mode.kind !== 'why' || explanationReach(mode, {screen: state.size, keys}) > 0;
}
