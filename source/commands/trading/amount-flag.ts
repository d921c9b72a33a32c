import {AmountUnclear, typedAmount} from '../../trading/decimal.ts';
import type {Flags} from '../line/flags.ts';
import {askText, isPersonThere} from './passphrase-prompt.ts';

/** The user's answers: an amount is asked about once in a run. */
const answers = new WeakMap<Flags, Map<string, string>>();

/**
 * The amount of a flag as plain decimal text. For `1.000` and the like a person at the terminal says which amount is meant.
 * @returns undefined without the flag; text that is no amount as it is
 * @throws AmountUnclear without a person, or for another answer
 */
export async function amountFlag(flags: Flags, name = 'amount'): Promise<string | undefined> {
	const given = flags.text(name);
	if (given === undefined) return undefined;
	const known = answers.get(flags)?.get(name);
	if (known !== undefined) return known;
	try {
		return typedAmount(given);
	} catch (error) {
		if (!(error instanceof AmountUnclear) || flags.has('yes') || !isPersonThere()) throw error;
		const answer = await ask(name, error);
		answers.set(flags, (answers.get(flags) ?? new Map<string, string>()).set(name, answer));
		return answer;
	}
}

async function ask(name: string, error: AmountUnclear): Promise<string> {
	process.stderr.write(`${error.message} --${name}: ${error.why}.\n`);
	const typed = (await askText(`Type ${error.readings.join(' or ')}: `)).trim();
	if (!error.readings.includes(typed)) throw error;
	return typed;
}
