import {selected} from '../../../monitor/select.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import {feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';

/** The actions on the token under the cursor. */
export const token = feature({
	name: 'token',
	actions: ({monitor: {copyAddress, togglePin}}) => ({copyAddress, togglePin}),
	bindings: [
		{
			id: 'token.copy',
			keys: ['y'],
			modes: BROWSE,
			group: 'Token',
			label: 'copy address',
			title: 'Copy address',
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
			title: 'Pin token',
			help: 'Pin or unpin: a pinned token stays at the top whatever the filter says.',
			hint: 55,
			disabled: needsToken,
			run: a => a.togglePin(),
		},
	],
});

function needsToken(state: MonitorState): string | undefined {
	return selected(state) === undefined ? 'put the cursor on a token first ({cursor.down})' : undefined;
}
