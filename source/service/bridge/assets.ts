import {type Address, getAddress, isAddress, isAddressEqual, zeroAddress} from 'viem';
import {Amm} from '../chain/artifacts.generated.ts';
import type {Chain} from '../chain/chain-set.ts';
import {nativeFor} from './amounts.ts';

/** A token that can be bridged, or the native coin. */
export interface Asset {
	/** The zero address is the native coin. */
	readonly address: Address;
	readonly symbol: string;
	readonly decimals: number;
	/** `bridged` goes over as it is, `swapped` through the pool, `native` only arrives. */
	readonly kind: 'bridged' | 'swapped' | 'native';
}

/** Symbols of what can be bridged from and to a chain, for the list of routes. */
export const BRIDGEABLE = 'USDC,DAI';

/** Other spellings of the native coin (contract gaps 4.1). */
const NATIVE = new Set<string>(['', zeroAddress, '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', 'native']);

/** Whether a token as a request names it is the native coin: it is absent, or one of the addresses that stand for it. */
export function isNative(token: string | undefined): boolean {
	return token === undefined || NATIVE.has(token.toLowerCase());
}

/** The asset that a request names; undefined when the bridge does not know it on this chain. */
export function assetOf({addresses, info}: Chain, token: string | undefined): Asset | undefined {
	if (isNative(token)) return {address: zeroAddress, symbol: info.nativeSymbol, decimals: 18, kind: 'native'};
	if (token === undefined || !isAddress(token, {strict: false})) return undefined;
	const address = getAddress(token);
	if (isAddressEqual(address, addresses.usdc)) return {address, symbol: 'USDC', decimals: 6, kind: 'bridged'};
	if (isAddressEqual(address, addresses.dai)) return {address, symbol: 'DAI', decimals: 18, kind: 'swapped'};
	return undefined;
}

/** What the pool would give for an amount of a token, now. */
export function poolOut(chain: Chain, tokenIn: Address, amountIn: bigint): Promise<bigint> {
	return chain.client.readContract({
		abi: Amm.abi,
		address: chain.addresses.amm,
		functionName: 'amountOut',
		args: [tokenIn, amountIn],
	});
}

/** What bridged raw units come to in an asset of the destination, now. */
export async function deliveredRaw(destination: Chain, asset: Asset, bridged: bigint): Promise<bigint> {
	if (asset.kind === 'bridged') return bridged;
	if (asset.kind === 'native') return nativeFor(bridged, destination.info);
	return poolOut(destination, destination.addresses.usdc, bridged);
}
