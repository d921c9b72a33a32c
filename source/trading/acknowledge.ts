import type {CheckResult} from './check.ts';

/** Something that a trade is made with only once the person has typed it. */
export interface Acknowledgement {
	/** Name of the check: `impact`. */
	readonly name: string;
	/** The accepted value: a percentage, the end of an address. */
	readonly value: string;
	/** Both, as they are typed: `impact=12`. */
	readonly word: string;
	readonly why: string;
}

/** The words to type before a plan with these results is signed. */
export function acknowledgements(checks: readonly CheckResult[]): readonly Acknowledgement[] {
	return checks.flatMap(({name, acknowledge: value, detail, title}) =>
		value === undefined ? [] : [{name, value, word: `${name}=${value}`, why: `${title}: ${detail}`}],
	);
}

/** The exact text to type: the amount, then each word. @param amount as it is shown */
export function confirmationText(amount: string, needed: readonly Acknowledgement[]): string {
	return [amount, ...needed.map(({word}) => word)].join(' ');
}

/** Those of which no word of `typed` speaks, or only of less. */
export function notAcknowledged(
	needed: readonly Acknowledgement[],
	typed: readonly string[],
): readonly Acknowledgement[] {
	return needed.filter(acknowledgement => !typed.some(word => covers(word, acknowledgement)));
}

/** Figures that may be better than the typed ones; of liquidity less is worse. */
const MORE_IS_WORSE: ReadonlySet<string> = new Set([
	'impact',
	'tax',
	'price',
	'worst-case',
	'jump',
	'cost',
	'chain-price',
]);
const LESS_IS_WORSE: ReadonlySet<string> = new Set(['liquidity']);

/** Whether a word takes on at least as much as is needed: `impact=15` covers an impact of 12. */
function covers(word: string, {name, value}: Acknowledgement): boolean {
	const [given = '', amount = '', ...rest] = word.toLowerCase().split('=');
	if (given !== name || rest.length > 0) return false;
	if (amount === value.toLowerCase()) return true;
	if (!isNumber(amount) || !isNumber(value)) return false;
	if (LESS_IS_WORSE.has(name)) return Number(amount) <= Number(value);
	return MORE_IS_WORSE.has(name) && Number(amount) >= Number(value);
}

function isNumber(text: string): boolean {
	return /^\d{1,9}(\.\d{1,9})?$/.test(text);
}
