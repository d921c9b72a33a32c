import {reasonOf} from '../errors.ts';

/**
 * Runs an action that is repeated whether or not it fails. A failure is logged once: again only with another reason, or after
 * the action has succeeded.
 * @param log called with the reason of a failure
 */
export function logFailuresOnce(
	log: (why: string) => void,
	wordsOf: (error: unknown) => string = reasonOf,
): (act: () => Promise<unknown>) => Promise<void> {
	let logged: string | undefined;
	return async act => {
		try {
			await act();
			logged = undefined;
		} catch (error) {
			const why = wordsOf(error);
			if (why !== logged) log(why);
			logged = why;
		}
	};
}
