import {urlText} from '../../../monitor/links/safe-url.ts';
import {selected} from '../../../monitor/select.ts';
import {padEnd, truncate} from '../../../text.ts';
import {feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {createLinkActions} from './link-actions.ts';

/** The pages of a token, and the command that prints the same data. */
export const links = feature({
	name: 'links',
	actions: createLinkActions,
	modes: {
		links: {
			help: 'menus',
			menu: {
				title: 'Links ({menu.accept} opens, {menu.copy} copies)',
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
			copy: {run: a => a.copyLink()},
		},
	},
	bindings: [
		{
			id: 'links.list',
			keys: ['O'],
			modes: BROWSE,
			group: 'Token',
			label: 'links',
			help: 'List the pages of the token: site, X, Telegram, explorers, posts. {menu.accept} opens one in the browser (over SSH it is shown and copied), {menu.copy} copies it. Nothing is opened by itself.',
			hint: 42,
			disabled: s => (selected(s) === undefined ? 'put the cursor on a token first ({cursor.down})' : undefined),
			run: a => a.open(),
		},
		{
			id: 'token.command',
			keys: [],
			modes: BROWSE,
			group: 'Token',
			label: 'copy command',
			help: 'Copy the command that prints the same data of the token in a shell.',
			disabled: s => (selected(s) === undefined ? 'put the cursor on a token first ({cursor.down})' : undefined),
			run: a => a.copyCommand(),
		},
	],
});
