/*
 * Numbers as the text that the API writes.
 */

/** A whole-unit amount as a decimal integer string of base units; unknown is 0, the API's default. */
export function rawAmount(amount: number, decimals: number): string {
	if (!(amount > 0)) return '0';
	const places = Math.min(Math.max(decimals, 0), 36);
	// toFixed switches to exponents from 1e21 on.
	if (amount >= 1e21) return (BigInt(Math.floor(amount)) * 10n ** BigInt(places)).toString();
	return amount
		.toFixed(places)
		.replace('.', '')
		.replace(/^0+(?=\d)/, '');
}

/** Stands for an unknown price where the schema wants a text: nothing that reads as a price. */
export const NO_PRICE_TEXT = '';

/** A number without an exponent, with all its digits. */
export function plainDecimal(value: unknown): string {
	if (typeof value !== 'number' || !Number.isFinite(value)) return '0';
	const text = String(value);
	const e = text.indexOf('e-');
	return e < 0 ? text : value.toFixed(Math.min(100, Number(text.slice(e + 2)) + 16));
}
