import type {Entry} from '../../../contract/entry.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import {entriesOnScreen, readTypedToken} from '../../../monitor/tokens/token-lookup.ts';
import {fitTo, middleEllipsis} from '../../../text.ts';
import {type Completion, MAX_COMPLETIONS, type TextCommand} from '../../feature.ts';
import {compact} from '../../format.ts';

/** The argument `ADDRESS [CHAIN]` of a typed command. */
export const TOKEN_ARGUMENT: Pick<TextCommand<unknown>, 'problem' | 'completions'> = {
	problem: argument => {
		const read = readTypedToken(argument);
		return read.ok ? undefined : read.problem;
	},
	completions: tokensNamed,
};

/** Tokens on screen whose symbol, name or address contains the typed text. */
function tokensNamed(argument: string, state: MonitorState): readonly Completion[] {
	const typed = argument.trim().toLowerCase();
	const matches = ({symbol, name, address}: Entry): boolean =>
		[symbol, name, address].some(text => text?.toLowerCase().includes(typed));
	const found = new Map(entriesOnScreen(state).map(entry => [entry.key, entry]));
	return [...found.values()]
		.filter(matches)
		.slice(0, MAX_COMPLETIONS)
		.map(({symbol = '', name = '', address, chain_id, market_cap}) => ({
			argument: address.startsWith('0x') ? `${address} ${chain_id}` : address,
			label: `${fitTo(symbol, 12)} ${fitTo(name, 18)} ${middleEllipsis(address, 13)}`,
			note: compact(market_cap),
		}));
}
