import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {checkDelivery, type SignatureVerdict} from '../../client/wire/webhook-signature.ts';
import {WEBHOOK_DELIVERY} from '../../contract/webhook.ts';
import {PulsetopError} from '../../errors.ts';
import {clean} from '../../text.ts';

/** The receiver cannot listen on its address. */
class NotListening extends PulsetopError {
	readonly code = 'not-listening';
}

/** A delivery with a valid signature. */
export interface Delivery {
	/** Its id, the same in every attempt; absent when the service sends none. */
	readonly delivery?: string;
	readonly webhook?: string;
	/** Whether it arrived before: a service delivers at least once. */
	readonly isRepeat: boolean;
	readonly body: unknown;
}

export interface ReceiverOptions {
	readonly host: string;
	/** 0 = any free port. */
	readonly port: number;
	/** The secret that signs deliveries; deliveries wait until it is known. */
	readonly secret: Promise<string>;
	/** @returns false to refuse the delivery now: the service repeats it */
	readonly onDelivery: (delivery: Delivery) => boolean;
	readonly onRefused: (why: Exclude<SignatureVerdict, 'right'>) => void;
}

export interface Receiver {
	/** `http://HOST:PORT/` */
	readonly url: string;
	close(): Promise<void>;
}

const MAX_BODY_BYTES = 1 << 20;
const MAX_REMEMBERED = 10_000;
const REQUEST_MS = 15_000;

/**
 * Receives deliveries on this machine. One that is not signed with the secret gets 401 and is dropped.
 * @throws NotListening
 */
export async function openReceiver(options: ReceiverOptions): Promise<Receiver> {
	const {host, port} = options;
	const known = new Set<string>();
	const server = createServer({requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS}, (request, response) => {
		receive(request, response, options, known).catch(() => response.destroy());
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', error => reject(notListening(error, port)));
		server.listen(port, host, resolve);
	});
	const {address, family, port: taken} = server.address() as AddressInfo;
	return {
		url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/`,
		close: () =>
			new Promise(resolve => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

async function receive(
	request: IncomingMessage,
	response: ServerResponse,
	{secret, onDelivery, onRefused}: ReceiverOptions,
	known: Set<string>,
): Promise<void> {
	const respond = (status: number) => void response.writeHead(status, {connection: 'keep-alive'}).end();
	if (request.method !== 'POST') return respond(405);
	const bytes = await bodyOf(request);
	if (bytes === undefined) return respond(413);
	const verdict = checkDelivery(await secret, headerOf(request, 'signatureHeader'), bytes, Date.now());
	if (verdict !== 'right') {
		onRefused(verdict);
		return respond(401);
	}
	const body = jsonOf(bytes);
	if (body === undefined) return respond(400);
	const delivery = headerOf(request, 'deliveryHeader');
	const webhook = headerOf(request, 'idHeader');
	const isTaken = onDelivery({
		...(delivery !== undefined && {delivery}),
		...(webhook !== undefined && {webhook}),
		isRepeat: delivery !== undefined && known.has(delivery),
		body,
	});
	if (!isTaken) return respond(503);
	if (delivery !== undefined) remember(known, delivery);
	respond(200);
}

function remember(known: Set<string>, delivery: string): void {
	known.add(delivery);
	// Drops the oldest id: no delivery is repeated after this many others.
	if (known.size > MAX_REMEMBERED) known.delete(known.values().next().value!);
}

/** The body; undefined when it is larger than a delivery can be. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		length += chunk.length;
		if (length > MAX_BODY_BYTES) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

function headerOf(
	{headers}: IncomingMessage,
	name: 'signatureHeader' | 'deliveryHeader' | 'idHeader',
): string | undefined {
	const value = headers[WEBHOOK_DELIVERY[name].toLowerCase()];
	return typeof value === 'string' ? clean(value, {maxLength: 200}) : undefined;
}

function jsonOf(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString('utf8'));
	} catch {
		return undefined;
	}
}

function notListening(error: NodeJS.ErrnoException, port: number): NotListening {
	const why =
		error.code === 'EADDRINUSE'
			? `port ${port} is already in use`
			: error.code === 'EACCES'
				? `listening on port ${port} is not permitted`
				: 'the host is not an address of this machine';
	const isPort = error.code === 'EADDRINUSE' || error.code === 'EACCES';
	const advice = isPort ? 'Choose another port with --port.' : 'Give --host an address of this machine.';
	return new NotListening('Deliveries cannot be received here', {why, next: 'fix-input', advice, cause: error});
}
