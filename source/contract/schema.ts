import * as z from 'zod';
import {InvalidRequest, pathOf, quoteForMessage, UnexpectedResponse} from './wire-error.ts';

/**
 * A schema that is built at its first use. Building all of the contract at start would delay the first frame by several
 * milliseconds.
 */
export function once<T>(build: () => T): () => T {
	let built: {readonly value: T} | undefined;
	return () => {
		built ??= {value: build()};
		return built.value;
	};
}

/**
 * Reads input of a request by its schema.
 * @param path the name of the input, goes before the path of an error; empty for the whole body
 * @throws InvalidRequest naming the first wrong field
 */
export function parseRequest<S extends z.ZodType>(schema: S, input: unknown, path = ''): z.output<S> {
	const result = schema.safeParse(input, {reportInput: true});
	if (result.success) return result.data;
	const {at, problem, why} = describeIssue(result.error.issues[0]!);
	throw new InvalidRequest(pathText(path, at), problem, why);
}

/**
 * Reads the body of a response by its schema.
 * @param what the request, for the message: `bridge quote`
 * @throws UnexpectedResponse naming the first wrong field, never its value
 */
export function parseResponse<S extends z.ZodType>(schema: S, body: unknown, what: string): z.output<S> {
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	const {at, problem} = describeIssue(result.error.issues[0]!);
	throw new UnexpectedResponse(what, `${pathText('', at) || 'the body'} ${problem}`);
}

type Path = readonly PropertyKey[];

interface IssueText {
	readonly at: Path;
	readonly problem: string;
	readonly why: string;
}

/** The issue as "<path> <problem>: <why>". Of a union the branch that came farthest is described. */
function describeIssue(issue: z.core.$ZodIssue, above: Path = []): IssueText {
	const at = [...above, ...issue.path];
	const got = `got ${quoteForMessage(issue.input)}`;
	switch (issue.code) {
		case 'invalid_type':
			return issue.input === undefined && 'input' in issue
				? {at, problem: 'is required', why: `it must be ${EXPECTED[issue.expected] ?? issue.expected}`}
				: {at, problem: `must be ${EXPECTED[issue.expected] ?? issue.expected}`, why: got};
		case 'too_small':
			return {at, problem: `must ${limit(issue.origin, 'at least', issue.minimum, issue.inclusive)}`, why: got};
		case 'too_big':
			return {at, problem: `must ${limit(issue.origin, 'at most', issue.maximum, issue.inclusive)}`, why: got};
		case 'invalid_value':
			return {at, problem: `must be ${issue.values.map(v => quoteForMessage(v)).join(' or ')}`, why: got};
		case 'unrecognized_keys':
			return {at: [...at, issue.keys[0]!], problem: 'is not a known field', why: 'no other fields are allowed here'};
		case 'invalid_union': {
			const branches = issue.errors.flatMap(([first]) => (first ? [describeIssue(first, at)] : []));
			const deepest = branches.toSorted((a, b) => b.at.length - a.at.length)[0];
			if (!deepest) return {at, problem: 'has no allowed form', why: got};
			if (deepest.at.length > at.length || branches.length === 1) return deepest;
			return {at, problem: [...new Set(branches.map(b => b.problem))].join(', or '), why: got};
		}
		case 'invalid_format':
			return {
				at,
				problem: ownMessage(issue.message) ?? `must ${FORMATS[issue.format] ?? 'have the right form'}`,
				why: got,
			};
		default:
			return {at, problem: issue.message, why: got};
	}
}

/** The text that a schema of the contract was given; texts of the schema library start differently. */
function ownMessage(message: string): string | undefined {
	return message.startsWith('must ') ? message : undefined;
}

const EXPECTED: Readonly<Record<string, string>> = {
	string: 'text',
	number: 'a number',
	int: 'a whole number',
	boolean: 'true or false',
	array: 'a list',
	tuple: 'a pair',
	object: 'an object',
	record: 'an object',
	null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
	url: 'be an address of the web',
	datetime: 'be a moment in ISO 8601',
	safeint: 'be a whole number',
};

function limit(origin: string, bound: string, value: number | bigint, inclusive: boolean | undefined): string {
	const parts = {array: 'items', string: 'characters'}[origin];
	if (parts !== undefined)
		return value === 1 && bound === 'at least' ? 'not be empty' : `have ${bound} ${value} ${parts}`;
	if (inclusive === false) return `be ${bound === 'at least' ? 'more' : 'less'} than ${value}`;
	return `be ${bound} ${value}`;
}

function pathText(prefix: string, path: Path): string {
	return path.reduce<string>(
		(text, key) => (typeof key === 'number' ? `${text}[${key}]` : pathOf(text, String(key))),
		prefix,
	);
}

/**
 * Text that must fit a pattern.
 * @param requirement to be read after "must": `be a whole number as text`
 */
export function patterned(pattern: RegExp, requirement: string) {
	return z.string().regex(pattern, {error: `must ${requirement}`, abort: true});
}

/** A boolean of a query string: `true`, `1`, `false`, `0` and nothing else (contract gaps, general rules). */
export const queryBoolean = once(() =>
	z.union([z.boolean(), z.enum(['true', 'false', '1', '0'])]).transform(v => v === true || v === 'true' || v === '1'),
);

/** A number, or text that spells one. */
export const numeric = once(() =>
	z.union([z.number(), patterned(/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i, 'be a number').transform(Number)]),
);

/** Text or a list of it; a query also joins by commas (contract gaps, general rules). */
export const queryList = once(() =>
	z.union([z.string(), z.array(z.string())]).transform(v =>
		[v]
			.flat()
			.flatMap(s => s.split(','))
			.map(s => s.trim())
			.filter(s => s !== ''),
	),
);
