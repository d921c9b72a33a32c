import {once} from 'node:events';
import type {ClientRequest, IncomingMessage} from 'node:http';
import type {Socket} from 'node:net';
import type {ConnectionOptions} from 'node:tls';
import {connectionWords} from './connection-words.ts';
import {ProxyFailed, type ProxySetting} from './proxy.ts';
import {urlText} from './url-text.ts';

/** Longest time until the proxy has connected. */
const CONNECT_MS = 10_000;
const FORM = 'http://proxy.example.com:3128';

interface ProxyAddress {
	/** With user name and password. */
	readonly url: URL;
	/** Host, port and variable, for messages. */
	readonly label: string;
	/** The header with user name and password; empty when the variable holds none. */
	readonly credentials: Readonly<Record<string, string>>;
}

/**
 * The address of a proxy. Without a scheme it is http, as for curl; without a port that of the scheme.
 * @throws ProxyFailed
 */
export function readProxy({variable, value}: ProxySetting): ProxyAddress {
	const text = value.trim();
	const url = urlText(text) === undefined ? null : URL.parse(text.includes('://') ? text : `http://${text}`);
	const advice = `Set ${variable} to an address as ${FORM}, with special characters of a password percent-encoded, or unset it.`;
	if (/^socks\w*:\/\//i.test(text))
		throw new ProxyFailed(`${variable} names a SOCKS proxy, which is not supported`, {advice});
	const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
	if (!isHttp || !/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') {
		throw new ProxyFailed(`${variable} is not the address of an http or https proxy`, {advice});
	}
	const label = `${hostAndPort(url)} (${variable})`;
	return {url, label, credentials: credentialsOf(url, variable)};
}

function credentialsOf({username, password}: URL, variable: string): Readonly<Record<string, string>> {
	if (username === '' && password === '') return {};
	try {
		const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
		return {'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}`};
	} catch {
		const advice = 'Write % as %25 in them.';
		throw new ProxyFailed(`the user name or password in ${variable} is not percent-encoded`, {advice});
	}
}

/** With the port always written, as CONNECT wants it. */
function hostAndPort(url: URL): string {
	return `${url.hostname}:${portOf(url)}`;
}

function portOf({protocol, port}: URL): number {
	return Number(port || (protocol === 'https:' || protocol === 'wss:' ? 443 : 80));
}

/** As sockets and certificates have it: an address of IPv6 without brackets. */
function hostOf({hostname}: URL): string {
	return hostname.replace(/^\[|\]$/g, '');
}

/**
 * A connection for requests to `url`: to the proxy itself for http, which takes requests in absolute form (`forwarded`), and
 * through a tunnel (CONNECT) for https, ws and wss. TLS to the target is established.
 * @throws ProxyFailed; errors of TLS to the target
 */
export async function connectThrough(proxy: ProxySetting, url: URL): Promise<Socket> {
	const signal = AbortSignal.timeout(CONNECT_MS);
	if (url.protocol === 'http:') return connected(proxy, signal);
	const socket = await tunnel(proxy, hostAndPort(url), signal);
	return url.protocol === 'ws:' ? socket : secured({socket, host: hostOf(url)}, signal);
}

/** The differences of a plain http request to `url` when it goes to a proxy. @throws ProxyFailed */
export function forwarded(
	proxy: ProxySetting,
	url: URL,
): {readonly path: string; readonly headers: Readonly<Record<string, string>>} {
	const {credentials} = readProxy(proxy);
	return {path: url.origin + url.pathname + url.search, headers: credentials};
}

/** The refusal of a proxy, by its status. */
export function proxyRefused(proxy: ProxySetting, status: number): ProxyFailed {
	const {label, credentials} = readProxy(proxy);
	const {variable} = proxy;
	if (status === 407) {
		const isGiven = credentials['proxy-authorization'] !== undefined;
		return new ProxyFailed(
			isGiven
				? `the proxy ${label} refused the user name and password in ${variable} (status 407)`
				: `the proxy ${label} refused, since it needs a user name and password in ${variable} (status 407)`,
			{advice: `Set ${variable} to http://USER:PASSWORD@HOST:PORT, with the user name and password of the proxy.`},
		);
	}
	if (status >= 500) {
		return new ProxyFailed(`the proxy ${label} could not reach the address (status ${status})`, {
			advice: 'Check the address, or name its host in NO_PROXY to connect without the proxy.',
			next: 'retry-later',
		});
	}
	return new ProxyFailed(`the proxy ${label} refused to connect to the address (status ${status})`, {
		advice: 'Have the address allowed at the proxy, or name its host in NO_PROXY to connect without the proxy.',
	});
}

/** Opens a tunnel to a host and port. @throws ProxyFailed */
async function tunnel(proxy: ProxySetting, target: string, signal: AbortSignal): Promise<Socket> {
	const {url, label, credentials} = readProxy(proxy);
	const {request} = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
	const headers = {host: target, ...credentials};
	const origin = new URL(url.origin);
	const outgoing = request(origin, {method: 'CONNECT', path: target, agent: false, headers});
	outgoing.end();
	const [response, socket, head] = (await next(outgoing, 'connect', signal).catch((error: unknown) => {
		throw unreachable(label, error);
	})) as [IncomingMessage, Socket, Buffer];
	const status = response.statusCode ?? 0;
	if (status < 200 || status > 299) {
		socket.on('error', () => {}).destroy();
		throw proxyRefused(proxy, status);
	}
	if (head.length > 0) socket.unshift(head);
	return socket;
}

/** A connection to the proxy itself. @throws ProxyFailed */
async function connected(proxy: ProxySetting, signal: AbortSignal): Promise<Socket> {
	const {url, label} = readProxy(proxy);
	const [host, port] = [hostOf(url), portOf(url)];
	try {
		if (url.protocol === 'https:') return await secured({host, port}, signal);
		const socket = process.getBuiltinModule('node:net').connect({host, port});
		await next(socket, 'connect', signal);
		return socket;
	} catch (error) {
		throw unreachable(label, error);
	}
}

async function secured(options: ConnectionOptions & {readonly host: string}, signal: AbortSignal): Promise<Socket> {
	// A name for the certificate; an IP address must not be sent as one.
	const servername = process.getBuiltinModule('node:net').isIP(options.host) === 0 ? options.host : '';
	const socket = process.getBuiltinModule('node:tls').connect({...options, servername});
	await next(socket, 'secureConnect', signal);
	return socket;
}

/** The values of an event. Ends the connection when an error comes first, or when the time is up (TimeoutError). */
async function next(emitter: ClientRequest | Socket, event: string, signal: AbortSignal): Promise<unknown[]> {
	try {
		return await once(emitter, event, {signal});
	} catch (error) {
		emitter.on('error', () => {}).destroy();
		throw signal.aborted ? Object.assign(new Error('no connection in time'), {name: 'TimeoutError'}) : error;
	}
}

function unreachable(label: string, cause: unknown): ProxyFailed {
	return new ProxyFailed(`the proxy ${label} cannot be used: ${connectionWords(cause)}`, {
		advice: 'Check the address of the proxy, or name the host in NO_PROXY to connect without it.',
		next: 'retry-later',
		cause,
	});
}
