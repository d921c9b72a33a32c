import {Agent, type Dispatcher} from 'undici';
import {defined} from '../../defined.ts';
import {isPublicAddress, literalAddress, publicLookup} from '../../net-guard.ts';
import type {Profile} from '../market/events.ts';

/** Reads what a token's maker published of it, at an address that stands on the chain. */
export interface MetadataFetch {
	/** The profile in a document; undefined when it cannot be read or is not a profile. Never rejects. */
	read(uri: string): Promise<Profile | undefined>;
	/** Ends what is in progress. */
	close(): Promise<void>;
}

export interface MetadataFetchOptions {
	/** Where `ipfs://` is asked for, named by the user: may be on this machine. Undefined: such documents are not read. */
	readonly ipfsGateway?: string | undefined;
	/** Whether documents may be on this machine and around it, and without TLS. For tests. */
	readonly allowPrivate?: boolean;
	/** Limit of one document, from the name's lookup to its last byte, redirects included. */
	readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5000;
const MAX_BYTES = 256_000;
const MAX_REDIRECTS = 3;
const HEADERS = {accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'pulsetop'};
const LONGEST_URL = 1024;
const LONGEST_DESCRIPTION = 1000;
const LONGEST_LINK = 512;
/** A content id in base58 or base32, and a path whose parts cannot lead out of it. */
const CONTENT = /^(?:ipfs\/)?(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{30,100})(?:\/[\w-][\w.~-]{0,100}){0,4}$/;

/**
 * The address is hostile: the maker of a token chooses it. Only https is asked, and only the public internet; each connection
 * checks the address that it connects to, and each redirect is checked as the first address was.
 */
export function createMetadataFetch({
	ipfsGateway,
	allowPrivate = false,
	timeoutMs = TIMEOUT_MS,
}: MetadataFetchOptions = {}): MetadataFetch {
	/** Those in use: one for each document, since their hosts are many and seldom come again. */
	const agents = new Set<Agent>();
	let isClosed = false;

	const isAllowed = (url: URL): boolean => {
		if (allowPrivate) return url.protocol === 'http:' || url.protocol === 'https:';
		const literal = literalAddress(url);
		const isHarmless =
			url.username === '' && url.password === '' && (literal === undefined || isPublicAddress(literal));
		return url.protocol === 'https:' && isHarmless;
	};
	const ask = async (url: URL, isTrusted: boolean, signal: AbortSignal): Promise<Answer> => {
		const lookup = isTrusted || allowPrivate ? {} : {lookup: publicLookup};
		const agent = new Agent({connections: 1, pipelining: 1, connect: {timeout: timeoutMs, ...lookup}});
		agents.add(agent);
		try {
			const {origin, pathname, search} = url;
			const answer = await agent.request({origin, path: pathname + search, method: 'GET', headers: HEADERS, signal});
			const {statusCode, headers, body} = answer;
			// A body that is not read to its end fails when the connection ends: that error is ignored.
			body.on('error', () => {});
			if (statusCode === 200) return {text: await textOf(headers, body)};
			return {target: statusCode >= 301 && statusCode <= 308 ? targetOf(headers['location'], url) : undefined};
		} finally {
			agents.delete(agent);
			// Not awaited: it waits for what the other side does.
			void agent.destroy();
		}
	};
	const document = async (uri: string): Promise<unknown> => {
		const signal = AbortSignal.timeout(timeoutMs);
		const fromGateway = gatewayUrl(uri, ipfsGateway);
		let url = fromGateway ?? webUrl(uri);
		for (let redirects = 0; redirects <= MAX_REDIRECTS && url !== undefined && !isClosed; redirects++) {
			// Only what was made of the gateway's address here is trusted, not where the gateway leads.
			const isTrusted = url === fromGateway;
			if (!isTrusted && !isAllowed(url)) return undefined;
			const {text, target} = await ask(url, isTrusted, signal);
			if (text !== undefined) return JSON.parse(text);
			url = target;
		}
		return undefined;
	};
	return {
		read: async uri => {
			try {
				return profileIn(await document(uri), ipfsGateway);
			} catch {
				// Refused, late, cut, too long or no JSON: the metadata is unknown, and the program goes on.
				return undefined;
			}
		},
		close: async () => {
			isClosed = true;
			await Promise.all([...agents].map(agent => agent.destroy()));
		},
	};
}

interface Answer {
	readonly text?: string;
	/** Where the document is instead. */
	readonly target?: URL | undefined;
}

function webUrl(text: string): URL | undefined {
	return text.length > LONGEST_URL ? undefined : (URL.parse(text.trim()) ?? undefined);
}

function targetOf(location: string | string[] | undefined, from: URL): URL | undefined {
	if (typeof location !== 'string' || location.length > LONGEST_URL) return undefined;
	return URL.parse(location, from.href) ?? undefined;
}

/** Where a gateway has what an `ipfs://` address names. */
function gatewayUrl(uri: string, gateway: string | undefined): URL | undefined {
	if (gateway === undefined || !uri.startsWith('ipfs://')) return undefined;
	const content = uri.slice('ipfs://'.length);
	if (!CONTENT.test(content)) return undefined;
	return URL.parse(`${gateway.replace(/\/+$/, '')}/ipfs/${content.replace(/^ipfs\//, '')}`) ?? undefined;
}

/** The body as text. What is longer than allowed, or compressed although that was not asked for, is an error. */
async function textOf(
	headers: Dispatcher.ResponseData['headers'],
	body: Dispatcher.ResponseData['body'],
): Promise<string> {
	if (![undefined, 'identity'].includes(headers['content-encoding'] as string | undefined))
		throw new Error('it is compressed');
	if (Number(headers['content-length']) > MAX_BYTES) throw new Error('it is too long');
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += (chunk as Buffer).length;
		if (bytes > MAX_BYTES) throw new Error('it is too long');
		chunks.push(chunk as Buffer);
	}
	return new TextDecoder('utf-8', {fatal: true}).decode(Buffer.concat(chunks));
}

/** The profile of a token in its document, as pump.fun, LaunchLab, Flap and Zora write it; undefined when it says nothing. */
function profileIn(document: unknown, gateway: string | undefined): Profile | undefined {
	if (!isTable(document)) return undefined;
	const extensions = isTable(document['extensions']) ? document['extensions'] : {};
	const link = (name: string): string | undefined =>
		textIn(document[name], LONGEST_LINK) ?? textIn(extensions[name], LONGEST_LINK);
	const profile = defined({
		description: cut(document['description']),
		logo: imageIn(document['image'], gateway),
		twitter: link('twitter'),
		website: link('website'),
		telegram: link('telegram'),
	});
	return Object.keys(profile).length === 0 ? undefined : profile;
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that says something and is not too long for what it is. */
function textIn(value: unknown, longest: number): string | undefined {
	if (typeof value !== 'string' || value.length > longest || value.trim() === '') return undefined;
	return value.trim().toWellFormed();
}

function cut(value: unknown): string | undefined {
	return typeof value === 'string' ? textIn(value.slice(0, LONGEST_DESCRIPTION), LONGEST_DESCRIPTION) : undefined;
}

/** The address of an image, which is shown as text and never asked for. */
function imageIn(value: unknown, gateway: string | undefined): string | undefined {
	const text = textIn(value, LONGEST_URL);
	if (text === undefined) return undefined;
	if (text.startsWith('ipfs://')) return gatewayUrl(text, gateway)?.href;
	return URL.parse(text)?.protocol === 'https:' ? text : undefined;
}
