import {PulsetopError} from './errors.ts';

/** A value or a name in the configuration that the program can't take. The value itself is not repeated: it may be a key. */
export class ConfigError extends PulsetopError {
	readonly code = 'config';

	constructor(what: string, why: string, cause?: unknown) {
		super(what, {why, next: 'fix-input', cause});
	}
}
