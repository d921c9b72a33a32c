import type {ModeKind} from '../../../monitor/mode.ts';
import {topMode} from '../../../monitor/state.ts';
import type {Verbs} from '../../features/rest.ts';
import type {BindingSpec} from '../../keymap/binding.ts';

const BROWSE: readonly ModeKind[] = ['list', 'detail'];

/** Bindings of the hidden list and its prompts; part of the one table in keymap.ts. */
export const HIDE_BINDINGS: readonly BindingSpec<Verbs>[] = [
	{
		id: 'token.unhide',
		keys: ['u'],
		modes: [...BROWSE, 'hidden'],
		group: 'Token',
		label: 'unhide',
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
		help: 'Hidden tokens, deployers and keywords: hide more, show again, export, import.',
		run: a => a.openHidden(),
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
		run: a => a.openHidePrompt('keyword'),
	},
	{
		id: 'hidden.remove',
		keys: ['x', 'delete'],
		modes: ['hidden'],
		group: 'Menu',
		label: 'show again',
		help: 'Unhide the marked line.',
		hint: 8,
		hintWhen: s => s.hidden.size > 0,
		run: a => a.removeHidden(),
	},
	{
		id: 'hidden.copy',
		keys: ['y'],
		modes: ['hidden'],
		group: 'Menu',
		label: 'copy',
		help: 'Copy all that is hidden as one line of text.',
		hint: 20,
		hintWhen: s => s.hidden.size > 0,
		run: a => a.copyHidden(),
	},
	{
		id: 'hidden.write',
		keys: ['w'],
		modes: ['hidden'],
		group: 'Menu',
		label: 'write file',
		help: 'Export all that is hidden to a file.',
		hint: 21,
		hintWhen: s => s.hidden.size > 0,
		run: a => a.openHidePrompt('export'),
	},
	{
		id: 'hidden.import',
		keys: ['i'],
		modes: ['hidden'],
		group: 'Menu',
		label: 'import',
		help: 'Import hides from a line of text or a file. You can also just paste such a line.',
		hint: 22,
		run: a => a.openHidePrompt('import'),
	},
	{
		id: 'hidePrompt.accept',
		keys: ['enter'],
		modes: ['hidePrompt'],
		group: 'Typing',
		label: 'done',
		help: 'Accept what was typed.',
		hint: 5,
		labelNow: s => {
			const mode = topMode(s);
			return mode.kind === 'hidePrompt'
				? {keyword: 'hide', import: 'import', export: 'write'}[mode.purpose]
				: undefined;
		},
		run: a => a.acceptHidePrompt(),
	},
	{
		id: 'hidePrompt.cancel',
		keys: ['esc'],
		modes: ['hidePrompt'],
		isExit: true,
		group: 'Typing',
		label: 'cancel',
		help: 'Cancel.',
		hint: 15,
		run: a => a.leaveMode(),
	},
];
