import {type Fold, foldText, predicate, type Scalar, type Test, type Value} from './filter-test.ts';
import {InvalidRequest, pathOf, quoteForMessage} from './wire-error.ts';

/**
 * The filters of a webhook (contract gaps 8), checked and ready to match. Fields are those of the delivered event
 * (`amountUSD`, `poolType`), so any name may stand here; a field that an event does not have is unknown, and fails every
 * comparison as an unknown value does in the filters of a view.
 */
export type WebhookFilter =
	| {readonly kind: 'and' | 'or'; readonly of: readonly WebhookFilter[]}
	| {readonly kind: 'compare'; readonly field: string; readonly passes: (value: Value) => boolean};

export const WEBHOOK_FILTER_LIMITS = {depth: 16, leaves: 1000, list: 1000} as const;

const OPS = {eq: 'equals', neq: 'not', lt: 'lt', lte: 'lte', gt: 'gt', gte: 'gte', in: 'in'} as const;

/**
 * Reads a filter tree: leaves `eq neq lt lte gt gte in`, each a pair `[field, value]`, and groups `and` or `or`, never both
 * on one level. Members of one level are AND-ed. Absent and null let every event pass.
 * @param path where the tree stands in the request
 * @param known fields that there are; any when left out
 * @throws InvalidRequest with the path of the node
 */
export function parseWebhookFilters(input: unknown, path = 'filters', known?: ReadonlySet<string>): WebhookFilter {
	if (input === undefined || input === null) return {kind: 'and', of: []};
	return level(input, path, 1, {leaves: 0, known});
}

/** Whether an event passes. @param read the event's value by field name; undefined when it has none */
export function passesWebhook(filter: WebhookFilter, read: (field: string) => Value): boolean {
	switch (filter.kind) {
		case 'and':
			return filter.of.every(part => passesWebhook(part, read));
		case 'or':
			return filter.of.some(part => passesWebhook(part, read));
		case 'compare':
			return filter.passes(read(filter.field));
	}
}

interface Reading {
	/** Leaves so far. */
	leaves: number;
	readonly known: ReadonlySet<string> | undefined;
}

function level(input: unknown, path: string, depth: number, reading: Reading): WebhookFilter {
	if (typeof input !== 'object' || input === null || Array.isArray(input)) {
		throw new InvalidRequest(path, 'must be an object', `got ${quoteForMessage(input)}`);
	}
	const {depth: maxDepth, leaves: maxLeaves} = WEBHOOK_FILTER_LIMITS;
	if (depth > maxDepth) throw new InvalidRequest(path, 'is nested too deep', `at most ${maxDepth} levels are allowed`);
	if ('and' in input && 'or' in input) {
		throw new InvalidRequest(path, 'must not have both "and" and "or"', 'nest one in the other');
	}
	const parts = Object.entries(input).map(([key, value]): WebhookFilter => {
		const at = pathOf(path, key);
		if (key === 'and' || key === 'or') {
			if (!Array.isArray(value)) throw new InvalidRequest(at, 'must be a list', `got ${quoteForMessage(value)}`);
			return {kind: key, of: value.map((part, i) => level(part, `${at}[${i}]`, depth + 1, reading))};
		}
		if (!Object.hasOwn(OPS, key))
			throw new InvalidRequest(at, 'is not an operator', `they are ${Object.keys(OPS)}, and, or`);
		if (++reading.leaves > maxLeaves) {
			throw new InvalidRequest(at, 'is one clause too many', `at most ${maxLeaves} are allowed`);
		}
		return leaf(key as keyof typeof OPS, value, at, reading);
	});
	if (parts.length === 0) throw new InvalidRequest(path, 'must have an operator', 'it is empty');
	return parts.length === 1 ? parts[0]! : {kind: 'and', of: parts};
}

function leaf(key: keyof typeof OPS, pair: unknown, path: string, {known}: Reading): WebhookFilter {
	if (!Array.isArray(pair) || pair.length !== 2 || typeof pair[0] !== 'string' || pair[0] === '') {
		throw new InvalidRequest(path, 'must be a pair [field, value]', `got ${quoteForMessage(pair)}`);
	}
	const [field, raw] = pair as [string, unknown];
	if (known && !known.has(field)) {
		const why = `got ${quoteForMessage(field)}; they have ${[...known].join(', ')}`;
		throw new InvalidRequest(`${path}[0]`, 'is not a field of these events', why);
	}
	const fold: Fold = field === 'poolType' ? 'lower' : 'address';
	return {kind: 'compare', field, passes: predicate(testOf(OPS[key], raw, fold, `${path}[1]`))};
}

function testOf(op: (typeof OPS)[keyof typeof OPS], raw: unknown, fold: Fold, path: string): Test {
	switch (op) {
		case 'equals':
		case 'not':
			return {op, value: scalar(raw, fold, path), fold};
		case 'in': {
			const list = Array.isArray(raw) ? raw : [raw];
			const max = WEBHOOK_FILTER_LIMITS.list;
			if (list.length > max) throw new InvalidRequest(path, 'is too long', `at most ${max} values are allowed`);
			return {op, value: list.map((item, i) => scalar(item, fold, Array.isArray(raw) ? `${path}[${i}]` : path)), fold};
		}
		default:
			if (typeof raw === 'number' && Number.isFinite(raw)) return {op, value: raw, fold};
			throw new InvalidRequest(path, 'must be a number', `got ${quoteForMessage(raw)}`);
	}
}

function scalar(raw: unknown, fold: Fold, path: string): Scalar {
	if (typeof raw === 'string') return foldText(raw, fold);
	if (typeof raw === 'boolean' || (typeof raw === 'number' && Number.isFinite(raw))) return raw;
	throw new InvalidRequest(path, 'must be text, a number, true or false', `got ${quoteForMessage(raw)}`);
}
