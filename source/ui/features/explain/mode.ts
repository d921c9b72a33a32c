import type {Entry} from '../../../contract/entry.ts';
import type {WhyColumn} from '../../../monitor/columns/why.ts';
import type {ModeOf} from '../../../monitor/mode.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** Why a token is in each column or not, as it was at a moment. */
		readonly why: {
			readonly entry: Entry;
			readonly columns: readonly WhyColumn[];
			/** Local Unix ms; in a recording the recorded time. */
			readonly atMs: number;
			readonly scroll: number;
		};
	}
}

export type WhyMode = ModeOf<'why'>;
