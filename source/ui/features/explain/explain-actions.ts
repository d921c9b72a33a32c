import type {Entry} from '../../../contract/entry.ts';
import {whyOf} from '../../../monitor/columns/why.ts';
import {selected, shownMs} from '../../../monitor/select.ts';
import type {Context, ScrollStep} from '../../feature.ts';
import {scrolled} from '../../modals/scrolled.ts';
import {createLookUp} from '../token/look-up.ts';
import {explanationReach, pageOn} from './explain-lines.ts';

/** The actions that open and scroll the explanation of a token. */
export function createExplainActions({store, monitor, keys}: Context) {
	const {get} = store;
	const withToken = createLookUp({store, monitor});

	function show(entry: Entry): void {
		const atMs = monitor.nowMs();
		monitor.enterMode({kind: 'why', entry, columns: whyOf(get(), entry, atMs), atMs: shownMs(get(), atMs), scroll: 0});
	}

	return {
		open: () => {
			const entry = selected(get());
			if (!entry) return monitor.notify('Put the cursor on a token first, then ask why it is here.', 'warn');
			show(entry);
		},
		/** @param token an address, and its chain where it is needed */
		openFor: (token: string) => withToken(token, show),
		scroll: (step: ScrollStep) =>
			monitor.changeMode(mode => {
				if (mode.kind !== 'why') return mode;
				const screen = get().size;
				const to = scrolled(mode.scroll, step, pageOn(screen));
				return {...mode, scroll: Math.min(Math.max(to, 0), explanationReach(mode, {screen, keys: keys()}))};
			}),
		close: monitor.leaveMode,
	};
}
