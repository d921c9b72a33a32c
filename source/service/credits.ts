import {Refused} from './http-error.ts';

/** What callers may still spend. */
export interface Credits {
	/**
	 * Runs work that costs credits. The credits are spent when the work was done, and when it may have been (504); any
	 * other failure gives them back.
	 * @param caller the identity that limits use
	 * @throws Refused 402 when too few credits are left; what the work throws
	 */
	spend<T>(caller: string, cost: number, work: () => Promise<T>): Promise<T>;
}

/** @param each credits of each caller for this run; undefined: no limit */
export function createCredits(each: number | undefined): Credits {
	const left = new Map<string, number>();
	return {
		async spend(caller, cost, work) {
			if (each === undefined) return work();
			const before = left.get(caller) ?? each;
			if (before < cost) throw new Refused(402, 'The credits of the API key are used up');
			// Taken before the work: of two calls at once, with credits for one, one is refused.
			left.set(caller, before - cost);
			try {
				return await work();
			} catch (error) {
				const mayBeDone = error instanceof Refused && error.statusCode === 504;
				if (!mayBeDone) left.set(caller, left.get(caller)! + cost);
				throw error;
			}
		},
	};
}
