import {PulsetopError} from '../errors.ts';
import {nearest} from '../nearest.ts';

/**
 * A request that breaks the contract: an unknown field, a wrong type, a limit passed. The service answers 400 (an error
 * frame on the socket), the monitor points at the place.
 */
export class InvalidRequest extends PulsetopError {
	readonly code = 'invalid-request';
	/** Where in the request: `views[0].filters.market_cap.gte`. Empty for the request as a whole. */
	readonly path: string;

	/**
	 * @param path where in the request
	 * @param problem the fault there, to be read after the path: `must be a number`
	 * @param why the facts: the given value, the allowed ones
	 */
	constructor(path: string, problem: string, why = 'the request does not fit the API') {
		super(path === '' ? `The request ${problem}` : `${path} ${problem}`, {why, next: 'fix-input'});
		this.path = path;
	}
}

/** Reads a part of a request; undefined where that breaks the contract, as this program knows it. @throws every other error */
export function unlessInvalid<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch (error) {
		if (error instanceof InvalidRequest) return undefined;
		throw error;
	}
}

/** A value from outside as it may stand in a message: short, printable ASCII, quoted as JSON; objects only by kind. */
export function quoteForMessage(value: unknown): string {
	if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
	const json = JSON.stringify(typeof value === 'string' ? value.slice(0, 60) : value) ?? String(value);
	const printable = json.replace(/[^\x20-\x7e]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
	return printable.length <= 60 ? printable : `${printable.slice(0, 57)}...`;
}

/** The path of a member: `filters` and `market_cap` => `filters.market_cap`. */
export function pathOf(parent: string, key: string): string {
	if (key.length > 60 || !/^[\w-]+(\.[\w-]+)*$/.test(key)) return `${parent}[${quoteForMessage(key)}]`;
	return parent === '' ? key : `${parent}.${key}`;
}

/** The candidate nearest to a name from outside, which may be of any length; undefined when none is near. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
	return nearest(name.slice(0, 64), candidates);
}

/** An answer that does not have the form that the API promises. Not a lost connection: a retry will not help. */
export class UnexpectedResponse extends PulsetopError {
	readonly code = 'unexpected-answer';

	/** @param what the responding endpoint: `bridge quote` */
	constructor(what: string, why: string) {
		super(`The service's answer to "${what}" has an unexpected form`, {why, next: 'report'});
	}
}
