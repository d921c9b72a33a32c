import {PulsetopError} from '../../errors.ts';
import {editOf, type TextEdit} from '../../monitor/transitions/text-edit.ts';
import {BadAmount, clearUnits, formatUnits, parseUnits, typedAmount} from '../../trading/decimal.ts';

/** The hint in an empty amount field. */
export const AMOUNT_HINT = 'e.g. 12.5, or max';

/** An amount that the wallet does not have, found before any request. */
class NotEnough extends PulsetopError {
	readonly code = 'not-enough';

	/** @param has the balance as text: `1,000 USDC` */
	constructor(has: string, why: string) {
		super(`You have ${has}`, {why, next: 'fix-input'});
	}
}

/**
 * An exact amount for reading: every digit, thousands apart. `1,000.25`
 * @param raw raw units of a token
 * @param decimals of the token
 */
export function exactly(raw: bigint, decimals: number): string {
	const [whole = '', fraction] = formatUnits(raw, decimals).split('.');
	const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
	return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** The typed amount; the word `max` becomes the whole balance. @param hasRaw the balance, undefined where it is unknown */
export function amountEdited(edit: TextEdit, hasRaw: bigint | undefined, decimals: number): TextEdit {
	const isMax = edit.text.trim().toLowerCase() === 'max';
	return isMax && hasRaw !== undefined ? editOf(clearUnits(hasRaw, decimals)) : edit;
}

/**
 * Refuses text that is no amount, 0, and more than the balance.
 * @param hasRaw the balance; where it is unknown (undefined) only the service and the checks refuse
 * @param where ends the reason: `on Base`
 * @throws BadAmount, AmountUnclear, NotEnough
 */
export function assertAmount(
	typed: string,
	{
		symbol,
		decimals,
		hasRaw,
	}: {readonly symbol: string; readonly decimals: number; readonly hasRaw?: bigint | undefined},
	where: string,
): void {
	const raw = parseUnits(typedAmount(typed), decimals);
	if (raw === 0n) throw new BadAmount('it has to be more than 0');
	if (hasRaw === undefined || raw <= hasRaw) return;
	throw new NotEnough(
		`${exactly(hasRaw, decimals)} ${symbol}`,
		`${exactly(raw, decimals)} ${symbol} is more than your balance ${where}`,
	);
}
