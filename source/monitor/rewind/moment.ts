import type {MonitorState} from '../state.ts';

/** The columns at one moment. */
export interface Moment {
	/** Local Unix ms. */
	readonly atMs: number;
	readonly skewMs: number;
	readonly columns: MonitorState['columns'];
	/** The price of a token in US dollars; undefined where no column had it. @param key as entries have it */
	priceOf(key: string): number | undefined;
}
