import {PulsetopError} from '../../errors.ts';
import type {Acknowledgement} from '../../trading/acknowledge.ts';
import type {PinRole} from '../../trading/known-contracts.ts';
import {TRADE_CHECKS} from '../../trading/trade/checks.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {readRole} from '../trading/accept.ts';

/** Something about a trade has to be accepted by its name, and was not. */
export class TradeNotAccepted extends PulsetopError {
	readonly code = 'not-accepted';

	constructor(missing: readonly Acknowledgement[]) {
		super('Something about this trade must be accepted by its name', {
			why: missing.map(({why}) => why).join('; '),
			next: 'fix-input',
			advice: `If you want the trade nevertheless, make a dry run and execute its plan with --accept ${missing.map(({word}) => word).join(',')}.`,
		});
	}
}

/** The values of `--accept`: contracts by the end of their fingerprint, and risks of a trade by their figure. */
export interface Accepted {
	readonly roles: ReadonlyMap<PinRole, string>;
	/** `impact=12` */
	readonly words: readonly string[];
}

/**
 * Reads `--accept ROLE=LAST6` and `--accept impact=12,tax=8`; each may be repeated. Nothing accepts everything.
 * @throws UsageError for a name that is neither a role nor a check of trades
 */
export function acceptedBy(flags: Flags): Accepted {
	const given = flags.all('accept').flatMap(value => value.split(','));
	const words = given.filter(isTradeWord);
	const roles = given.filter(value => !isTradeWord(value)).map(value => readRole(value, 'accept'));
	return {roles: new Map(roles), words};
}

function isTradeWord(given: string): boolean {
	const [name = '', value = '', ...rest] = given.split('=');
	if (!TRADE_CHECKS.some(check => check.name === name)) return false;
	if (value !== '' && rest.length === 0) return true;
	throw new UsageError("The value of --accept can't be used", `Write ${name}=FIGURE, as the dry run says it.`);
}
