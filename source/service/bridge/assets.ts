import {type Address, getAddress, isAddress, isAddressEqual, zeroAddress} from 'viem';
import {Amm} from '../chain/artifacts.generated.ts';
import type {Chain} from '../chain/chain-set.ts';
import {nativeFor} from './amounts.ts';
import {boughtRaw, findLaunch, isNotTraded, type Launch, type LaunchMarket, type NotTraded} from './launch.ts';

/** Facts that every token that can be bridged has. */
interface AssetFacts {
	/** The zero address is the native coin. */
	readonly address: Address;
	readonly symbol: string;
	readonly decimals: number;
}

/** A token that the bridge carries on every chain: as it is, or through the pool of two. */
interface CarriedAsset extends AssetFacts {
	readonly kind: 'bridged' | 'swapped';
}

/** The native coin, which can only arrive. */
interface CoinAsset extends AssetFacts {
	readonly kind: 'native';
}

/** A token of the market, which is traded with its own pool; on practice chains only. */
interface LaunchAsset extends AssetFacts {
	readonly kind: 'market';
	readonly launch: Launch;
}

/** A token that can be sent. */
export type OriginAsset = CarriedAsset | LaunchAsset;

/** A token that can arrive. */
export type Asset = OriginAsset | CoinAsset;

/** Symbols of the tokens that can be bridged from and to a chain, for the list of routes. */
const BRIDGEABLE = ['USDC', 'DAI'];

/**
 * The tokens that can be bridged between two chains, as the list of routes has them: symbols with commas. `market` stands for all
 * launches of the market; a client that looks for a symbol finds none of this name.
 */
export function bridgeable(hasLaunches: boolean): string {
	return [...BRIDGEABLE, ...(hasLaunches ? ['market'] : [])].join(',');
}

/** Other spellings of the native coin (contract gaps 4.1). */
const NATIVE = new Set<string>(['', zeroAddress, '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', 'native']);

/** Whether the token of a request is the native coin: absent, or one of the addresses that stand for it. */
function isNative(token: string | undefined): boolean {
	return token === undefined || NATIVE.has(token.toLowerCase());
}

/** The asset of a request; a NotTraded when the bridge does not carry it on this chain, or cannot trade it now. */
export function assetOf(chain: Chain, token: string | undefined, market: LaunchMarket | undefined): Asset | NotTraded {
	const {addresses, info} = chain;
	if (isNative(token)) return {address: zeroAddress, symbol: info.nativeSymbol, decimals: 18, kind: 'native'};
	if (token === undefined || !isAddress(token, {strict: false})) return {why: 'unknown'};
	const address = getAddress(token);
	if (isAddressEqual(address, addresses.usdc)) return {address, symbol: 'USDC', decimals: 6, kind: 'bridged'};
	if (isAddressEqual(address, addresses.dai)) return {address, symbol: 'DAI', decimals: 18, kind: 'swapped'};
	const launch = findLaunch(chain, address, market);
	if (isNotTraded(launch)) return launch;
	const {symbol, decimals} = launch.facts;
	return {address, symbol, decimals, kind: 'market', launch};
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
			return boughtRaw(asset.launch, bridged) ?? 0n;
		case 'swapped':
			return poolOut(destination, destination.addresses.usdc, bridged);
	}
}
