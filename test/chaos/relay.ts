import {connect, type Socket} from 'node:net';
import type {Chance} from './chance.ts';
import {createDelayLine} from './delay-line.ts';
import {type Fault, type FaultKind, faultOf} from './fault.ts';
import {createFrameFaults} from './frame-faults.ts';
import {createSplitter, type Piece} from './splitter.ts';

/** One connection of a client, carried on to the service. */
export interface Relay {
	/** Other faults are in force. */
	refresh(): void;
	destroy(): void;
}

export interface RelayParts {
	readonly client: Socket;
	/** Where the service listens. */
	readonly target: {readonly host: string; readonly port: number};
	readonly faults: () => readonly Fault[];
	/** A chance of its own for each thing that draws. */
	readonly chanceFor: (what: number) => Chance;
	/** Called whenever a fault did something. */
	readonly onStrike: (kind: FaultKind) => void;
	readonly onClose: () => void;
}

/** Faults that everything on a connection feels. */
const FELT_BY_ALL = ['latency', 'jitter', 'drip', 'stall'] as const;
const UPGRADE = /^upgrade: *websocket/im;

/** Carries a connection, with the faults that are in force. */
export function createRelay({client, target, faults, chanceFor, onStrike, onClose}: RelayParts): Relay {
	const service = connect({...target, allowHalfOpen: true, noDelay: true});
	const [requestChance, answerChance, cutChance] = [chanceFor(0), chanceFor(1), chanceFor(2)];
	const up = createDelayLine({to: service, from: client, faults, chance: chanceFor(3)});
	const down = createDelayLine({to: client, from: service, faults, chance: chanceFor(4)});
	const frames = createFrameFaults({faults, chance: chanceFor(5), onStrike, out: down});
	/** The methods whose answers are due: the answer to HEAD has no body. */
	const methods: string[] = [];
	const requests = createSplitter('requests');
	const answers = createSplitter('answers', () => methods.shift() !== 'HEAD');
	/** The connection fell silent for good. */
	let isDead = false;
	let isRefusing = false;
	let isGarbled = false;
	let isTruncated = false;
	let cutTimer: NodeJS.Timeout | undefined;

	function onRequest(piece: Piece): void {
		if (piece.kind === 'head') onRequestHead(piece);
		else if (piece.kind !== 'body' || !isRefusing) up.push(piece.bytes);
	}

	function onRequestHead({bytes, text}: Piece & {kind: 'head'}): void {
		const refusal = refusalFor(text);
		isRefusing = refusal !== undefined;
		if (refusal !== undefined) {
			down.push(refusal);
			return;
		}
		methods.push(text.slice(0, text.indexOf(' ')));
		const isUpgrade = UPGRADE.test(text);
		if (isUpgrade) requests.passRaw();
		// Frames that are compressed with their predecessors could not be split, doubled or exchanged.
		up.push(isUpgrade ? Buffer.from(text.replace(/^sec-websocket-extensions:.*\r\n/gim, ''), 'latin1') : bytes);
	}

	/** The response that replaces the service's; undefined without a fault. */
	function refusalFor(head: string): Buffer | undefined {
		const limited = faultOf(faults(), 'too-many-requests');
		const gone = faultOf(faults(), 'unavailable');
		const fault = [limited, gone].find(one => one !== undefined && requestChance.strikes(one.part));
		if (fault === undefined) return undefined;
		onStrike(fault.kind);
		const [status, name, message] =
			fault.kind === 'unavailable'
				? [503, 'Service Unavailable', 'The service is not available']
				: [429, 'Too Many Requests', 'Too many requests'];
		const body = JSON.stringify({statusCode: status, message, error: name});
		const wait = fault.kind === 'too-many-requests' ? `retry-after: ${fault.retryAfterS}\r\n` : '';
		return Buffer.from(
			`HTTP/1.1 ${status} ${name}\r\n${wait}content-type: application/json\r\ncontent-length: ${body.length}\r\n` +
				`date: ${dated(new Date())}\r\nconnection: ${UPGRADE.test(head) ? 'close' : 'keep-alive'}\r\n\r\n${body}`,
		);
	}

	function onAnswer(piece: Piece): void {
		switch (piece.kind) {
			case 'head':
				isTruncated = strikes('truncate');
				isGarbled = !isTruncated && strikes('garbage');
				down.push(withClock(piece));
				break;
			case 'body':
				down.push(damaged(piece.bytes));
				if (isTruncated) down.finish('cut');
				break;
			case 'frame':
				frames.pass(piece.bytes);
				break;
			case 'raw':
				down.push(piece.bytes);
				break;
		}
	}

	/** What becomes of a piece of a body. */
	function damaged(body: Buffer): Buffer {
		if (isTruncated) return body.subarray(0, Math.floor(answerChance.next() * body.length));
		return isGarbled ? answerChance.bytes(body.length) : body;
	}

	function strikes(kind: 'truncate' | 'garbage'): boolean {
		const fault = faultOf(faults(), kind);
		if (fault === undefined || !answerChance.strikes(fault.part)) return false;
		onStrike(kind);
		return true;
	}

	function withClock({bytes, text}: Piece & {kind: 'head'}): Buffer {
		if (faultOf(faults(), 'clock-jump') === undefined) return bytes;
		onStrike('clock-jump');
		const moved = text.replace(
			/^(date: *)(.*)\r$/im,
			(_, name: string, date: string) => `${name}${dated(new Date(date))}\r`,
		);
		return Buffer.from(moved, 'latin1');
	}

	/** A date as the service would write it, if its clock were as wrong as it is to be. */
	function dated(date: Date): string {
		return new Date(date.getTime() + (faultOf(faults(), 'clock-jump')?.byMs ?? 0)).toUTCString();
	}

	function refresh(): void {
		if (faultOf(faults(), 'half-open') && !isDead) {
			isDead = true;
			onStrike('half-open');
		}
		if (isDead) return;
		for (const kind of FELT_BY_ALL) if (faultOf(faults(), kind)) onStrike(kind);
		planCut();
		frames.refresh();
		up.refresh();
		down.refresh();
	}

	function planCut(): void {
		const cut = faultOf(faults(), 'cut');
		if (cut === undefined) {
			clearTimeout(cutTimer);
			cutTimer = undefined;
			return;
		}
		cutTimer ??= setTimeout(() => {
			onStrike('cut');
			destroy();
		}, cutChance.next() * cut.withinMs);
	}

	function destroy(): void {
		clearTimeout(cutTimer);
		up.destroy();
		down.destroy();
		client.resetAndDestroy();
		service.resetAndDestroy();
	}

	client.on('data', bytes => {
		if (!isDead) for (const piece of requests.push(bytes)) onRequest(piece);
	});
	service.on('data', bytes => {
		if (!isDead) for (const piece of answers.push(bytes)) onAnswer(piece);
	});
	client.on('end', () => up.finish('end'));
	service.on('end', () => {
		if (!isDead) down.finish('end');
	});
	service.on('error', () => {
		if (!isDead) down.finish('cut');
	});
	client.on('error', () => {});
	client.on('close', () => {
		destroy();
		onClose();
	});
	// A fault with a latency is felt by the first byte already, one that cuts before it.
	refresh();
	return {refresh, destroy};
}
