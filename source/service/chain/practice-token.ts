import {type Address, encodeAbiParameters, type Hex, keccak256, toHex} from 'viem';
import {Token} from './artifacts.generated.ts';
import type {Chain} from './chain-set.ts';
import type {RpcCall} from './json-rpc.ts';

/** Storage slots of the test token: the order of its variables. A test compares them with the contract. */
export const TOKEN_SLOTS = {
	name: 0n,
	symbol: 1n,
	decimalsAndOwner: 2n,
	totalSupply: 3n,
	balances: 4n,
	allowances: 5n,
} as const;

/** The metadata of a token. */
export interface TokenMetadata {
	readonly name: string;
	readonly symbol: string;
	readonly decimals: number;
}

/** More than any request can ask for. */
const SOLVER_STOCK = 2n ** 127n;

/**
 * Creates a token at an empty address of a practice chain: the market's tokens exist in its events only until a
 * transfer needs one. The solver gets more than it will ever need.
 * @param chain a practice chain
 */
export async function placeToken(
	{addresses, accounts, rpc}: Chain,
	token: Address,
	metadata: TokenMetadata,
): Promise<void> {
	if ((await rpc.call<Hex>('eth_getCode', [token, 'latest'])) !== '0x') return;
	const solver = accounts.solver.address;
	const put = (slot: bigint | Hex, value: Hex): RpcCall => ({
		method: 'anvil_setStorageAt',
		params: [token, typeof slot === 'bigint' ? toHex(slot) : slot, value],
	});
	const number = (value: bigint) => toHex(value, {size: 32});
	const {name, symbol, decimalsAndOwner, totalSupply, balances, allowances} = TOKEN_SLOTS;
	await rpc.batch([
		put(name, shortText(metadata.name)),
		put(symbol, shortText(metadata.symbol)),
		put(decimalsAndOwner, number((BigInt(accounts.faucet.address) << 8n) | BigInt(metadata.decimals))),
		put(totalSupply, number(SOLVER_STOCK)),
		put(entryOf(balances, solver), number(SOLVER_STOCK)),
		put(entryOf(entryOf(allowances, solver), addresses.bridge), number(2n ** 256n - 1n)),
		// Last, so that a caller who finds code finds all of the token.
		{method: 'anvil_setCode', params: [token, Token.runtime]},
	]);
}

/** The slot of a mapping's entry. */
export function entryOf(slot: bigint | Hex, key: Address): Hex {
	return keccak256(encodeAbiParameters([{type: 'address'}, {type: 'uint256'}], [key, BigInt(slot)]));
}

/** Text of up to 31 bytes in a contract's storage: the bytes, and twice their number in the last byte. */
function shortText(text: string): Hex {
	let bytes = Buffer.from(text);
	// Cut between characters, not within one.
	for (let cut = text; bytes.length > 31; bytes = Buffer.from(cut)) cut = [...cut].slice(0, -1).join('');
	const word = Buffer.alloc(32);
	bytes.copy(word);
	word[31] = bytes.length * 2;
	return toHex(word);
}
