import type {Entry} from '../../../contract/entry.ts';
import {type TokenLink, tokenLinks} from '../../../monitor/links/token-links.ts';
import {selected} from '../../../monitor/select.ts';
import {topMode} from '../../../monitor/state.ts';
import type {Context} from '../../feature.ts';
import {tokenCommand} from '../../shell-commands.ts';

/** The actions of the links menu, and of the commands that print the same data. */
export function createLinkActions({store, monitor}: Context) {
	function marked() {
		const mode = topMode(store.get());
		return mode.kind === 'links' ? mode.links[mode.index] : undefined;
	}

	return {
		open: () => {
			const entry = selected(store.get());
			if (entry) monitor.enterMode({kind: 'links', links: [...tokenLinks(entry), shellLink(entry)], index: 0});
		},
		/** Opens the marked page where a browser can be reached; elsewhere its address is shown and copied. */
		openLink: () => {
			const link = marked();
			if (link === undefined) return;
			if (!link.url.ok) return monitor.notify(`${link.name} is not opened: ${link.url.why}.`, 'warn');
			monitor.leaveMode();
			monitor.openPage(link.url);
		},
		copyLink: () => {
			const link = marked();
			if (link === undefined) return;
			monitor.leaveMode();
			const text = link.url.ok ? link.url.href : link.text;
			monitor.copyText(text, text);
		},
		copyCommand: () => {
			const entry = selected(store.get());
			if (entry) monitor.copyText(tokenCommand(entry), tokenCommand(entry));
		},
	};
}

/** The command that prints the same data, among the pages. */
function shellLink(entry: Entry): TokenLink {
	return {name: 'shell', text: tokenCommand(entry), url: {ok: false, why: 'is a command: copy it'}};
}
