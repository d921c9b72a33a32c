import {FIELDS, findField} from './fields.ts';
import {allOf, anyOf, EVERYTHING, type Filter} from './filter.ts';
import {readCompact} from './filter-compact.ts';
import {type Condition, conditionOf, type Target} from './filter-condition.ts';
import {findSecurityFlag, SECURITY_FLAGS} from './security-flags.ts';
import {InvalidRequest, nearestName, pathOf, quoteForMessage} from './wire-error.ts';

export interface FilterOptions {
	/** In pool mode an entry's `address` is the pool's, so the filter `address` means that. Fields of both modes are accepted. */
	readonly mode: 'asset' | 'pool';
	/** Where in the request the filters stand; goes before the path of every error. */
	readonly path?: string;
	/** Addresses of a factory by its name in lower case, from system metadata: `factory` takes both. */
	readonly factoryNames?: ReadonlyMap<string, readonly string[]>;
}

/** Groups deeper than this, more clauses than this or longer lists than this are refused. */
export const FILTER_LIMITS = {depth: 16, leaves: 1000, list: 1000} as const;

/**
 * Reads the filters of a view: an object, the JSON text of one, or compact text `field:min:max,field2:min:max`
 * (contract gaps 3.4). Absent, empty and unparsable compact text keep everything.
 * @throws InvalidRequest with the path of the clause: unknown field or operator, wrong type, too deep, too many
 */
export function parseFilters(input: unknown, options: FilterOptions): Filter {
	const path = options.path ?? 'filters';
	const parse = new Parse(options);
	if (input === undefined || input === null) return EVERYTHING;
	if (typeof input !== 'string') return parse.group(input, path, 1);
	const text = input.trim();
	return text.startsWith('{') ? parse.group(parseJson(text, path), path, 1) : parse.compact(text, path);
}

function parseJson(text: string, path: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new InvalidRequest(path, 'must be valid JSON', 'text that starts with { is read as JSON');
	}
}

/** Objects whose members are fields too: `pools: {type: ...}`, and `pools.type`. */
const PREFIXES = ['pools', 'socials'] as const;

class Parse {
	readonly #options: FilterOptions;
	#leaves = 0;

	constructor(options: FilterOptions) {
		this.#options = options;
	}

	/** One object of the tree: its members are AND-ed. */
	group(input: unknown, path: string, depth: number): Filter {
		if (depth > FILTER_LIMITS.depth) {
			throw new InvalidRequest(path, 'is nested too deep', `at most ${FILTER_LIMITS.depth} levels are allowed`);
		}
		return allOf(Object.entries(objectOf(input, path)).map(([key, value]) => this.#member(key, value, path, depth)));
	}

	compact(text: string, path: string): Filter {
		return allOf(readCompact(text).map(([key, value]) => this.#member(key, value, path, 1)));
	}

	#member(key: string, value: unknown, parent: string, depth: number): Filter {
		const path = pathOf(parent, key);
		if (value === undefined) return EVERYTHING;
		switch (key) {
			case 'AND':
				return allOf(this.#groups(value, path, depth));
			case 'OR':
				return anyOf(this.#groups(value, path, depth));
			case 'NOT':
				return allOf(this.#groups(value, path, depth).map(of => Object.freeze({kind: 'not', of})));
			case 'includeKeywords':
			case 'excludeKeywords':
				return this.#keywords(key === 'includeKeywords' ? 'include' : 'exclude', value, path);
			case 'security':
				return allOf(
					Object.entries(objectOf(value, path)).map(([flag, condition]) =>
						this.#leaf(this.#flag(flag, pathOf(path, flag)), condition, pathOf(path, flag), depth + 1),
					),
				);
		}
		if (PREFIXES.some(prefix => prefix === key)) return this.group(value, path, depth + 1);
		return this.#leaf(this.#target(key, path), value, path, depth);
	}

	#groups(value: unknown, path: string, depth: number): Filter[] {
		if (!Array.isArray(value)) return [this.group(value, path, depth + 1)];
		return value.map((part, i) => this.group(part, `${path}[${i}]`, depth + 1));
	}

	#leaf(target: Target, value: unknown, path: string, depth: number): Filter {
		const {filter, leaves} = conditionOf(target, value as Condition, path, depth);
		this.#count(leaves, path);
		return filter;
	}

	#count(leaves: number, path: string): void {
		this.#leaves += leaves;
		if (this.#leaves > FILTER_LIMITS.leaves) {
			throw new InvalidRequest(path, 'is one clause too many', `at most ${FILTER_LIMITS.leaves} are allowed`);
		}
	}

	#keywords(mode: 'include' | 'exclude', value: unknown, path: string): Filter {
		const words = typeof value === 'string' ? [value] : value;
		if (!Array.isArray(words) || words.some(word => typeof word !== 'string')) {
			throw new InvalidRequest(path, 'must be a list of words', `got ${quoteForMessage(value)}`);
		}
		const keywords = words.map((word: string) => word.trim().toLowerCase()).filter(word => word !== '');
		this.#count(keywords.length, path);
		return keywords.length === 0 ? EVERYTHING : Object.freeze({kind: 'keywords', mode, words: Object.freeze(keywords)});
	}

	#target(key: string, path: string): Target {
		if (key === 'created_at_offset' || key === 'createdAtOffset') return {kind: 'age', field: findField('created_at')!};
		const [prefix, member] = splitOnce(key, '.');
		if (prefix === 'security' && member !== undefined) return this.#flag(member, path);
		const name = PREFIXES.some(p => p === prefix) && member !== undefined ? member : key;
		const spelling = name === 'address' && this.#options.mode === 'pool' ? 'pool_address' : name;
		const field = findField(spelling);
		if (!field) {
			throw new InvalidRequest(path, 'is not a field that can be filtered by', hint(name, FIELDS));
		}
		const names = field.name === 'factory' ? this.#options.factoryNames : undefined;
		return names ? {kind: 'compare', field, names} : {kind: 'compare', field};
	}

	#flag(name: string, path: string): Target {
		const flag = findSecurityFlag(name);
		if (!flag) throw new InvalidRequest(path, 'is not a security flag', hint(name, SECURITY_FLAGS));
		return {kind: 'security', flag};
	}
}

function hint(name: string, known: readonly {readonly name: string}[]): string {
	const near = nearestName(
		name,
		known.map(k => k.name),
	);
	return near === undefined ? `there is no ${quoteForMessage(name)}` : `the nearest name is ${near}`;
}

function objectOf(value: unknown, path: string): Record<string, unknown> {
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
	throw new InvalidRequest(path, 'must be an object', `got ${quoteForMessage(value)}`);
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
	const at = text.indexOf(separator);
	return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
