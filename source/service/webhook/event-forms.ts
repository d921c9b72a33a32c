import type {Value} from '../../contract/filter-test.ts';
import {once} from '../../contract/schema.ts';
import type {LaunchpadEvent, SwapEvent, WebhookEvent} from '../../contract/webhook.ts';
import {wireAddress} from '../market/address.ts';
import type {LaunchEvent, MarketEvent, MigrateEvent, PoolFacts, TradeEvent, TransferEvent} from '../market/events.ts';
import {rawAmount} from '../market/wire-amounts.ts';
import type {Place} from './chain-places.ts';

/** An event to deliver. */
export interface Deliverable {
	readonly event: WebhookEvent;
	readonly chainId: string;
	readonly timeMs: number;
	/**
	 * The delivered form; undefined where the event cannot be written, as a trade in an unknown pool. It is made at the first
	 * call, with the token as it was at the event, and is the same object from then on: most events are for no webhook.
	 */
	readonly form: () => Form | undefined;
}

/** The content of an event. */
export interface Form {
	/** Values for filters, by field name. */
	readonly fields: Readonly<Record<string, Value>>;
	/** The body to post. */
	readonly body: object;
}

/** The facts about a trade's pool that an event has. */
export interface TradedPool {
	readonly address: string;
	readonly type: string;
	readonly quote: {readonly address: string; readonly symbol: string | null; readonly decimals: number};
}

/** A token at the time of an event. */
export interface Traded {
	readonly symbol: string | null;
	readonly name: string | null;
	readonly decimals: number;
	readonly supply: number | null;
	readonly pool: TradedPool | null;
}

/** A token as its launch describes it. */
export function launched({chainId, symbol, name, decimals, supply, pool}: LaunchEvent): Traded {
	return {symbol, name, decimals, supply, pool: pool && pooled(chainId, pool)};
}

/** A pool as the API writes it; the checksums of its addresses are computed when they are read. */
export function pooled(chainId: string, {address, type, quote}: PoolFacts): TradedPool {
	const {symbol, decimals} = quote;
	return {
		get address() {
			return wireAddress(chainId, address);
		},
		type,
		quote: quoted(chainId, {address: quote.address, symbol, decimals}),
	};
}

/** The quote coin of a pool as the API writes it, see pooled. */
export function quoted(chainId: string, {address, symbol, decimals}: TradedPool['quote']): TradedPool['quote'] {
	return {
		get address() {
			return wireAddress(chainId, address);
		},
		symbol,
		decimals,
	};
}

/** An event whose form is made when it is first asked for. */
export function lazily(event: WebhookEvent, {chainId, timeMs}: MarketEvent, make: () => Form | undefined): Deliverable {
	return {event, chainId, timeMs, form: once(make)};
}

/** A form whose body is also what filters read. */
export function flat(body: object & {readonly [name: string]: unknown}): Form {
	return {fields: body as Readonly<Record<string, Value>>, body};
}

/** Token 0 is the launched token, token 1 its quote coin; amounts are magnitudes, the side is `swapType`. */
export function swapOf(event: TradeEvent, {decimals, pool}: Traded, place: Place): SwapEvent | undefined {
	if (pool === null || !(event.amountToken > 0)) return undefined;
	const {chainId, amountToken, amountQuote, valueUSD, wallet, timeMs} = event;
	const sender = addressOf(chainId, wallet);
	return {
		type: 'swap',
		chainId,
		transactionHash: place.transactionHash,
		transactionSenderAddress: sender,
		transactionIndex: place.transactionIndex,
		blockHash: place.blockHash,
		blockHeight: event.block,
		logIndex: place.logIndex,
		timestamp: timeMs,
		date: new Date(timeMs).toISOString(),
		poolAddress: pool.address,
		poolType: pool.type,
		swapType: event.side,
		swapSenderAddress: sender,
		addressToken0: wireAddress(chainId, event.token),
		addressToken1: pool.quote.address,
		rawAmount0: rawAmount(amountToken, decimals),
		rawAmount1: rawAmount(amountQuote, pool.quote.decimals),
		amount0: amountToken,
		amount1: amountQuote,
		amountUSD: valueUSD,
		priceUSDToken0: valueUSD === null ? null : valueUSD / amountToken,
		priceUSDToken1: quotePrice(event),
		ratio: amountQuote / amountToken,
	};
}

function quotePrice({quoteUSD, valueUSD, amountQuote}: TradeEvent): number | null {
	if (quoteUSD !== null && quoteUSD > 0) return quoteUSD;
	if (valueUSD === null) return null;
	return amountQuote > 0 ? valueUSD / amountQuote : 0;
}

function addressOf(chainId: string, address: string | null): string | null {
	return address === null ? null : wireAddress(chainId, address);
}

/** The `data` of a transfer's body. */
export function transferOf(event: TransferEvent, {symbol, decimals}: Traded, place: Place): Record<string, Value> {
	const {chainId, timeMs, amountToken} = event;
	return {
		blockNumber: event.block,
		blockHash: place.blockHash,
		chainId,
		transactionHash: place.transactionHash,
		transactionIndex: place.transactionIndex,
		transactionFrom: addressOf(chainId, event.from),
		logIndex: place.logIndex,
		timestamp: timeMs,
		date: new Date(timeMs).toISOString(),
		tokenAddress: wireAddress(chainId, event.token),
		tokenSymbol: symbol,
		from: addressOf(chainId, event.from),
		to: addressOf(chainId, event.to),
		rawAmount: rawAmount(amountToken, decimals),
		amount: amountToken,
	};
}

/** A token is launched, or leaves its curve. @param traded the token after that */
export function launchpadOf(
	action: 'created' | 'bonded',
	event: LaunchEvent | MigrateEvent,
	traded: Traded,
	place: Place,
): LaunchpadEvent {
	const {chainId, timeMs} = event;
	const isLaunch = event.type === 'launch';
	return {
		type: 'launchpad',
		action,
		chainId,
		transactionHash: place.transactionHash,
		transactionIndex: place.transactionIndex,
		blockHash: place.blockHash,
		blockHeight: event.block,
		logIndex: place.logIndex,
		timestamp: timeMs,
		date: new Date(timeMs).toISOString(),
		tokenAddress: wireAddress(chainId, event.token),
		symbol: traded.symbol,
		name: traded.name,
		decimals: traded.decimals,
		totalSupply: traded.supply,
		deployer: isLaunch && event.deployer !== null ? wireAddress(chainId, event.deployer) : null,
		poolAddress: traded.pool?.address ?? '',
		poolType: traded.pool?.type ?? '',
		factory: event.pool?.factory ?? null,
		addressQuote: traded.pool?.quote.address ?? '',
		priceUSD: isLaunch ? event.priceUSD : null,
	};
}

/** The body of a block's event. @param event the first one seen of the block */
export function blockOf(
	{chainId, timeMs, block}: MarketEvent & {readonly block: number},
	{blockHash}: Place,
): object & Record<string, Value> {
	const date = new Date(timeMs).toISOString();
	return {type: 'block', chainId, blockHeight: block, blockHash, timestamp: timeMs, date};
}
