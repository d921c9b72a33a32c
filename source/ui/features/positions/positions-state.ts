import type {Explanation} from '../../../errors.ts';
import type {Holdings} from '../../../trading/positions/open-positions.ts';
import type {TokenList} from '../../screens/token-list.ts';

export const POSITIONS_SORTS = ['value', 'open', 'since', 'symbol'] as const;
export type PositionsSort = (typeof POSITIONS_SORTS)[number];

/** Positions that are folded into one line each: what it is that they have in common. */
export const FOLDS = ['small', 'gone', 'sold'] as const;
export type Fold = (typeof FOLDS)[number];

/** `rows` are the feed's tokens, `order` the lines that can be marked: holdings by id, trades by intent, folds by `fold:NAME`. */
export interface PositionsState extends TokenList<PositionsSort> {
	readonly list: 'held' | 'trades';
	/** Holdings by the journal and the chains; undefined before they were read. */
	readonly read?: Holdings | undefined;
	/** When they were read, local Unix ms. */
	readonly readAtMs?: number | undefined;
	readonly isReading: boolean;
	/** Why they could not be read. */
	readonly unread?: Explanation | undefined;
	readonly unfolded: ReadonlySet<Fold>;
}

export const NO_POSITIONS: PositionsState = {
	rows: new Map(),
	order: [],
	sort: 'value',
	isReversed: false,
	list: 'held',
	isReading: false,
	unfolded: new Set(),
};

/** Lines below the list: what is unusual about the marked one, and the sums. */
export const FOOT_ROWS = 2;
