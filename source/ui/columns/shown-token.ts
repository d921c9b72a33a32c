import type {Entry} from '../../contract/entry.ts';
import type {Window8} from '../../contract/windows.ts';
import type {Lookalike} from '../../monitor/tokens/lookalike.ts';

/**
 * The figures and texts that the row of a token shows. A row is drawn again only when one of these values changes, so times are
 * texts, not clocks.
 */
export interface ShownToken {
	/** The same object until a figure of the token changes. */
	readonly entry: Entry;
	/** The window of volume, counts and change. */
	readonly window: Window8;
	readonly age: string;
	/** Time since the token bonded; undefined when unknown. */
	readonly sinceBonded: string | undefined;
	readonly isSelected: boolean;
	readonly isPinned: boolean;
	/** The wallet holds the token, or a trade of the token is under way. */
	readonly holding: 'held' | 'underWay' | undefined;
	/** How closely the token imitates another one; undefined when it imitates none. */
	readonly alike: Exclude<Lookalike['level'], 'info'> | undefined;
	/** Direction of the last move of its market cap. */
	readonly moved: 'up' | 'down' | undefined;
	/** Prices of the last minutes, oldest first; undefined unless the row shows them. */
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

/** Props of each cell. A cell draws exactly `width` cells of text. */
export interface CellProps {
	readonly token: ShownToken;
	readonly width: number;
	/** Id of the cell. */
	readonly id: string;
}
