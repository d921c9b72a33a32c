import {chainName} from '../../chains/chains.ts';
import {clean} from '../../text.ts';
import {exactly} from './amount.ts';
import type {TokenChoice} from './money-state.ts';

/** A token to choose with its balance, every digit; the longest text first. */
export function tokenTexts({symbol, chainId, balanceRaw, decimals}: TokenChoice): readonly string[] {
	const token = clean(symbol, {maxCells: 12});
	const name = `${token} on ${chainName(chainId)}`;
	if (balanceRaw === undefined) return [`${name}, balance not known`, name];
	const balance = exactly(balanceRaw, decimals);
	return [`${name}, balance ${balance} ${token}`, `${name}, ${balance}`, name];
}
