import {Refused} from './http-error.ts';

/** The credits that callers may still spend. */
export interface Credits {
	/**
	 * Runs work that costs credits. The credits are spent when the work succeeds, and when its result is unknown (504); any other
	 * failure refunds them.
	 * @param caller the identity that limits use
	 * @throws CreditsUsedUp when too few credits are left; StoreFailed where replicas share them; what the work throws
	 */
	spend<T>(caller: string, cost: number, work: () => Promise<T>): Promise<T>;
}

/** Too few credits are left (402). */
export class CreditsUsedUp extends Refused {
	constructor() {
		super(402, 'The credits of the API key are used up');
	}
}

/** Whether the result of failed work is unknown. */
export function mayBeDone(error: unknown): boolean {
	return error instanceof Refused && error.statusCode === 504;
}

/** @param each credits of each caller for this run; undefined: no limit */
export function createCredits(each: number | undefined): Credits {
	const left = new Map<string, number>();
	return {
		async spend(caller, cost, work) {
			if (each === undefined) return work();
			const before = left.get(caller) ?? each;
			if (before < cost) throw new CreditsUsedUp();
			// Taken before the work: of two concurrent calls with credits for one, one is refused.
			left.set(caller, before - cost);
			try {
				return await work();
			} catch (error) {
				if (!mayBeDone(error)) left.set(caller, left.get(caller)! + cost);
				throw error;
			}
		},
	};
}
