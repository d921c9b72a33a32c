import type {ModeKind} from '../../monitor/mode.ts';
import {selected} from '../../monitor/select.ts';
import type {Verbs} from '../features/rest.ts';
import type {BindingSpec} from '../keymap/binding.ts';

const BROWSE: readonly ModeKind[] = ['list', 'detail'];

/** Bindings of links and of the commands that print the same data; part of the one table in keymap.ts. */
export const LINK_KEYS: readonly BindingSpec<Verbs>[] = [
	{
		id: 'links.list',
		keys: ['O'],
		modes: BROWSE,
		group: 'Token',
		label: 'links',
		help: 'List the pages of the token: site, X, Telegram, explorers, posts. {menu.accept} opens one in the browser (over SSH it is shown and copied), {links.copy} copies it. Nothing is opened by itself.',
		hint: 42,
		disabled: s => (selected(s) === undefined ? 'put the cursor on a token first ({cursor.down})' : undefined),
		run: a => a.openLinks(),
	},
	{
		id: 'links.copy',
		keys: ['y'],
		modes: ['links'],
		group: 'Menu',
		label: 'copy',
		help: 'Copy the address of the marked page.',
		hint: 10,
		run: a => a.copyLink(),
	},
	{
		id: 'token.command',
		keys: ['Y'],
		modes: BROWSE,
		group: 'Token',
		label: 'copy command',
		help: 'Copy the command that prints the same data of the token in a shell.',
		disabled: s => (selected(s) === undefined ? 'put the cursor on a token first ({cursor.down})' : undefined),
		run: a => a.copyTokenCommand(),
	},
];
