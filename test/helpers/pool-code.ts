/* Code of contracts that say what a test wants, in place of factories, pools and feeds of real chains. */

const word = (value: bigint | number | string): string => BigInt(value).toString(16).padStart(64, '0');
const two = (value: number): string => `61${value.toString(16).padStart(4, '0')}`;

/** Code that gives the same words to every call. */
export function giving(...words: readonly (bigint | number | string)[]): string {
	const stores = words.map((value, at) => `7f${word(value)}${two(at * 32)}52`).join('');
	return `0x${stores}${two(words.length * 32)}6000f3`;
}

/** Code of a factory that has a pool of any token with one quote coin, the second argument of its call. */
export function factoryOf(quote: string, pool: string): string {
	return `0x6024357f${word(quote)}1473${pool.slice(2)}0260005260206000f3`;
}

interface Coin {
	readonly address: string;
	readonly decimals: number;
}

/** Whole coins in raw units. */
export function rawUnits(whole: number, decimals: number): bigint {
	return (BigInt(Math.round(whole * 1e6)) * 10n ** BigInt(decimals)) / 1_000_000n;
}

/** Code of a pair of the constant product with these reserves, in whole coins. */
export function pairOf(token: Coin, tokens: number, quote: Coin, coins: number): string {
	const both = [rawUnits(tokens, token.decimals), rawUnits(coins, quote.decimals)];
	const [first, second] = token.address.toLowerCase() < quote.address ? both : both.toReversed();
	return giving(first!, second!, 1);
}
