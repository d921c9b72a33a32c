import {reasonOf} from '../errors.ts';
import {StoreFailed, StoreUnavailable} from './store/database.ts';

/** How long the same reason is not reported again, in milliseconds. */
const QUIET_MS = 600_000;
/** Number of reasons that are remembered. */
const MAX_REASONS = 100;
/** Depth of causes that is searched. */
const MAX_DEPTH = 8;

/**
 * Reports what the store refuses to do: a statement with a mistake, a missing permission, a full disk. Its caller gets a 503 and tries
 * again, as in an outage, so that nobody else would learn of it. Outages are not reported: they show in the readiness.
 * @param report called once in ten minutes for each reason and statement; `during` names the statement, without its values
 */
export function createStoreFaults(
	report: (during: string, failure: StoreFailed) => void,
	now: () => number = () => performance.now(),
): (during: string, error: unknown) => void {
	/** When a reason was reported, the oldest first. */
	const reportedMs = new Map<string, number>();
	return (during, error) => {
		const failure = failureIn(error);
		if (failure === undefined) return;
		const statement = failure.cause instanceof Error ? failure.cause.message : '';
		const reason = `${reasonOf(failure)} ${statement}`;
		const nowMs = now();
		if (nowMs - (reportedMs.get(reason) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
		reportedMs.delete(reason);
		reportedMs.set(reason, nowMs);
		if (reportedMs.size > MAX_REASONS) reportedMs.delete(reportedMs.keys().next().value!);
		report(statement === '' ? during : `${during}, ${statement}`, failure);
	};
}

/** The store's failure among the causes of an error, unless it is an outage. */
function failureIn(error: unknown): StoreFailed | undefined {
	let cause = error;
	for (let depth = 0; depth < MAX_DEPTH && cause instanceof Error; depth++) {
		if (cause instanceof StoreUnavailable) return undefined;
		if (cause instanceof StoreFailed) return cause;
		cause = cause.cause;
	}
	return undefined;
}
