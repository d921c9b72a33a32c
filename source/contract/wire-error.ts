import {PulsetopError} from '../errors.ts';

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
	 * @param problem what is wrong there, to be read after the path: `must be a number`
	 * @param why the facts: what came instead, what is allowed
	 */
	constructor(path: string, problem: string, why = 'the request does not fit the API') {
		super(path === '' ? `The request ${problem}` : `${path} ${problem}`, {why, next: 'fix-input'});
		this.path = path;
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
	if (!/^[\w-]+(\.[\w-]+)*$/.test(key)) return `${parent}[${quoteForMessage(key)}]`;
	return parent === '' ? key : `${parent}.${key}`;
}

/** The candidate nearest to a mistyped name, or undefined when none is near enough to be meant. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
	const typed = name.toLowerCase().slice(0, 64);
	let best: string | undefined;
	let bestDistance = Math.max(1, Math.floor(typed.length / 3)) + 1;
	for (const candidate of candidates) {
		const distance = editDistance(typed, candidate.toLowerCase(), bestDistance);
		if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
	}
	return best;
}

function editDistance(a: string, b: string, limit: number): number {
	if (Math.abs(a.length - b.length) >= limit) return limit;
	let row = Array.from({length: b.length + 1}, (_, i) => i);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const substitute = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min(substitute, row[j]! + 1, next[j - 1]! + 1));
		}
		row = next;
	}
	return row[b.length]!;
}
