import {WebSocket} from 'ws';
import {entryKey} from '../../source/contract/entry.ts';

/** What one subscriber saw of a view of new tokens. */
export interface Seen {
	/** Keys of all tokens that came into the view or were said to have been missed. */
	readonly tokens: ReadonlySet<string>;
	/** The first and the newest position. */
	readonly from: string | undefined;
	readonly at: string | undefined;
	/** From the loss of a connection to the first full view of the next, in milliseconds. */
	readonly gapsMs: readonly number[];
	/** Answers to `resume`. */
	readonly recovered: number;
	readonly notRecovered: number;
	/** Tokens that came only as missed. */
	readonly missed: number;
	readonly bytes: number;
	/** Milliseconds from a launch to its frame. */
	readonly delaysMs: readonly number[];
}

/** A subscriber as a program of another maker would be: a socket, the newest position, and the next address after a loss. */
export class ReplicaSubscriber implements Seen {
	readonly tokens = new Set<string>();
	readonly gapsMs: number[] = [];
	readonly delaysMs: number[] = [];
	from: string | undefined;
	at: string | undefined;
	recovered = 0;
	notRecovered = 0;
	missed = 0;
	bytes = 0;
	#socket: WebSocket | undefined;
	#lostMs: number | undefined;
	#place: number;
	#isClosed = false;
	readonly #urls: readonly string[];
	readonly #key: string;
	readonly #view: object;

	/** @param urls of the service's replicas; it begins at the `place`th */
	constructor(urls: readonly string[], place: number, key: string, view: object) {
		this.#urls = urls;
		this.#place = place;
		this.#key = key;
		this.#view = view;
		this.#connect();
	}

	/** Whether a full view has come on the connection that is open. */
	get isServed(): boolean {
		return this.from !== undefined && this.#lostMs === undefined;
	}

	close(): void {
		this.#isClosed = true;
		this.#socket?.terminate();
	}

	#connect(): void {
		if (this.#isClosed) return;
		const url = this.#urls[this.#place % this.#urls.length]!;
		const socket = new WebSocket(url.replace('http', 'ws'), {perMessageDeflate: false, handshakeTimeout: 2000});
		this.#socket = socket;
		socket.on('open', () => {
			const resume = this.at === undefined ? {} : {resume: this.at};
			const payload = {assetMode: true, views: [this.#view], subscriptionId: 's', ...resume};
			socket.send(JSON.stringify({type: 'pulse-v2', authorization: this.#key, payload}));
		});
		socket.on('message', data => this.#read(data as Buffer));
		socket.on('error', () => {});
		socket.on('close', () => {
			if (this.#isClosed || this.#socket !== socket) return;
			this.#lostMs ??= performance.now();
			this.#place++;
			setTimeout(() => this.#connect(), 20 + Math.random() * 180);
		});
	}

	#read(data: Buffer): void {
		this.bytes += data.length;
		const head = data.toString('latin1', 0, 64);
		// Updates are most of the frames: only their positions are of interest.
		if (head.startsWith('{"type":"update-token"')) {
			this.#updated(data);
			return;
		}
		const frame = JSON.parse(data.toString('utf8')) as {
			type?: string;
			at?: string;
			recovered?: boolean;
			missed?: Views;
			payload?: object;
		};
		if (frame.type === 'init' || frame.type === 'sync') {
			for (const {data: entries} of Object.values((frame.payload ?? {}) as Views)) this.#note(entries);
		}
		if (frame.type === 'init') {
			if (this.#lostMs !== undefined) {
				this.gapsMs.push(performance.now() - this.#lostMs);
				if (frame.recovered === true) this.recovered++;
				else this.notRecovered++;
			}
			this.#lostMs = undefined;
			for (const {data: entries} of Object.values(frame.missed ?? {})) this.missed += this.#note(entries);
		}
		if (frame.type === 'new-token') {
			const {token} = frame.payload as {token: Entry};
			this.#note([token]);
			this.delaysMs.push(Date.now() - Date.parse(token.created_at));
		}
		this.#moved(frame.at);
	}

	#updated(data: Buffer): void {
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
		for (const {chainId, address} of entries) this.tokens.add(entryKey(chainId, address));
		return this.tokens.size - before;
	}
}

type Views = Readonly<Record<string, {readonly data: readonly Entry[]}>>;

interface Entry {
	readonly chainId: string;
	readonly address: string;
	readonly created_at: string;
}
