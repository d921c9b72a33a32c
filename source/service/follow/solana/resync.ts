import type {Account, SolanaNode} from '../../../rpc/solana/node.ts';
import {type LaunchLabState, readCurve, readLaunchLab, readSwapPool, readTokenAccount} from './accounts.ts';
import {pumpPoolAddress} from './addresses.ts';
import type {Caught, FollowedToken} from './token-book.ts';
import {PUMP} from './venues/pump.ts';
import {PUMP_SWAP} from './venues/pump-swap.ts';

/** Accounts that a node gives in one answer. */
const MAX_ACCOUNTS = 100;

/**
 * Reads the state of tokens from their accounts, after a time that was not seen: trades cannot be had again on a public node,
 * reserves and progress can.
 * @throws NodeRefused, NodeUnanswered, NodeAnswerWrong
 */
export async function readStates(node: SolanaNode, tokens: readonly FollowedToken[]): Promise<readonly Caught[]> {
	const curves = tokens.filter(token => token.pool === null);
	const states = await readAll(
		node,
		curves.map(token => token.curve),
	);
	const caught: Caught[] = [];
	const full: FollowedToken[] = [];
	for (const [index, token] of curves.entries()) {
		const account = states[index]!;
		const state = curveOf(token, account);
		if (account === null || state === undefined) continue;
		if (state.isFull && token.venue === PUMP.id) full.push(token);
		const holds = {left: state.left, quote: state.raised, isFull: state.isFull};
		caught.push({token, slot: account.slot, place: token.curve, holds, moved: undefined});
	}
	const inPools = [
		...tokens.flatMap(token => (token.pool === null || !isPumpPool(token) ? [] : [{token, pool: token.pool}])),
		...full.map(token => ({token, pool: pumpPoolAddress(token.mint, token.quote.address)})),
	];
	const moved = await readPools(node, inPools);
	const isMoved = new Set(moved.map(({token}) => token));
	return [...caught.filter(({token}) => !isMoved.has(token)), ...moved];
}

/** Reads accounts of new LaunchLab curves; those that cannot be read are left out. */
export async function readLaunchLabCurves(
	node: SolanaNode,
	addresses: readonly string[],
): Promise<ReadonlyMap<string, LaunchLabState>> {
	const accounts = await readAll(node, addresses);
	const states = new Map<string, LaunchLabState>();
	for (const [index, address] of addresses.entries()) {
		const state = attempt(() => (accounts[index] ? readLaunchLab(accounts[index].data) : undefined));
		if (state) states.set(address, state);
	}
	return states;
}

/** Accounts of any number of addresses, in as many calls as they need. */
export async function readAll(node: SolanaNode, addresses: readonly string[]): Promise<readonly (Account | null)[]> {
	const found: (Account | null)[] = [];
	for (let from = 0; from < addresses.length; from += MAX_ACCOUNTS) {
		found.push(...(await node.accounts(addresses.slice(from, from + MAX_ACCOUNTS))).accounts);
	}
	return found;
}

async function readPools(
	node: SolanaNode,
	wanted: readonly {readonly token: FollowedToken; readonly pool: string}[],
): Promise<readonly Caught[]> {
	const accounts = await readAll(
		node,
		wanted.map(({pool}) => pool),
	);
	const pools = wanted.flatMap(({token, pool}, index) => {
		const account = accounts[index];
		if (account?.owner !== PUMP_SWAP.program) return [];
		const state = attempt(() => readSwapPool(account.data));
		return state && state.base === token.mint ? [{token, pool, state}] : [];
	});
	const vaults = await readAll(
		node,
		pools.flatMap(({state}) => [state.baseVault, state.quoteVault]),
	);
	return pools.flatMap(({token, pool}, index) => {
		const base = amountOf(vaults[2 * index]);
		const quote = amountOf(vaults[2 * index + 1]);
		const slot = vaults[2 * index]?.slot;
		if (base === undefined || quote === undefined || slot === undefined) return [];
		return [
			{
				token,
				slot,
				place: pool,
				holds: {left: base, quote, isFull: true},
				moved: token.pool === null ? {pool} : undefined,
			},
		];
	});
}

function curveOf(token: FollowedToken, account: Account | null) {
	if (account === null) return undefined;
	return attempt(() => (token.venue === PUMP.id ? readCurve(account.data) : readLaunchLab(account.data)));
}

/** Only pools of PumpSwap are read: those of other venues are known by their address alone. */
function isPumpPool(token: FollowedToken): boolean {
	return token.venue === PUMP.id;
}

function amountOf(account: Account | null | undefined): bigint | undefined {
	return account ? attempt(() => readTokenAccount(account.data).amount) : undefined;
}

/** Undefined for bytes that are something else: one strange account does not spoil the others. */
function attempt<Value>(read: () => Value): Value | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}
