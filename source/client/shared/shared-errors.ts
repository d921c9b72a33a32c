import {PulsetopError} from '../../errors.ts';

/** The service is asked for as many different views as it takes. */
export class TooManyViews extends PulsetopError {
	readonly code = 'too-many-views';

	constructor() {
		super('There is no room for another filter', {
			why: 'those who look at this market have as many different filters and sorts as the service takes',
			next: 'retry-later',
			advice: 'Take a filter that others have, or wait until another viewer leaves.',
		});
	}
}

/** A viewer looks up more than a person can read. */
export class TooFast extends PulsetopError {
	readonly code = 'too-fast';

	constructor() {
		super('That was too fast', {why: 'this server looks up five things a second for each viewer', next: 'retry-later'});
	}
}

/** A call that changes something at the service, or that is the operator's. */
export class NotForViewers extends PulsetopError {
	readonly code = 'not-for-viewers';

	constructor() {
		super('Not over this connection', {why: 'a viewer only reads the market', next: 'fix-input'});
	}
}
