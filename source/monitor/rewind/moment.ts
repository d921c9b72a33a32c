import type {Column} from '../columns/column.ts';
import type {ViewName} from '../views.ts';

/** The columns at one moment. */
export interface Moment {
	/** Local Unix ms. */
	readonly atMs: number;
	readonly skewMs: number;
	readonly columns: Readonly<Record<ViewName, Column>>;
	/** The price of a token in US dollars; undefined where no column had it. @param key as entries have it */
	priceOf(key: string): number | undefined;
}
