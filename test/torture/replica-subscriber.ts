import {WebSocket} from 'ws';
import {entryKey} from '../../source/contract/entry.ts';

/** A connection that says nothing for so long is tried with a ping, and given up after so long. */
const PROBE_MS = 2000;
const SILENCE_MS = 6000;
const TICK_MS = 500;

/** What one subscriber saw of a view of new tokens. */
export interface Seen {
	/** Keys of all tokens that came into the view or were said to have been missed. */
	readonly tokens: ReadonlySet<string>;
	/** The first and the newest position. */
	readonly from: string | undefined;
	readonly at: string | undefined;
	/** Connections that were lost, and how many of them because nothing came any more. */
	readonly losses: number;
	readonly silences: number;
	/** Whether the last full state said that the market gets nothing new. */
	readonly isStale: boolean;
	/** From the loss of a connection, when it is noticed, to the first full view of the next, in milliseconds. */
	readonly gapsMs: readonly number[];
	/** Answers to `resume`. */
	readonly recovered: number;
	readonly notRecovered: number;
	/** Tokens that came only as missed. */
	readonly missed: number;
	/** Tokens that one answer to `resume` named more than once, as missed or as there. */
	readonly saidAgain: number;
	readonly bytes: number;
	/** Milliseconds from a launch to its frame. */
	readonly delaysMs: readonly number[];
	/** Milliseconds from the newest trade of a token to the first frame with it; of some subscribers. */
	readonly tradeDelaysMs: readonly number[];
}

/** Updates are most of the frames: every tenth subscriber reads them, the others only their positions. */
const READS_UPDATES = 10;

/**
 * A subscriber as a program of another maker would be: a socket, the newest position, and the next address after a loss or when
 * the connection is silent.
 */
export class ReplicaSubscriber implements Seen {
	readonly tokens = new Set<string>();
	readonly gapsMs: number[] = [];
	readonly delaysMs: number[] = [];
	readonly tradeDelaysMs: number[] = [];
	from: string | undefined;
	at: string | undefined;
	recovered = 0;
	notRecovered = 0;
	missed = 0;
	saidAgain = 0;
	bytes = 0;
	losses = 0;
	silences = 0;
	isStale = false;
	#heardMs = performance.now();
	#tickMs = performance.now();
	readonly #timer: NodeJS.Timeout;
	#socket: WebSocket | undefined;
	#lostMs: number | undefined;
	#place: number;
	#isFirst = true;
	/** Newest trade by token, of those who read updates. */
	readonly #trades = new Map<string, number>();
	readonly #readsUpdates: boolean;
	#isClosed = false;
	#away: Promise<unknown> = Promise.resolve();
	readonly #urls: readonly string[];
	readonly #key: string;
	readonly #view: object;

	/** @param urls of the service's replicas; it begins at the `place`th */
	constructor(urls: readonly string[], place: number, key: string, view: object) {
		this.#urls = urls;
		this.#place = place;
		this.#readsUpdates = place % READS_UPDATES === 0;
		this.#key = key;
		this.#view = view;
		this.#timer = setInterval(() => this.#watch(), TICK_MS);
		this.#connect();
	}

	/** The number of the replica that it reads from or tries to reach. */
	get replica(): number {
		return this.#place % this.#urls.length;
	}

	get isClosed(): boolean {
		return this.#isClosed;
	}

	/** Whether a full view has come on the connection that is open. */
	get isServed(): boolean {
		return !this.#isFirst && this.#lostMs === undefined;
	}

	/** Ends the connection as a network does. It goes on at the next address, not before `until` resolves. */
	cut(until: Promise<unknown> = Promise.resolve()): void {
		this.#away = until;
		this.#socket?.terminate();
	}

