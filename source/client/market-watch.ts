import type {MarketFrame} from '../contract/stream.ts';
import {backoffMs, STREAM_BACKOFF} from './backoff.ts';
import type {Socket, SocketEnd, SocketOptions} from './socket.ts';
import {isObject, toNumber} from './wire-value.ts';

/** Which market is meant. */
export interface WatchedMarket {
	readonly platform: string;
	readonly marketId: string;
}

/** The price of one outcome, as it has just become. */
export interface MarketQuote extends WatchedMarket {
	readonly outcomeId: string;
	/** US dollars for one share, 0 to 1. */
	readonly priceUSD: number;
}

/** Prices of prediction markets as they change, over a socket of its own (contract gaps 6.4). */
export interface MarketWatch {
	/** Exactly these are told of from now on; none closes the socket. */
	want(markets: readonly WatchedMarket[]): void;
	/** Whether every market that is wanted is told of now: what is not must be asked for. */
	isLive(): boolean;
	close(): void;
}

export interface MarketWatchOptions extends Omit<SocketOptions, 'url' | 'apiKey'> {
	readonly url: URL;
	readonly apiKey: string | undefined;
	readonly onQuote: (quote: MarketQuote) => void;
}

/** A connection that lived this long was a good one. */
const STABLE_MS = 5000;

/** Makes a watch. Nothing is connected before something is wanted; what is wanted is asked for again after each cut. */
export function createMarketWatch({onQuote, ...options}: MarketWatchOptions): MarketWatch {
	const prefix = `pm${Math.random().toString(36).slice(2, 10)}`;
	/** By name, with the id of the subscription; every one has its own, so an answer to an old one is known by it. */
	const wanted = new Map<string, WatchedMarket & {readonly id: string}>();
	/** Ids that were answered on this connection. */
	const answered = new Set<string>();
	let count = 0;
	let socket: Socket | undefined;
	let isOpen = false;
	let opening: AbortController | undefined;
	let timer: NodeJS.Timeout | undefined;
	let openedMs = 0;
	let setbacks = 0;

	async function connect(): Promise<void> {
		opening = new AbortController();
		const {signal} = opening;
		const {openSocket} = await import('./socket.ts');
		if (!signal.aborted) socket = openSocket(options, {onOpen, onText, onSign() {}, onEnd});
	}

	function onOpen(): void {
		isOpen = true;
		openedMs = performance.now();
		for (const market of wanted.values()) subscribe(market);
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
		const market = [...wanted.values()].find(other => other.id === id);
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

	function onEnd({setback, retryAfterMs}: SocketEnd): void {
		const wasStable = isOpen && performance.now() - openedMs >= STABLE_MS;
		drop();
		setbacks = wasStable ? 1 : setbacks + 1;
		timer = setTimeout(() => void connect(), backoffMs(setbacks, STREAM_BACKOFF, {setback, retryAfterMs}));
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
		want(markets) {
			const next = new Map(markets.map(market => [nameOf(market), market]));
			for (const [name, {id: subscriptionId}] of wanted) {
				if (next.has(name)) continue;
				wanted.delete(name);
				answered.delete(subscriptionId);
				if (isOpen) socket?.send({event: 'unsubscribe', data: {subscriptionId}});
			}
			for (const [name, {platform, marketId}] of next) {
				if (wanted.has(name)) continue;
				const market = {platform, marketId, id: `${prefix}-${++count}`};
				wanted.set(name, market);
				if (isOpen) subscribe(market);
			}
			if (wanted.size === 0) drop();
			else if (opening === undefined && timer === undefined) void connect();
		},
		isLive: () => isOpen && [...wanted.values()].every(({id}) => answered.has(id)),
		close() {
			wanted.clear();
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
