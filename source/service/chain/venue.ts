import {
	type Address,
	type Hash,
	type Hex,
	isAddressEqual,
	type Log,
	parseEventLogs,
	type StateOverride,
	toHex,
} from 'viem';
import {PulsetopError} from '../../errors.ts';
import type {JsonRpc, RpcCall} from '../../rpc/json-rpc.ts';
import {MarketToken, MarketVenue} from './artifacts.generated.ts';
import type {Chain} from './chain-set.ts';
import {entryOf, shortText, TOKEN_SLOTS} from './token-storage.ts';

/*
 * The venue is where launches of the simulated market are traded on practice chains. The market has the reserves of a pool;
 * the venue's storage gets them right before a trade, in the same request, and they hold for the seconds that are said
 * there. The contract's own event says what a trade did.
 */

/** `left` of a pool that is no curve: it never closes. */
export const NO_CURVE = 2n ** 128n - 1n;

/** A pool as the venue's storage has it; raw units: USDC 6 decimals, token its own. */
export interface VenuePool {
	readonly token: bigint;
	readonly usd: bigint;
	/** Tokens that a curve can still sell; NO_CURVE: no curve. */
	readonly left: bigint;
	/** Millionths of the USDC that move the price, on top of them. */
	readonly feePpm: number;
}

/** The token of a launch on a practice chain. */
export interface VenueTokenFacts {
	readonly name: string;
	readonly symbol: string;
	readonly decimals: number;
	readonly supplyRaw: bigint;
	/** Hundredths of a per cent of what goes from the venue to a buyer. */
	readonly buyTaxBps: number;
	/** Hundredths of a per cent of what goes from a seller to the venue. */
	readonly sellTaxBps: number;
	/** Whether it can be bought only. */
	readonly isHoneypot: boolean;
	/** Who gets the taxes. */
	readonly taxTo: Address;
}

/** The address of a launch holds other code on this chain: it cannot be traded here. */
export class PlaceTaken extends PulsetopError {
	readonly code = 'place-taken';

	constructor(token: Address, chain: string) {
		super(`The token ${token} cannot be traded on ${chain}`, {
			why: 'another contract, or the same token of another version of this program, stands at its address',
			next: 'fix-input',
			advice: 'Choose another token.',
		});
	}
}

/** Storage of MarketToken behind the slots of every test token. A test compares both with the compiler's own layout. */
export const TAX_SLOT = 6n;
/** Storage of MarketVenue: the pools by token, three slots each. */
export const POOLS_SLOT = 0n;

const BPS = 10_000n;
const PPM = 1_000_000n;
const UINT128 = 2n ** 128n - 1n;

const word = (value: bigint): Hex => toHex(value, {size: 32});

/** Tokens that are being placed, by node: a second placing while the first is on its way would give the supply again. */
const placings = new WeakMap<JsonRpc, Map<string, Promise<void>>>();

/**
 * Creates a launch at its own address of a practice chain, all of its supply with the venue. Nothing happens when it is
 * there already.
 * @param chain a practice chain
 * @throws PlaceTaken when the address holds other code, RangeError for facts that no token has
 */
export async function placeMarketToken(chain: Chain, token: Address, facts: VenueTokenFacts): Promise<void> {
	const open = placings.get(chain.rpc) ?? new Map<string, Promise<void>>();
	placings.set(chain.rpc, open);
	const key = token.toLowerCase();
	const placing = open.get(key) ?? place(chain, token, facts).finally(() => open.delete(key));
	open.set(key, placing);
	await placing;
}

