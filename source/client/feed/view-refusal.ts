import {PulsetopError} from '../../errors.ts';
import {InvalidResponse, ServiceRefused} from '../http/service-errors.ts';
import type {ViewRequest} from './feed-events.ts';

/** The service has no such view; the others are not touched by that. Asking again would change nothing. */
export class ViewNotServed extends PulsetopError {
	readonly code = 'view-not-served';

	constructor(model: string, why: string) {
		super(`This service has no ${model} view`, {
			why,
			next: 'fix-input',
			advice: 'Leave this view out: the others are there.',
		});
	}
}

/** A requested view is missing in the response. */
export class ViewMissing extends InvalidResponse {
	constructor() {
		super('a requested view is missing');
	}
}

/** Models that every service has (spec 4.1); the others were only seen (contract gaps 3.1). */
const EVERYWHERE: readonly unknown[] = ['new', 'bonding', 'bonded'];
/** The statuses of a request with something unknown; 0 is a refusal on the stream. */
const UNKNOWN: readonly number[] = [0, 400, 404, 422];

/**
 * The error of a view: `ViewNotServed` when the service does not know its model, else the error itself. A refusal without a
 * reason means an unknown model only when the view has no filter that could be the cause.
 */
export function viewFailure(error: PulsetopError, {model, filters}: ViewRequest): PulsetopError {
	if (model === undefined || EVERYWHERE.includes(model)) return error;
	if (error instanceof ViewMissing) return new ViewNotServed(model, 'its response does not have the view');
	if (!(error instanceof ServiceRefused) || !UNKNOWN.includes(error.status)) return error;
	const said = error.said.toLowerCase();
	const isModel = said === '' ? filters === undefined : /\bmodel\b/.test(said) || said.includes(model);
	return isModel ? new ViewNotServed(model, error.why) : error;
}
