import {isEvmAddress} from '../../address.ts';
import {hasWrongChecksum} from '../../address-checksum.ts';
import {chainName} from '../../chains/chains.ts';
import type {Config} from '../../config/config.ts';
import {KNOWN_CHAINS, resolveChain} from '../../monitor/filter/chain-words.ts';
import {listPracticeChains} from '../../trading/practice-funds.ts';
import {UsageError} from '../line/usage-error.ts';
import type {TradingContext} from './context.ts';

/** A chain, and a token on it if one was named. */
export interface Place {
	readonly chainId: string;
	/** An address or a symbol, as given. */
	readonly token?: string;
}

/**
 * Reads `CHAIN` or `CHAIN:TOKEN`: base, evm:8453, base:usdc, evm:8453:0x...
 * @param flag names it in errors
 * @param operand its name in messages when it is an operand, not a flag: `CHAIN:ADDRESS`
 * @throws UsageError
 */
export function placeOf(given: string, flag: string, operand?: string): Place {
	const whole = chainOf(given);
	if (whole !== undefined) return {chainId: whole};
	const at = given.lastIndexOf(':');
	const chain = given.slice(0, Math.max(at, 0));
	const chainId = chainOf(chain);
	const token = given.slice(at + 1);
	if (chainId !== undefined && token !== '') return {chainId, token};
	throw new UsageError(
		operand === undefined ? `The value of --${flag} can't be used` : `This is no ${operand}`,
		nearestChain(at < 0 ? given : chain) ??
			`Write a chain and a token, as ${operand === undefined ? 'base:usdc or ' : ''}evm:8453:0x...; chains by name: ${evmNames()}.`,
	);
}

/** Reads the value of `--chain`: base, evm:8453. @throws UsageError */
export function chainNamed(given: string): string {
	const chainId = chainOf(given);
	if (chainId !== undefined) return chainId;
	const words = nearestChain(given) ?? `Write a chain: ${evmNames()}, or its number as evm:8453.`;
	throw new UsageError("The value of --chain can't be used", words);
}

function nearestChain(text: string): string | undefined {
	const found = resolveChain(text);
	return 'suggestion' in found && found.suggestion !== undefined
		? `The nearest chain is "${found.suggestion}".`
		: undefined;
}

function chainOf(text: string): string | undefined {
	const isName = KNOWN_CHAINS.some(({name}) => name === text.toLowerCase());
	return isName || /^evm:[1-9]\d{0,15}$/.test(text) ? resolveChain(text).id : undefined;
}

function evmNames(): string {
	const evm = KNOWN_CHAINS.filter(
		({id}, at) => id.startsWith('evm:') && KNOWN_CHAINS.findIndex(c => c.id === id) === at,
	);
	return evm.map(({name}) => name).join(', ');
}

/**
 * The address of a token given by address or symbol. Symbols are looked up only among the practice tokens, or those of the
 * configuration, because anybody can give a token any symbol.
 * @throws UsageError for an unknown symbol, and for a wrong checksum; ChainUnread
 */
export async function tokenAddress(
	{chainId, token}: Required<Place>,
	{context, config, flag}: {context: TradingContext; config: Config; flag: string},
): Promise<string> {
	if (isEvmAddress(token)) {
		assertChecksum(token, `The value of --${flag} can't be used`);
		return token;
	}
	const known = await knownTokens(context, config, chainId);
	const found = known.filter(({symbol}) => symbol.toLowerCase() === token.toLowerCase());
	if (found.length === 1) return found[0]!.address;
	const symbols = known.map(({symbol}) => symbol).join(', ');
	const where = chainName(chainId);
	throw new UsageError(
		`The token of --${flag} is not known`,
		found.length > 1
			? `Several tokens of ${where} have this symbol: give the address.`
			: `Give its address${symbols === '' ? '' : `, or one of those known on ${where}: ${symbols}`}. Add others under [wallet] tokens.`,
	);
}

/** Refuses a mistyped address. @param what the event, for the error @throws UsageError */
export function assertChecksum(address: string, what: string): void {
	if (hasWrongChecksum(address))
		throw new UsageError(
			what,
			'The checksum of the address is wrong: a letter was mistyped, or the case of one changed.',
		);
}

async function knownTokens(
	{trading, practice}: TradingContext,
	{wallet}: Config,
	chainId: string,
): Promise<readonly {readonly symbol: string; readonly address: string}[]> {
	if (practice) return (await listPracticeChains(practice)).find(chain => chain.chainId === chainId)?.tokens ?? [];
	const addresses = wallet.tokens
		.filter(text => text.startsWith(`${chainId}:`))
		.map(text => text.slice(text.lastIndexOf(':') + 1));
	return Promise.all(
		addresses.map(async address => ({...(await trading.chains.tokenInfo(chainId, address)), address})),
	);
}
