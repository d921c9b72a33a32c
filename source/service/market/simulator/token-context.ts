import type {MarketEvent} from '../events.ts';
import type {Crowd} from './crowd.ts';

/** The interface of the simulated market to its tokens. */
export interface TokenContext {
	readonly seed: number;
	readonly startMs: number;
	/** Trades of a token as a multiple of the default, each smaller by the same factor; from the market's start on. */
	readonly density: number;
	readonly crowd: Crowd;
	emit(event: MarketEvent): void;
	/** True for the address of a token, or of its pool, that goes on from an earlier run. */
	isTaken(chainId: string, address: string): boolean;
}
