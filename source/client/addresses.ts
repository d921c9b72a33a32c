import {PulsetopError} from '../errors.ts';
import {steadyNow} from '../steady-clock.ts';

/** A service address of the configuration that is not a URL of the expected protocol. */
export class BadAddress extends PulsetopError {
	readonly code = 'bad-address';
}

/** One address of a service. Several of one service are its replicas: each answers the same. */
export interface ServiceAddress {
	readonly baseUrl: URL;
	/** Undefined for a service without a stream. */
	readonly streamUrl: URL | undefined;
	/** Host and port, and the path where there is one: `b.example.com:4010`. */
	readonly name: string;
}

/** The state of an address for this client. */
export interface AddressState {
	readonly name: string;
	/** `unknown`: not tried yet. */
	readonly state: 'unknown' | 'works' | 'failed';
	/** Why it failed. */
	readonly why?: string;
	/** When it last worked or failed, `steadyNow()` scale. */
	readonly atMs?: number;
}

/** The addresses of one service, and which of them works. */
export interface Addresses {
	/** In the order in which this client tries them, which is random, so that clients spread over the replicas. */
	readonly all: readonly ServiceAddress[];
	/** Where the next request goes: the address that last worked. */
	readonly current: ServiceAddress;
	/** The address to try after this one. */
	next(address: ServiceAddress): ServiceAddress;
	/** A response or a stream came from the address: requests go there from now on. */
	worked(address: ServiceAddress): void;
	/** The address did not answer: requests go to the next one, if they went to this one. */
	failed(address: ServiceAddress, why: string): void;
	/** Requests go to the address of this name from now on, if there is one. */
	prefer(name: string): void;
	/** The state of each, in the order of the configuration; the same object until something changed. */
	states(): readonly AddressState[];
}

/** A client tries several addresses; its options give them. */
export interface AddressOptions {
	readonly baseUrl: string | readonly string[];
	readonly streamUrl?: string | readonly string[] | null | undefined;
}

/**
 * Reads the addresses of a service.
 * @param random 0 to 1, for the order in which they are tried
 * @throws BadAddress for one that is not an address, and for stream addresses that do not pair with the others
 */
export function createAddresses(options: AddressOptions, random: () => number = Math.random): Addresses {
	const configured = readAddresses(options);
	const all = shuffled(configured, random);
	const known = new Map<ServiceAddress, AddressState>(configured.map(of => [of, {name: of.name, state: 'unknown'}]));
	let current = all[0]!;
	let states: readonly AddressState[] | undefined;

	function next(address: ServiceAddress): ServiceAddress {
		return all[(all.indexOf(address) + 1) % all.length]!;
	}

	function note(address: ServiceAddress, state: Omit<AddressState, 'name' | 'atMs'>): void {
		known.set(address, {name: address.name, ...state, atMs: steadyNow()});
		states = undefined;
	}

	return {
		all,
		get current() {
			return current;
		},
		next,
		worked(address) {
			current = address;
			if (known.get(address)?.state !== 'works') note(address, {state: 'works'});
		},
		failed(address, why) {
			if (current === address) current = next(address);
			note(address, {state: 'failed', why});
		},
		prefer(name) {
			current = all.find(address => address.name === name) ?? current;
		},
		states() {
			states ??= configured.map(address => known.get(address)!);
			return states;
		},
	};
}

function readAddresses({baseUrl, streamUrl}: AddressOptions): readonly ServiceAddress[] {
	const bases = [baseUrl].flat();
	const streams = streamUrl === undefined || streamUrl === null ? [] : [streamUrl].flat();
	if (bases.length === 0) throw notOne('base', 0, 0);
	if (streams.length > 0 && streams.length !== bases.length) {
		throw new BadAddress('The stream addresses of the service do not pair with its addresses', {
			why: `there are ${streams.length} and ${bases.length}: the first belongs to the first, and so on`,
			next: 'fix-input',
		});
	}
	return bases.map((text, at) => {
		const base = urlOf(text, ['http:', 'https:']) ?? refuse('base', at, bases.length);
		return {baseUrl: base, streamUrl: streamUrl === null ? undefined : streamOf(base), name: nameOf(base)};

		/** The stream's address: the host of the base address, path `/` (contract gaps 1.1), unless another is given. */
		function streamOf({protocol, host}: URL): URL {
			const given = streams[at];
			if (given === undefined) return new URL(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/`);
			return urlOf(given, ['ws:', 'wss:', 'http:', 'https:']) ?? refuse('stream', at, streams.length);
		}
	});
}

function urlOf(text: string, protocols: readonly string[]): URL | undefined {
	const url = URL.parse(text);
	return url && protocols.includes(url.protocol) ? url : undefined;
}

/** Names an address by its place: its text may hold a password. */
function refuse(which: 'base' | 'stream', at: number, count: number): never {
	throw notOne(which, at, count);
}

function notOne(which: 'base' | 'stream', at: number, count: number): BadAddress {
	const schemes = which === 'base' ? 'http:// or https://' : 'ws:// or wss://';
	const what = `The ${which} address of the service is not one`;
	return count <= 1
		? new BadAddress(what, {why: `it must begin with ${schemes}`, next: 'fix-input'})
		: new BadAddress(what, {why: `address ${at + 1} of ${count} must begin with ${schemes}`, next: 'fix-input'});
}

/** `b.example.com:4010`, as messages and the screen name an address. */
function nameOf({host, pathname}: URL): string {
	return host + pathname.replace(/\/+$/, '');
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
	const rest = [...items];
	return items.map(() => rest.splice(Math.floor(random() * rest.length), 1)[0]!);
}