async function place({addresses: {venue}, info, rpc}: Chain, token: Address, facts: VenueTokenFacts): Promise<void> {
	const put = (slot: Hex, value: Hex): RpcCall => ({method: 'anvil_setStorageAt', params: [token, slot, value]});
	const {name, symbol, decimalsAndOwner, totalSupply, balances} = TOKEN_SLOTS;
	const [code, owned] = (await rpc.batch([
		{method: 'eth_getCode', params: [token, 'latest']},
		{method: 'eth_getStorageAt', params: [token, word(decimalsAndOwner), 'latest']},
	])) as [Hex, Hex];
	if (code !== '0x') {
		// The venue is part of what the token is: one of another version takes no tax and has none of the supply.
		const isOurs = code === MarketToken.runtime && (BigInt(owned) >> 8n) % 2n ** 160n === BigInt(venue);
		if (isOurs) return;
		throw new PlaceTaken(token, info.key);
	}
	const supply = word(facts.supplyRaw);
	await rpc.batch([
		put(word(name), shortText(facts.name)),
		put(word(symbol), shortText(facts.symbol)),
		put(word(decimalsAndOwner), word((BigInt(venue) << 8n) | unsigned(facts.decimals, 8))),
		put(word(totalSupply), supply),
		put(entryOf(balances, venue), supply),
		put(word(TAX_SLOT), taxWord(facts)),
		// Last, so that a caller who finds code finds all of the token.
		{method: 'anvil_setCode', params: [token, MarketToken.runtime]},
	]);
}

/** The slot of the taxes: two uint16, a bool and an address, from the lowest byte up. */
function taxWord({buyTaxBps, sellTaxBps, isHoneypot, taxTo}: VenueTokenFacts): Hex {
	const isTax = (bps: number) => Number.isInteger(bps) && bps >= 0 && bps <= Number(BPS);
	if (!isTax(buyTaxBps) || !isTax(sellTaxBps)) throw new RangeError(`no taxes: ${buyTaxBps} and ${sellTaxBps} bps`);
	if (buyTaxBps + sellTaxBps > 0 && BigInt(taxTo) === 0n) throw new RangeError('the taxes have no receiver');
	const flags = isHoneypot ? 1n : 0n;
	return word(BigInt(buyTaxBps) | (BigInt(sellTaxBps) << 16n) | (flags << 32n) | (BigInt(taxTo) << 40n));
}

/**
 * The calls that give a pool its reserves, to go in one request with the transaction that trades (`SendOptions.sync`).
 * @param validUntilS the last second, of the chain's clock, in which the reserves hold
 * @throws RangeError when an amount does not fit: such a token cannot be traded
 */
export function setPoolCalls({addresses}: Chain, token: Address, pool: VenuePool, validUntilS: number): RpcCall[] {
	return poolWords(token, pool, validUntilS).map(({slot, value}) => ({
		method: 'anvil_setStorageAt',
		params: [addresses.venue, slot, value],
	}));
}

/** The calls that close a pool: trades are refused until it gets reserves again. The last ones can still be read. */
export function closePoolCalls({addresses}: Chain, token: Address): RpcCall[] {
	return [{method: 'anvil_setStorageAt', params: [addresses.venue, poolSlots(token)[2], word(0n)]}];
}

/** The same reserves for one call or estimate only: nothing is written. @throws RangeError as setPoolCalls */
export function poolOverride({addresses}: Chain, token: Address, pool: VenuePool, validUntilS: number): StateOverride {
	return [{address: addresses.venue, stateDiff: poolWords(token, pool, validUntilS)}];
}

function poolSlots(token: Address): readonly [Hex, Hex, Hex] {
	const first = BigInt(entryOf(POOLS_SLOT, token));
	return [word(first), word(first + 1n), word(first + 2n)];
}

/** The words in the storage of a pool. Its validity comes last, so that a half-written pool is not open. */
function poolWords(token: Address, {feePpm, left, token: tokens, usd}: VenuePool, validUntilS: number) {
	const [reserves, curve, until] = poolSlots(token);
	return [
		{slot: reserves, value: word(unsigned(tokens, 128) | (unsigned(usd, 128) << 128n))},
		{slot: curve, value: word(unsigned(left, 128) | (unsigned(feePpm, 32) << 128n))},
		{slot: until, value: word(unsigned(validUntilS, 64))},
	];
}

