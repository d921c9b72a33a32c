import {PREDICTION} from '../../contract/prediction.ts';
import {BadAmount, formatUnits, parseUnits} from '../decimal.ts';

/** An amount of stablecoin: exact raw units, and the number that the wire takes for it. */
export interface StableAmount {
	readonly raw: bigint;
	/** Its shortest decimal text is exactly the amount (spec 4.12 requires a number). */
	readonly number: number;
	readonly text: string;
}

/**
 * Reads an amount as typed, from 0.01 to 1e9 (spec 4.12). A number that would not come out of JSON as the very same
 * decimal is refused: the service must read the number that the user typed.
 * @throws BadAmount
 */
export function readAmount(typed: string, decimals: number): StableAmount {
	const raw = parseUnits(typed, decimals);
	const unit = 10n ** BigInt(decimals);
	if (raw * 100n < unit) throw new BadAmount('at least 0.01 is needed');
	if (raw > BigInt(PREDICTION.maxWithdraw) * unit) throw new BadAmount('at most 1000000000 is possible');
	const text = formatUnits(raw, decimals);
	const number = Number(text);
	if (String(number) !== text) throw new BadAmount('it has more digits than the service can read exactly');
	return {raw, number, text};
}