	close(): void {
		this.#isClosed = true;
		clearInterval(this.#timer);
		this.#socket?.terminate();
	}

	#connect(): void {
		if (this.#isClosed) return;
		const url = this.#urls[this.replica]!;
		const socket = new WebSocket(url.replace('http', 'ws'), {perMessageDeflate: false, handshakeTimeout: 2000});
		this.#socket = socket;
		const heard = (): void => {
			this.#heardMs = performance.now();
		};
		socket.on('pong', heard);
		socket.on('open', () => {
			heard();
			const resume = this.at === undefined ? {} : {resume: this.at};
			const payload = {assetMode: true, views: [this.#view], subscriptionId: 's', ...resume};
			socket.send(JSON.stringify({type: 'pulse-v2', authorization: this.#key, payload}));
		});
		socket.on('message', data => {
			heard();
			this.#read(data as Buffer);
		});
		socket.on('error', () => {});
		socket.on('close', () => {
			if (this.#isClosed || this.#socket !== socket) return;
			if (this.isServed) this.losses++;
			this.#lostMs ??= performance.now();
			this.#place++;
			void this.#away.then(() => setTimeout(() => this.#connect(), 20 + Math.random() * 180));
		});
	}

	#watch(): void {
		const nowMs = performance.now();
		const tookMs = nowMs - this.#tickMs;
		this.#tickMs = nowMs;
		// This process was busy: what came meanwhile is read first.
		if (tookMs > 3 * TICK_MS || this.#socket?.readyState !== WebSocket.OPEN) return;
		const silentMs = nowMs - this.#heardMs;
		if (silentMs > SILENCE_MS) {
			this.silences++;
			this.#socket.terminate();
		} else if (silentMs > PROBE_MS) this.#socket.ping();
	}

	#read(data: Buffer): void {
		this.bytes += data.length;
		const head = data.toString('latin1', 0, 64);
		if (head.startsWith('{"type":"update-token"')) {
			this.#updated(data);
			return;
		}
		const frame = JSON.parse(data.toString('utf8')) as {
			type?: string;
			at?: string;
			recovered?: boolean;
			missed?: Views;
			stale?: number;
			payload?: object;
		};
		if (frame.type === 'init' || frame.type === 'sync' || frame.type === 'update') {
			this.isStale = frame.stale !== undefined;
			for (const {data: entries} of Object.values((frame.payload ?? {}) as Views)) this.#note(entries);
		}
		if (frame.type === 'init') {
			if (this.#lostMs !== undefined) {
				this.gapsMs.push(performance.now() - this.#lostMs);
				if (frame.recovered === true) this.recovered++;
				else this.notRecovered++;
			}
			this.#lostMs = undefined;
			this.#isFirst = false;
			const said = new Set(Object.values((frame.payload ?? {}) as Views).flatMap(({data: shown}) => shown.map(keyOf)));
			for (const {data: entries} of Object.values(frame.missed ?? {})) {
				this.missed += this.#note(entries);
				this.saidAgain += entries.filter(entry => said.size === said.add(keyOf(entry)).size).length;
			}
		}
		if (frame.type === 'new-token') {
			const {token} = frame.payload as {token: Entry};
			this.#note([token]);
			this.delaysMs.push(Date.now() - Date.parse(token.created_at));
		}
		this.#moved(frame.at);
	}

	#updated(data: Buffer): void {
		if (this.#readsUpdates) {
			const atMs = Date.now();
			const {payload} = JSON.parse(data.toString('utf8')) as {payload: {token: Entry}};
			// A frame may come for another reason than a trade.
			const before = this.#trades.get(keyOf(payload.token));
			const tradedMs = this.#noteTrade(payload.token);
			if (before !== undefined && tradedMs > before) this.tradeDelaysMs.push(atMs - tradedMs);
		}
		const tail = data.toString('latin1', data.length - 80);
		this.#moved(/"at":"([^"]+)"/.exec(tail)?.[1]);
	}

	#moved(at: string | undefined): void {
		if (at === undefined) return;
		this.from ??= at;
		this.at = at;
	}

	/** Returns how many were not known. */
	#note(entries: readonly Entry[]): number {
		const before = this.tokens.size;
		for (const entry of entries) {
			this.tokens.add(keyOf(entry));
			if (this.#readsUpdates) this.#noteTrade(entry);
		}
		return this.tokens.size - before;
	}

	#noteTrade(entry: Entry): number {
		const tradedMs = Date.parse(entry.latest_trade_date ?? '');
		this.#trades.set(keyOf(entry), tradedMs);
		return tradedMs;
	}
}

function keyOf({chainId, address}: Entry): string {
	return entryKey(chainId, address);
}

type Views = Readonly<Record<string, {readonly data: readonly Entry[]}>>;

interface Entry {
	readonly chainId: string;
	readonly address: string;
	readonly created_at: string;
	readonly latest_trade_date?: string | null;
}