function unsigned(value: bigint | number, bits: number): bigint {
	const whole = BigInt(value);
	if (whole < 0n || whole >= 2n ** BigInt(bits)) throw new RangeError(`${value} does not fit ${bits} bits`);
	return whole;
}

/** The reserves as the venue's storage has them: those of the last sync, or after the last trade. Zero: never traded. */
export async function readPool({addresses, rpc}: Chain, token: Address): Promise<VenuePool> {
	const [reserves, curve] = (await rpc.batch(
		poolSlots(token)
			.slice(0, 2)
			.map(slot => ({method: 'eth_getStorageAt', params: [addresses.venue, slot, 'latest']})),
	)) as [Hex, Hex];
	return {
		token: BigInt(reserves) & UINT128,
		usd: BigInt(reserves) >> 128n,
		left: BigInt(curve) & UINT128,
		feePpm: Number((BigInt(curve) >> 128n) % 2n ** 32n),
	};
}

/**
 * The tokens that the venue gives for USDC, by the contract's own integer maths.
 * @returns tokensOut before any tax of the token, and the pool's fee, part of usdIn; undefined when the venue refuses:
 *   nothing would come, or a curve has less left
 */
export function quoteBuy(pool: VenuePool, usdIn: bigint): {tokensOut: bigint; fee: bigint} | undefined {
	const paid = (usdIn * PPM) / (PPM + BigInt(pool.feePpm));
	if (pool.token === 0n || paid <= 0n || pool.usd + paid > UINT128) return undefined;
	const tokensOut = (pool.token * paid) / (pool.usd + paid);
	if (tokensOut === 0n || tokensOut > pool.left) return undefined;
	return {tokensOut, fee: usdIn - paid};
}

/**
 * The USDC that the venue pays for tokens, by the contract's own integer maths.
 * @param tokensIn the tokens that arrive at the venue: after any tax of the token
 * @returns usdOut after the pool's fee; undefined when the venue refuses: nothing would come, or the curve is closed
 */
export function quoteSell(pool: VenuePool, tokensIn: bigint): {usdOut: bigint; fee: bigint} | undefined {
	if (pool.token === 0n || pool.left === 0n || tokensIn <= 0n || pool.token + tokensIn > UINT128) return undefined;
	if (pool.left !== NO_CURVE && pool.left + tokensIn > UINT128) return undefined;
	const worth = (pool.usd * tokensIn) / (pool.token + tokensIn);
	const fee = (worth * BigInt(pool.feePpm) + PPM - 1n) / PPM;
	return worth > fee ? {usdOut: worth - fee, fee} : undefined;
}

/** The part of an amount that arrives on the way from or to the venue, as the token rounds it. @param taxBps buyTaxBps or sellTaxBps */
export function afterTax(amountRaw: bigint, taxBps: number): bigint {
	return amountRaw - (amountRaw * BigInt(taxBps)) / BPS;
}

/** A trade as the venue recorded it, raw units. */
export interface VenueTrade {
	readonly token: Address;
	readonly trader: Address;
	readonly isBuy: boolean;
	/** Into or out of the reserve, without the fee. */
	readonly usd: bigint;
	readonly fee: bigint;
	/** Out of or into the reserve. */
	readonly poolTokens: bigint;
	/** The tokens that the trader got or gave: with a tax another amount than the pool's. */
	readonly traderTokens: bigint;
	readonly txHash: Hash;
	readonly logIndex: number;
}

/** The trades of a venue among the logs of a receipt, in their order; any contract can emit an event of the same form. */
export function venueTradesIn(logs: readonly Log<bigint, number, false>[], venue: Address): VenueTrade[] {
	const own = logs.filter(log => isAddressEqual(log.address, venue));
	return parseEventLogs({abi: MarketVenue.abi, eventName: 'Trade', logs: own}).map(
		({args, logIndex, transactionHash}) => ({...args, txHash: transactionHash, logIndex}),
	);
}
