import {PERP_REFUSALS} from '../../contract/perp.ts';
import {Refused} from '../http-error.ts';

/** Refuses in the spec's own words (spec 7). */
export function perpRefusal(name: keyof typeof PERP_REFUSALS): Refused {
	const {status, message} = PERP_REFUSALS[name];
	return new Refused(status, message, {next: status === 403 ? 'retry-same' : 'fix-input'});
}
