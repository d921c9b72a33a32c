import {isEvmAddress} from '../../address.ts';
import type {Config} from '../../config/config.ts';
import type {Entry} from '../../contract/entry.ts';
import {chainWord, resolveChain} from '../../monitor/filter/chain-words.ts';
import {isTradeChain} from '../../trading/trade/target.ts';

/**
 * The command that reviews a buy of a token, for people and programs to read and run. Nothing here runs it, and it signs
 * nothing: it makes a dry run.
 * @returns text that is safe in a shell: a chain, an address and the settings; undefined for a token that cannot be bought
 */
export function buyLine(
	{chain_id: chainId, address}: Pick<Entry, 'chain_id' | 'address'>,
	{amounts, from}: Pick<Config['trade'], 'amounts' | 'from'>,
): string | undefined {
	if (!isTradeChain(chainId) || !isEvmAddress(address)) return undefined;
	const [amount] = amounts;
	const configured = from === 'auto' ? undefined : resolveChain(from.replace(/:usdc$/, '')).id;
	const dollars = configured === undefined || configured === chainId ? OTHERS.find(id => id !== chainId)! : configured;
	const name = (id: string) => chainWord(id) ?? id;
	return `pulsetop buy ${name(chainId)}:${address} --amount ${amount} --from ${name(dollars)}:usdc --dry-run`;
}

/** Where dollars come from when nothing is configured: Base, for tokens of Base Arbitrum. */
const OTHERS = ['evm:8453', 'evm:42161'] as const;
