import {type Address, getAddress, isAddress, isAddressEqual, zeroAddress} from 'viem';
import {Amm} from '../chain/artifacts.generated.ts';
import type {Chain} from '../chain/chain-set.ts';
import type {ChainKey} from '../chain/chains.ts';
import {nativeFor, tokensFor} from './amounts.ts';

/** A token that can be bridged, or the native coin. */
export interface Asset {
	/** The zero address is the native coin. */
	readonly address: Address;
	readonly symbol: string;
	readonly decimals: number;
	/** `bridged` is carried as it is, `swapped` goes through the pool; `native` and `market` can only arrive. */
	readonly kind: 'bridged' | 'swapped' | 'native' | 'market';
	/** Current price of a token of the market. */
	readonly priceUSD?: number;
}

/** A token of the market. */
export interface MarketToken {
	readonly name: string;
	readonly symbol: string;
	readonly decimals: number;
	readonly priceUSD: number;
}

/** The tokens of the market: on practice chains a transfer may arrive in any of them. */
export interface MarketTokens {
	find(chain: ChainKey, address: Address): MarketToken | undefined;
}

/** Symbols of the tokens that can be bridged from and to a chain, for the list of routes. */
export const BRIDGEABLE = 'USDC,DAI';

/** Other spellings of the native coin (contract gaps 4.1). */
const NATIVE = new Set<string>(['', zeroAddress, '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', 'native']);

/** Whether the token of a request is the native coin: absent, or one of the addresses that stand for it. */
function isNative(token: string | undefined): boolean {
	return token === undefined || NATIVE.has(token.toLowerCase());
}

/** The asset of a request; undefined when the bridge does not carry it on this chain. */
export function assetOf({addresses, info}: Chain, token: string | undefined): Asset | undefined {
	if (isNative(token)) return {address: zeroAddress, symbol: info.nativeSymbol, decimals: 18, kind: 'native'};
	if (token === undefined || !isAddress(token, {strict: false})) return undefined;
	const address = getAddress(token);
	if (isAddressEqual(address, addresses.usdc)) return {address, symbol: 'USDC', decimals: 6, kind: 'bridged'};
	if (isAddressEqual(address, addresses.dai)) return {address, symbol: 'DAI', decimals: 18, kind: 'swapped'};
	return undefined;
}

/** The asset in which a transfer may arrive: on practice chains also a token of the market. */
export function destinationAssetOf(
	chain: Chain,
	token: string | undefined,
	tokens: MarketTokens | undefined,
): Asset | undefined {
	const carried = assetOf(chain, token);
	if (carried !== undefined || chain.kind !== 'embedded') return carried;
	if (token === undefined || !isAddress(token, {strict: false})) return undefined;
	const address = getAddress(token);
	const found = tokens?.find(chain.info.key, address);
	return found && {address, symbol: found.symbol, decimals: found.decimals, kind: 'market', priceUSD: found.priceUSD};
}

/** The pool's current output for an amount of a token. */
export function poolOut(chain: Chain, tokenIn: Address, amountIn: bigint): Promise<bigint> {
	return chain.client.readContract({
		abi: Amm.abi,
		address: chain.addresses.amm,
		functionName: 'amountOut',
		args: [tokenIn, amountIn],
	});
}

/** The current value of bridged raw units in an asset of the destination. */
export async function deliveredRaw(destination: Chain, asset: Asset, bridged: bigint): Promise<bigint> {
	switch (asset.kind) {
		case 'bridged':
			return bridged;
		case 'native':
			return nativeFor(bridged, destination.info);
		case 'market':
			return tokensFor(bridged, asset.priceUSD ?? 0, asset.decimals);
		case 'swapped':
			return poolOut(destination, destination.addresses.usdc, bridged);
	}
}
