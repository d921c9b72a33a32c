import {selected} from '../../../monitor/select.ts';
import {type MonitorState, topMode} from '../../../monitor/state.ts';
import {feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {createHideActions} from './hide-actions.ts';
import {hiddenItems} from './hide-items.ts';

/** Tokens, deployers and keywords that no column shows. */
export const hides = feature({
	name: 'hides',
	actions: createHideActions,
	modes: {
		hidden: {
			help: 'hidden',
			menu: {
				title: 'Hidden, the newest first ({menu.accept} shows one again)',
				items: (_, {state}) => hiddenItems(state),
				source: state => state.hidden,
				accept: ({id}, _, a) => a.accept(id),
			},
			remove: {label: 'show again', when: s => s.hidden.size > 0, run: a => a.remove()},
			copy: {when: s => s.hidden.size > 0, run: a => a.copy()},
		},
		hidePrompt: {
			help: 'hidden',
			typesLine: true,
			promptRows: 1,
			accepts: s => {
				const mode = topMode(s);
				return {keyword: 'hide', import: 'import', export: 'write'}[
					mode.kind === 'hidePrompt' ? mode.purpose : 'keyword'
				];
			},
			accept: (_, a) => a.acceptPrompt(),
		},
	},
	help: {hidden: {title: 'HIDDEN TOKENS, DEVELOPERS AND KEYWORDS ({token.hidden})', rank: 80}},
	paste: (text, a) => a.paste(text),
	bindings: [
		{
			id: 'token.hide',
			keys: ['x', 'delete'],
			modes: BROWSE,
			group: 'Token',
			label: 'hide',
			title: 'Hide token',
			help: 'Hide the token from all columns.',
			hint: 50,
			disabled: needsToken,
			run: a => a.hide(),
		},
		{
			id: 'token.unhide',
			keys: ['u'],
			modes: [...BROWSE, 'hidden'],
			group: 'Token',
			label: 'unhide',
			title: 'Show last hidden',
			help: 'Undo the last hide: a token, a deployer or a keyword.',
			disabled: s => (s.hidden.size === 0 ? 'nothing is hidden' : undefined),
			run: a => a.unhideLast(),
		},
		{
			id: 'token.hidden',
			keys: ['X'],
			modes: BROWSE,
			group: 'Token',
			label: 'hidden',
			title: 'Hidden tokens',
			help: 'Hidden tokens, deployers and keywords: hide more, show again, export, import.',
			run: a => a.open(),
		},
		{
			id: 'hidden.deployer',
			keys: ['d'],
			modes: ['hidden'],
			group: 'Menu',
			label: 'hide deployer',
			help: 'Hide all tokens of a deployer: that of the marked hidden token, else of the token under the cursor.',
			hint: 6,
			run: a => a.hideDeployer(),
		},
		{
			id: 'hidden.keyword',
			keys: ['n'],
			modes: ['hidden'],
			group: 'Menu',
			label: 'hide keyword',
			help: 'Hide tokens with a word in their symbol, name or description.',
			hint: 7,
			run: a => a.openPrompt('keyword'),
		},
		{
			id: 'hidden.write',
			keys: ['w'],
			modes: ['hidden'],
			group: 'Menu',
			label: 'write file',
			help: 'Export all that is hidden to a file.',
			hint: 21,
			needs: 'files',
			hintWhen: s => s.hidden.size > 0,
			run: a => a.openPrompt('export'),
		},
		{
			id: 'hidden.import',
			keys: ['i'],
			modes: ['hidden'],
			group: 'Menu',
			label: 'import',
			help: 'Import hides from a line of text or a file. You can also just paste such a line.',
			hint: 22,
			needs: 'files',
			run: a => a.openPrompt('import'),
		},
	],
});

function needsToken(state: MonitorState): string | undefined {
	return selected(state) === undefined ? 'put the cursor on a token first ({cursor.down})' : undefined;
}
