import type {Actions} from '../../monitor/actions.ts';
import {tokenLinks} from '../../monitor/links/token-links.ts';
import {selected} from '../../monitor/select.ts';
import {type MonitorState, topMode} from '../../monitor/state.ts';
import type {Store} from '../../store.ts';
import {tokenCommand} from '../shell-commands.ts';

/** The actions of the links menu, and of the commands that print the same data. */
export function createLinkActions(store: Store<MonitorState>, actions: Actions) {
	function marked() {
		const mode = topMode(store.get());
		return mode.kind === 'links' ? mode.links[mode.index] : undefined;
	}

	return {
		openLinks: () => {
			const entry = selected(store.get());
			if (entry) actions.enterMode({kind: 'links', links: tokenLinks(entry), index: 0});
		},
		/** Opens the marked page where a browser can be reached; elsewhere its address is shown and copied. */
		openLink: () => {
			const link = marked();
			if (link === undefined) return;
			if (!link.url.ok) return actions.tell(`${link.name} is not opened: ${link.url.why}.`, 'warn');
			actions.leaveMode();
			actions.openPage(link.url);
		},
		copyLink: () => {
			const link = marked();
			if (link === undefined) return;
			actions.leaveMode();
			const text = link.url.ok ? link.url.href : link.text;
			actions.copyText(text, text);
		},
		copyTokenCommand: () => {
			const entry = selected(store.get());
			if (entry) actions.copyText(tokenCommand(entry), tokenCommand(entry));
		},
	};
}
