import {Refused} from './http-error.ts';

/** What callers may still spend. */
export interface Credits {
	/**
	 * Does what costs credits. It is paid for when it was done, and when it may have been (504); any other refusal is free.
	 * @param caller whose credits: as limits know it
	 * @throws Refused 402 when there are not enough left; what the work throws
	 */
	spend<T>(caller: string, cost: number, work: () => Promise<T>): Promise<T>;
}

/** So many credits for each caller in this run; undefined: nothing runs out. */
export function createCredits(each: number | undefined): Credits {
	const left = new Map<string, number>();
	return {
		async spend(caller, cost, work) {
			if (each === undefined) return work();
			const before = left.get(caller) ?? each;
			if (before < cost) throw new Refused(402, 'The credits of the API key are used up');
			// Taken before: of two at once, with one credit left, one is refused.
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
