import type {Moment} from '../../../monitor/rewind/moment.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** The columns show a moment of the past. `at` is its place among the moments. */
		readonly rewind: {readonly moments: readonly Moment[]; readonly at: number};
	}
}
