import {type Address, getAddress, isAddress, parseUnits} from 'viem';
import {evmChainNumber} from '../../chains/chains.ts';
import type {QuoteRequest} from '../../contract/bridge.ts';
import type {Chain, ChainSet} from '../chain/chain-set.ts';
import {type Asset, assetOf, type OriginAsset} from './assets.ts';
import {QuoteRefused} from './bridge-errors.ts';
import {isNotTraded, type LaunchMarket} from './launch.ts';
import {checkTradable, refuseNotTraded} from './launch-quote.ts';

/** The two chains of a transfer. @throws QuoteRefused, ChainUnavailable */
export async function chainsOf(chains: ChainSet, request: QuoteRequest): Promise<{origin: Chain; destination: Chain}> {
	const [originId, destinationId] = [evmChainNumber(request.originChainId), evmChainNumber(request.destinationChainId)];
	const known = (id: number | undefined): id is number => chains.infos.some(info => info.id === id);
	if (!known(originId)) throw new QuoteRefused('no-route', 'No route: this origin chain is not served');
	if (!known(destinationId)) throw new QuoteRefused('no-route', 'No route: this destination chain is not served');
	if (originId === destinationId) throw new QuoteRefused('same-chain', 'Only cross-chain routes are served');
	const [origin, destination] = await Promise.all([chains.ready(originId), chains.ready(destinationId)]);
	if (origin.kind !== destination.kind) {
		// The solver would pay real money for worthless practice tokens.
		throw new QuoteRefused('mixed-worlds', 'One of these chains is a practice chain and the other is real');
	}
	return {origin, destination};
}

/** An address of a request. @throws QuoteRefused */
export function addressOf(text: string, name: string): Address {
	if (isAddress(text, {strict: false}) && BigInt(text) !== 0n) return getAddress(text);
	throw new QuoteRefused('bad-address', `${name} is not an address of an EVM chain`);
}

/** The inputs of a quote besides the request. */
export interface AssetSource {
	readonly market: LaunchMarket | undefined;
	readonly nowMs: number;
}

/** The token to send. @throws QuoteRefused */
export function originAsset(
	origin: Chain,
	{originToken, gasless}: QuoteRequest,
	{market, nowMs}: AssetSource,
): OriginAsset {
	const asset = assetOf(origin, originToken, market);
	const {wrappedNative, key} = origin.info;
	const isWrapped = wrappedNative !== undefined && originToken?.toLowerCase() === wrappedNative.toLowerCase();
	if (isWrapped || (!isNotTraded(asset) && asset.kind === 'native')) {
		const why = gasless ? 'a sponsored deposit' : 'a deposit';
		throw new QuoteRefused(
			'native-origin',
			`The origin token of ${why} must be an ERC-20, not native or wrapped native`,
		);
	}
	if (isNotTraded(asset)) refuseNotTraded(asset, `No route: the origin token is not bridged from ${key}`);
	if (asset.kind === 'market') {
		checkTradable(asset.launch, 'sell', nowMs);
		// The pool has its reserves for the moment of the broadcast only, which the service must make itself.
		if (!gasless) throw new QuoteRefused('gasless-only', 'Tokens of the market are sold by gasless transfers only');
	}
	return asset;
}

/** The token that arrives. @throws QuoteRefused */
export function destinationAsset(
	destination: Chain,
	{destinationToken}: QuoteRequest,
	{market, nowMs}: AssetSource,
): Asset {
	const asset = assetOf(destination, destinationToken, market);
	const elsewhere = `No route: the destination token is not bridged to ${destination.info.key}`;
	if (isNotTraded(asset)) refuseNotTraded(asset, elsewhere);
	if (asset.kind === 'market') checkTradable(asset.launch, 'buy', nowMs);
	return asset;
}

/** The amount of the origin token, raw. @throws QuoteRefused */
export function rawAmount({amount, amountRaw}: QuoteRequest, {decimals, kind, symbol}: Asset): bigint {
	if (amountRaw !== undefined) return positive(BigInt(amountRaw));
	const fraction = amount!.split('.')[1]?.replace(/0+$/, '') ?? '';
	if (fraction.length > decimals) {
		// The symbol of a launch is a text from outside.
		const name = kind === 'market' ? 'the token' : symbol;
		throw new QuoteRefused('bad-amount', `The amount has ${fraction.length} decimals, ${name} has ${decimals}`);
	}
	return positive(parseUnits(amount!, decimals));
}

function positive(raw: bigint): bigint {
	if (raw > 0n && raw < 2n ** 128n) return raw;
	throw new QuoteRefused('bad-amount', 'The amount must be more than 0 and less than 2^128 raw units');
}
