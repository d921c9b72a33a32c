import type {MarketEvent} from '../events.ts';
import type {Crowd} from './crowd.ts';

/** What the simulated market offers its tokens. */
export interface Stage {
	readonly seed: number;
	readonly startMs: number;
	/** Trades of a token as a multiple of the usual, each that much smaller; from the market's start on. */
	readonly density: number;
	readonly crowd: Crowd;
	emit(event: MarketEvent): void;
}
