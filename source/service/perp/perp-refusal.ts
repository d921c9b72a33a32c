import {PERP_REFUSALS} from '../../contract/perp.ts';
import {type RefusalDetails, Refused} from '../http-error.ts';

/** Refuses in the spec's own words (spec 7). @param details the reason and the field, in members of their own */
export function perpRefusal(name: keyof typeof PERP_REFUSALS, details: RefusalDetails = {}): Refused {
	const {status, message} = PERP_REFUSALS[name];
	return new Refused(status, message, {next: status === 403 ? 'retry-same' : 'fix-input', details});
}
