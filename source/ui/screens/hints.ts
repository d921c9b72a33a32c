import type {Mode} from '../../monitor/mode.ts';
import type {KeyHints, MonitorState} from '../../monitor/state.ts';
import type {ScreenSpec} from './screen-feature.ts';
import type {ScreensState} from './screens-state.ts';

/** The label of an action is that of the table of keys. */
export const LABEL = '';
/** The hints of every screen that can be refreshed. */
export const BACK: KeyHints = {'menu.close': LABEL, 'board.refresh': LABEL};
/** The hints of a marked line in lists of tokens. */
export const LISTED: KeyHints = {
	'menu.accept': LABEL,
	'tokens.sort': LABEL,
	'tokens.reverse': LABEL,
	'menu.copy': LABEL,
};

/** A page that is longer than the screen. @param reach how far it can be scrolled, lines */
export function scrollHints(scroll: number, reach: number): KeyHints {
	if (scroll < reach) return {'board.pageDown': 'scroll'};
	return scroll > 0 ? {'board.pageUp': 'scroll up'} : {};
}

/** The actions that do something on the screen on top, or in the line that is typed for it; undefined for other modes. */
export function screenHints(
	specs: readonly ScreenSpec[],
	mode: Mode,
	screens: ScreensState,
	monitor: MonitorState,
): KeyHints | undefined {
	const spec = specs.find(({name}) => name === (mode.kind === 'screenInput' ? mode.screen : mode.kind));
	if (spec === undefined) return undefined;
	if (mode.kind !== 'screenInput') return spec.hints(screens[spec.name], monitor, screens.reach ?? 0);
	return {
		'prompt.accept': LABEL,
		...spec.inputHints?.(screens[spec.name]),
		'prompt.cancel': LABEL,
		...(mode.edit.text !== '' && {'edit.line': LABEL}),
	};
}
