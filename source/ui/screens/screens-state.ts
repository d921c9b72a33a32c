import type {TextEdit} from '../../monitor/transitions/text-edit.ts';

/**
 * The state of each screen beside the columns, by its name. A feature with a screen adds its own (`declare module`). Apart
 * from the monitor's state: a screen that is closed costs the feed nothing.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface ScreenStates {}

export type ScreenKind = keyof ScreenStates;

export type ScreensState = ScreenStates & {
	/** How far the page that was drawn last can be scrolled, lines. */
	readonly reach?: number;
};

declare module '../../monitor/mode.ts' {
	interface Modes {
		/** A line of a screen is typed. */
		readonly screenInput: {readonly screen: ScreenKind; readonly field: string; readonly edit: TextEdit};
	}
}
