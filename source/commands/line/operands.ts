import {text as readAll} from 'node:stream/consumers';
import {isEvmAddress} from '../../address.ts';
import {KNOWN_CHAINS, resolveChain} from '../../monitor/filter/chain-words.ts';
import {clean} from '../../text.ts';
import type {Flags} from './flags.ts';
import {UsageError} from './usage-error.ts';

/**
 * Reads the addresses after a command; `-` reads them from stdin, separated by blanks, commas or line ends.
 * @param what the noun for errors: `address`
 * @throws UsageError without an address, with more than `most`, and for hidden characters, which tables and errors would repeat
 */
export async function addressesOf(
	operands: readonly string[],
	{most, what = 'address', many = `${what}es`}: {most: number; what?: string; many?: string},
): Promise<readonly string[]> {
	const texts = await Promise.all(operands.map(operand => (operand === '-' ? readAll(process.stdin) : operand)));
	const addresses = [...new Set(texts.flatMap(text => text.split(/[\s,]+/)).filter(address => address !== ''))];
	if (addresses.length === 0)
		throw new UsageError(`No ${what} is given`, 'Write one or more after the command, or - to read them from stdin.');
	const hidden = addresses.findIndex(address => clean(address, {maxLength: address.length}) !== address);
	if (hidden !== -1)
		throw new UsageError(
			`The ${what} ${hidden + 1} of ${addresses.length} has characters that are not shown`,
			`Without them it is ${clean(addresses[hidden]!, {maxCells: 80})}.`,
		);
	if (addresses.length > most)
		throw new UsageError(`There are too many ${many}`, `${addresses.length} were given, ${most} is the most.`);
	return addresses;
}

/**
 * The only operand of a command.
 * @param name its name in help: `FILE`
 * @throws UsageError for no operand, or several
 */
export function oneOperand(operands: readonly string[], name: string): string {
	const [only, ...others] = operands;
	if (only !== undefined && only !== '' && others.length === 0) return only;
	throw new UsageError(`${name} is missing or there is more than one`, `Name one ${name} after the command.`);
}

/**
 * The chain id of an address: `--chain`, an id or a name; without it Solana for an address that is not EVM.
 * @throws UsageError for an unknown name, and for an EVM address without a chain: it may exist on each
 */
export function chainOf(address: string, flags: Flags): string {
	const named = flags.text('chain');
	if (named !== undefined) {
		const found = resolveChain(named);
		if (found.id !== undefined) return found.id;
		if (/^\w+:\w+$/.test(named)) return named;
		const known = [...new Set(KNOWN_CHAINS.map(({name}) => name))].join(', ');
		throw new UsageError(
			"The value of --chain can't be used",
			found.suggestion === undefined
				? `It must be a chain id as evm:8453, or one of ${known}.`
				: `The nearest is "${found.suggestion}".`,
		);
	}
	if (isEvmAddress(address))
		throw new UsageError(
			'An EVM address needs its chain',
			'It may exist on each of them: add --chain base, for example.',
		);
	return 'solana:solana';
}
