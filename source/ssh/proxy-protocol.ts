import {isIP, type Socket} from 'node:net';
import {networkTest} from './addresses.ts';

/*
 * The address of a client behind a TCP balancer, which says it before the first byte of the client (PROXY protocol, versions 1 and
 * 2). Only the balancers that are named are believed, and they must say it: else anybody could choose an address.
 */

/** The balancers whose word counts. */
export interface TrustedProxies {
	has(address: string): boolean;
}

/** @param networks addresses and networks: `10.0.0.0/8` @returns the first that can't be read, as text */
export function trustedProxies(networks: readonly string[]): TrustedProxies | string {
	const tests = networks.map(networkTest);
	const wrong = tests.indexOf(undefined);
	if (wrong >= 0) return networks[wrong]!;
	return {has: address => tests.some(test => test!(address))};
}

const SIGNATURE = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]);
const FIXED_BYTES = 16;
/** The longest line of version 1, and a header of version 2 with the additions that balancers make. */
const MAX_LINE = 107;
const MAX_HEADER = 1024;

/** The length of a header, and the client's address; undefined for a check of the balancer itself. */
export interface ProxyHeader {
	readonly bytes: number;
	readonly address: string | undefined;
}

/** Reads a header. @returns `more` while it is not whole, `wrong` for anything else */
export function readProxyHeader(data: Buffer): ProxyHeader | 'more' | 'wrong' {
	const shared = Math.min(data.length, SIGNATURE.length);
	if (data.subarray(0, shared).equals(SIGNATURE.subarray(0, shared))) return readBinary(data);
	const start = data.subarray(0, 6).toString('latin1');
	if (start !== 'PROXY '.slice(0, start.length)) return 'wrong';
	const end = data.indexOf('\r\n');
	if (end < 0) return data.length > MAX_LINE ? 'wrong' : 'more';
	if (end + 2 > MAX_LINE) return 'wrong';
	const [, family, source = ''] = data.subarray(0, end).toString('latin1').split(' ');
	if (family === 'UNKNOWN') return {bytes: end + 2, address: undefined};
	const isKnown = (family === 'TCP4' && isIP(source) === 4) || (family === 'TCP6' && isIP(source) === 6);
	return isKnown ? {bytes: end + 2, address: source} : 'wrong';
}

function readBinary(data: Buffer): ProxyHeader | 'more' | 'wrong' {
	if (data.length < FIXED_BYTES) return 'more';
	const [command, family] = [data[12]!, data[13]!];
	const bytes = FIXED_BYTES + data.readUInt16BE(14);
	if (command >> 4 !== 2 || (command & 0xf) > 1 || bytes > MAX_HEADER) return 'wrong';
	if (data.length < bytes) return 'more';
	// LOCAL: the balancer speaks for itself.
	if ((command & 0xf) === 0) return {bytes, address: undefined};
	const body = data.subarray(FIXED_BYTES, bytes);
	if (family === 0x11 && body.length >= 12) return {bytes, address: body.subarray(0, 4).join('.')};
	if (family !== 0x21 || body.length < 36) return 'wrong';
	const parts = Array.from({length: 8}, (_, at) => body.readUInt16BE(2 * at).toString(16));
	return {bytes, address: parts.join(':')};
}

/**
 * Takes the header from a new socket; the bytes behind it are left to be read.
 * @returns the client's address; undefined when the balancer gave none within the time, or closed
 */
export function takeProxyHeader(socket: Socket, waitMs: number): Promise<string | undefined> {
	const {promise, resolve} = Promise.withResolvers<string | undefined>();
	let data = Buffer.alloc(0);
	const done = (address: string | undefined): void => {
		clearTimeout(timer);
		socket.off('readable', look).off('close', closed);
		resolve(address);
	};
	const closed = (): void => done(undefined);
	const look = (): void => {
		const chunk: Buffer | null = socket.read();
		if (chunk === null) return;
		data = Buffer.concat([data, chunk]);
		const header = readProxyHeader(data);
		if (header === 'more') return;
		done(header === 'wrong' ? undefined : header.address);
		if (header !== 'wrong' && data.length > header.bytes) socket.unshift(data.subarray(header.bytes));
	};
	const timer = setTimeout(closed, waitMs);
	socket.on('readable', look).on('close', closed);
	return promise;
}
