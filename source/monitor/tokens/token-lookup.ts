import {isEvmAddress, isSameAddress, isSolanaAddress} from '../../address.ts';
import type {Client} from '../../client/client.ts';
import type {Entry} from '../../contract/entry.ts';
import {PulsetopError} from '../../errors.ts';
import {KNOWN_CHAINS, resolveChain} from '../filter/chain-words.ts';
import type {MonitorState} from '../state.ts';
import {VIEWS} from '../views.ts';

/** No token has the address that was typed, as far as the service knows. */
class TokenNotFound extends PulsetopError {
	readonly code = 'token-not-found';
}

/** A typed token: an address, and its chain unless the address implies it. */
export type TypedToken =
	| {readonly ok: true; readonly address: string; readonly chainId?: string}
	| {readonly ok: false; readonly problem: string};

/** Reads `ADDRESS`, `ADDRESS CHAIN` or `CHAINID|ADDRESS`. */
export function readTypedToken(text: string): TypedToken {
	const [first = '', second, ...more] = text.trim().split(/\s+/);
	if (first === '') return {ok: false, problem: 'an address is needed'};
	if (more.length > 0) return {ok: false, problem: 'only an address and its chain can be given'};
	const [, keyChain, keyAddress] = /^(\w+:\w+)\|(.+)$/.exec(first) ?? [];
	const address = keyAddress ?? first;
	if (!isEvmAddress(address) && !isSolanaAddress(address)) {
		return {
			ok: false,
			problem: `${address.slice(0, 20)} is not a whole address (0x and 40 digits, or 32 to 44 letters)`,
		};
	}
	const chain = second ?? keyChain;
	if (chain === undefined) return {ok: true, address, ...(!isEvmAddress(address) && {chainId: 'solana:solana'})};
	const {id, suggestion} = {suggestion: undefined, ...resolveChain(chain)};
	if (id === undefined)
		return {ok: false, problem: `${chain} is no chain${suggestion === undefined ? '' : `: ${suggestion}?`}`};
	return {ok: true, address, chainId: id};
}

/**
 * The newest entry of a token, from the columns or from the service. An EVM address without a chain is looked up on the
 * chains on screen first, then on those that are known by name.
 * @throws TokenNotFound when the text is no address or the token is unknown; else as Client.fetchToken
 */
export async function lookUpToken(text: string, state: MonitorState, client: Client | undefined): Promise<Entry> {
	const typed = readTypedToken(text);
	if (!typed.ok) throw new TokenNotFound('This is not a token', {why: typed.problem, next: 'fix-input'});
	const {address, chainId} = typed;
	const shown = entriesOnScreen(state).find(
		entry => isSameAddress(entry.address, address) && (chainId === undefined || entry.chain_id === chainId),
	);
	if (shown) return shown;
	if (!client)
		throw new TokenNotFound('The token cannot be looked up', {
			why: 'the service is not there yet',
			next: 'retry-later',
		});
	for (const chain of chainId === undefined ? evmChains(state) : [chainId]) {
		const entry = await client.fetchToken({chainId: chain, address});
		if (entry) return entry;
	}
	throw new TokenNotFound('The service does not know this token', {
		why: chainId === undefined ? 'it was searched on every chain' : `it was searched on ${chainId}`,
		next: 'fix-input',
		advice: 'Check the address and its chain; a token of this moment may be known a little later.',
	});
}

/** All tokens of the columns, column by column. */
export function entriesOnScreen(state: MonitorState): readonly Entry[] {
	return VIEWS.flatMap(view => [...state.columns[view].rows.values()].map(row => row.entry));
}

function evmChains(state: MonitorState): readonly string[] {
	const onScreen = entriesOnScreen(state).map(entry => entry.chain_id);
	const all = [...onScreen, ...KNOWN_CHAINS.map(({id}) => id)].filter(id => id.startsWith('evm:'));
	return [...new Set(all)];
}
