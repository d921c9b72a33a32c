import type {MarketFrame} from '../../contract/stream.ts';
import type {Addresses} from '../addresses.ts';
import {createReconnecting} from '../stream/reconnecting.ts';
import type {Socket, SocketEnd, SocketOptions} from '../stream/socket.ts';
import {isObject, toNumber} from '../wire/wire-value.ts';

/** The identity of a prediction market. */
export interface WatchedMarket {
	readonly platform: string;
	readonly marketId: string;
}

/** The new price of one outcome. */
export interface MarketQuote extends WatchedMarket {
	readonly outcomeId: string;
	/** US dollars for one share, 0 to 1. */
	readonly priceUSD: number;
}

/** Prices of prediction markets as they change, over a socket of its own (contract gaps 6.4). */
export interface MarketWatch {
	/** Replaces the watched markets; an empty list closes the socket. */
	setMarkets(markets: readonly WatchedMarket[]): void;
	/** Whether the stream sends the prices of every watched market; otherwise they must be polled. */
	isLive(): boolean;
	close(): void;
}

export interface MarketWatchOptions extends Omit<SocketOptions, 'url' | 'apiKey'> {
	/** Each has a stream. */
	readonly addresses: Addresses;
	readonly apiKey: string | undefined;
	readonly onQuote: (quote: MarketQuote) => void;
}

/** Makes a watch. It connects with the first market, and subscribes again after each reconnect. */
export function createMarketWatch({onQuote, addresses, ...options}: MarketWatchOptions): MarketWatch {
	const reconnecting = createReconnecting(addresses);
	const prefix = `pm${Math.random().toString(36).slice(2, 10)}`;
	/** By name, with a subscription id unique a request, so that a frame for an old request is recognised. */
	const watched = new Map<string, WatchedMarket & {readonly id: string}>();
	/** Subscription ids that the service confirmed on this connection. */
	const answered = new Set<string>();
	let count = 0;
	let socket: Socket | undefined;
	let isOpen = false;
	let opening: AbortController | undefined;
	let timer: NodeJS.Timeout | undefined;

	async function connect(): Promise<void> {
		opening = new AbortController();
		const {signal} = opening;
		const {openSocket} = await import('../stream/socket.ts');
		const {streamUrl: url} = reconnecting.address;
		if (!signal.aborted) socket = openSocket({...options, url: url!}, {onOpen, onText, onActivity() {}, onEnd});
	}

	function onOpen(): void {
		isOpen = true;
		reconnecting.opened();
		for (const market of watched.values()) subscribe(market);
	}

	function subscribe({platform, marketId, id: subscriptionId}: WatchedMarket & {readonly id: string}): void {
		const authorization = options.apiKey === undefined ? {} : {authorization: options.apiKey};
		const data = {platform, marketId, subscriptionId, ...authorization};
		socket?.send({event: 'pm-market-price', data} satisfies MarketFrame);
	}

	function onText(text: string): void {
		const frame = parsed(text);
		const {event, subscriptionId: id} = frame ?? {};
		if (frame === undefined || typeof id !== 'string') return;
		const market = [...watched.values()].find(other => other.id === id);
		if (market === undefined) return;
		if (event === 'subscribed') answered.add(id);
		if (event !== 'pm-market-price') return;
		const {outcomeId} = frame;
		const priceUSD = toNumber(frame['priceUSD']);
		if (typeof outcomeId !== 'string' || priceUSD === undefined) return;
		answered.add(id);
		const {platform, marketId} = market;
		onQuote({platform, marketId, outcomeId, priceUSD});
	}

	function onEnd(end: SocketEnd): void {
		drop();
		timer = setTimeout(() => void connect(), reconnecting.ended(end));
	}

	/** Ends the connection that is open, opening or planned. */
	function drop(): void {
		opening?.abort();
		opening = undefined;
		clearTimeout(timer);
		timer = undefined;
		socket?.close();
		socket = undefined;
		isOpen = false;
		answered.clear();
	}

	return {
		setMarkets(markets) {
			const next = new Map(markets.map(market => [nameOf(market), market]));
			for (const [name, {id: subscriptionId}] of watched) {
				if (next.has(name)) continue;
				watched.delete(name);
				answered.delete(subscriptionId);
				if (isOpen) socket?.send({event: 'unsubscribe', data: {subscriptionId}});
			}
			for (const [name, {platform, marketId}] of next) {
				if (watched.has(name)) continue;
				const market = {platform, marketId, id: `${prefix}-${++count}`};
				watched.set(name, market);
				if (isOpen) subscribe(market);
			}
			if (watched.size === 0) drop();
			else if (opening === undefined && timer === undefined) void connect();
		},
		isLive: () => isOpen && [...watched.values()].every(({id}) => answered.has(id)),
		close() {
			watched.clear();
			drop();
		},
	};
}

const nameOf = ({platform, marketId}: WatchedMarket): string => `${platform}:${marketId}`;

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
	try {
		const wire: unknown = JSON.parse(text);
		return isObject(wire) ? wire : undefined;
	} catch {
		return undefined;
	}
}
