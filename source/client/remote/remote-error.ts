import {type Explanation, type Next, PulsetopError} from '../../errors.ts';

/** A failure in another thread: its text and code arrive, its class does not. */
export class RemoteError extends PulsetopError {
	readonly code: string;

	constructor({code, what, why, next, advice}: Explanation) {
		super(what, {why, next: next satisfies Next, advice});
		this.code = code;
	}
}
