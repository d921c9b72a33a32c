import type {Entry} from '../contract/entry.ts';
import type {ViewName} from './views.ts';

/** The last time that the stream came back after a loss, where something is known of it. */
export interface LastLoss {
	/** When it was back, local Unix ms. */
	readonly atMs: number;
	/** The address that serves since, if it is another than before. */
	readonly movedTo?: string;
	/** Whether all that happened meanwhile is known; undefined for a service that does not say it. */
	readonly isRecovered?: boolean;
	/** How long it was lost; undefined where no data came before. */
	readonly gapMs?: number;
	/** Tokens that came and went meanwhile, each once, the first column that missed it. */
	readonly missed: readonly {readonly view: ViewName; readonly entry: Entry}[];
}
