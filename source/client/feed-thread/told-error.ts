import {type Explanation, type Next, PulsetopError} from '../../errors.ts';

/** A failure that another thread met: it comes over in words, without its class. */
export class ToldError extends PulsetopError {
	readonly code: string;

	constructor({code, what, why, next}: Explanation) {
		super(what, {why, next: next satisfies Next});
		this.code = code;
	}
}
