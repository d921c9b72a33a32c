import type {ScreenKind} from '../../monitor/mode.ts';

/** The state of each screen beside the columns, by its name. Apart from the monitor's state: a screen that is closed costs the feed nothing. */
export interface ScreensState extends Readonly<Record<Exclude<ScreenKind, 'positions'>, object>> {
	/** Two of the user's own lists. */
	readonly positions: {readonly list: 'held' | 'trades'};
	/** How far the page that was drawn last can be scrolled, lines. */
	readonly reach?: number;
}
