import {PulsetopError} from '../../errors.ts';

/** A command line that can't be understood. Repeats names, never values: a value may be a key. */
export class UsageError extends PulsetopError {
	readonly code = 'usage';

	constructor(what: string, why: string) {
		super(what, {why, next: 'fix-input'});
	}
}
