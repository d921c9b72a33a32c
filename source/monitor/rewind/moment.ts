import type {MonitorState} from '../state.ts';

/** The columns at one moment. */
export interface Moment {
	/** Local Unix ms. */
	readonly atMs: number;
	readonly skewMs: number;
	readonly columns: MonitorState['columns'];
}
