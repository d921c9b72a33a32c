import type {Window8} from '../../contract/windows.ts';
import type {Row} from '../../monitor/columns/column.ts';
import type {Lookalike} from '../../monitor/tokens/lookalike.ts';

/**
 * A token as its row shows it. A row is drawn again only when one of these is another value, so there is no clock among them:
 * times are the texts that the row shows.
 */
export interface ShownToken {
	readonly row: Row;
	/** The window of volume, counts and change. */
	readonly window: Window8;
	readonly age: string;
	/** Since it bonded; undefined where that is not known. */
	readonly sinceBonded: string | undefined;
	readonly isSelected: boolean;
	readonly isPinned: boolean;
	/** Some of it is held, or a trade of it is under way. */
	readonly holding: 'held' | 'underWay' | undefined;
	/** How closely the token looks like another one, where it does. */
	readonly alike: Exclude<Lookalike['level'], 'info'> | undefined;
	/** Which way its market cap has just moved. */
	readonly moved: 'up' | 'down' | undefined;
	/** Its price in the last minutes, oldest first, where the row shows it. */
	readonly trail: readonly number[] | undefined;
	/** The token bonded lately: seconds since then, or `lately` where nothing on screen may move. */
	readonly promoted: number | 'lately' | undefined;
	/** Why it is no longer in its column; its row stays since no row may move under the cursor. */
	readonly departed: string | undefined;
	/** The service's time, Unix ms in whole seconds, where a figure of the row is counted from now on; else 0. */
	readonly serviceMs: number;
	/** A lower line of the row: marks stand in the first. */
	readonly isLower?: boolean;
}

/** What each cell gets. It gives text of exactly `width` cells. */
export interface CellProps {
	readonly token: ShownToken;
	readonly width: number;
	/** Id of the cell. */
	readonly id: string;
}
