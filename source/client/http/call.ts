import type {Endpoint, EndpointId, InputOf, OutputOf} from '../../contract/endpoints.ts';
import {withNeutralNames} from '../../contract/provider.ts';
import type {Next} from '../../errors.ts';
import {clean} from '../../text.ts';
import {isObject} from '../wire/wire-value.ts';
import type {Http} from './http.ts';
import {InvalidResponse, ServiceRefused, ServiceTimeout, ServiceUnreachable} from './service-errors.ts';

export interface CallOptions {
	readonly signal?: AbortSignal | undefined;
	/** Default: the endpoint's own limit. */
	readonly timeoutMs?: number;
}

/** Calls one endpoint of the table: the input as the endpoint declares it, the response as its schema parses it. */
export type Call = <Id extends EndpointId>(id: Id, input: InputOf<Id>, options?: CallOptions) => Promise<OutputOf<Id>>;

const MAX_DEPTH = 12;
/** No list of the contract is longer than 1,000. A list of millions would block the program for seconds. */
const MAX_ITEMS = 10_000;

/**
 * Makes the typed call over the table of endpoints. Table and schemas are loaded with the first call, so that the first
 * rows, which do not need them, do not wait for them.
 * @param aliases field names of the service's responses, by neutral name
 * @returns a call that throws ServiceUnreachable, ServiceTimeout, RateLimited, ServiceRefused or InvalidResponse; for an
 *   endpoint that must not be called twice, `next` says whether the status must be read first
 */
export function createCall(http: Http, aliases: Readonly<Record<string, string>> = {}): Call {
	return async (id, input, {signal, timeoutMs} = {}) => {
		const {endpointOf, pathOfEndpoint} = await import('../../contract/endpoints.ts');
		const row = endpointOf(id);
		const {params, query, body} = input as {params?: Record<string, string>; query?: object; body?: unknown};
		const limitMs = timeoutMs ?? row.timeoutMs;
		const unclear: Next | undefined =
			row.retry === 'read' ? undefined : row.path.includes('/payloads/') ? 'retry-same' : 'poll-status';
		try {
			const response = await http.json({
				method: row.method,
				path: pathOfEndpoint(id, params) + queryText(query),
				...(row.method === 'GET' || body === undefined ? {} : {body}),
				retry: row.retry,
				...(limitMs === undefined ? {} : {timeoutMs: limitMs}),
				signal,
			});
			const read = await readResponse(row, withNeutralNames(response.body, aliases), id);
			const isExact = row.reading === 'exact' || row.reading === 'proposal';
			// Texts of an exact response are cleaned where they are shown.
			return (isExact ? read : cleanDeep(read, 0)) as OutputOf<typeof id>;
		} catch (error) {
			throw advised(
				isTooDeep(error) ? new InvalidResponse('it is nested too deeply', {cause: error}) : error,
				unclear,
				row.next,
			);
		}
	};
}

/** Whether recursion over a response of, say, 100,000 levels ran out of stack. */
function isTooDeep(error: unknown): boolean {
	return error instanceof RangeError && error.message.includes('call stack');
}

type Schema = Parameters<typeof import('../../contract/schema.ts').parseResponse>[0];

/**
 * Parses a response with the schema of its endpoint, with or without the envelopes that services use (contract gaps 3.3,
 * spec 2.5), and leniently (see lenient-read.ts) where the strict schema fails.
 */
async function readResponse({response, reading}: Endpoint, body: unknown, id: EndpointId): Promise<unknown> {
	const schema = response();
	if (reading === 'proposal') return readProposal(schema, body, id);
	const forms = [
		body,
		isObject(body) ? body['payload'] : undefined,
		isObject(body) ? body['data'] : undefined,
		{data: body},
		...(id === 'pulseDefault' ? pulseForms(body) : []),
	];
	if (forms.some(holdsTooMuch)) throw new InvalidResponse('it is larger than any request allows');
	const misread: {readonly form: unknown; readonly issues: number}[] = [];
	for (const form of forms) {
		if (form === undefined) continue;
		const read = schema.safeParse(form);
		if (read.success) return read.data;
		misread.push({form, issues: read.error.issues.length});
	}
	const {MAX_ISSUES, readLeniently} = await import('../wire/lenient-read.ts');
	const mayLackParts = reading === undefined;
	for (const {form, issues} of misread) {
		if (issues > MAX_ISSUES) continue;
		const read = readLeniently(schema, form, {mayLackParts});
		if (read !== undefined) return read;
	}
	return readStrictly(schema, body, id);
}

/** @throws InvalidResponse naming the first wrong field */
async function readStrictly(schema: Schema, body: unknown, id: EndpointId): Promise<unknown> {
	const [{parseResponse}, {UnexpectedResponse}] = await Promise.all([
		import('../../contract/schema.ts'),
		import('../../contract/wire-error.ts'),
	]);
	try {
		return parseResponse(schema, body, id);
	} catch (error) {
		if (error instanceof UnexpectedResponse) throw new InvalidResponse(error.why, {cause: error});
		throw error;
	}
}

/**
 * A proposal with or without its wrapper, and as it stands: nothing is mended, left out or passed over.
 * @throws InvalidResponse naming the first member that is not known
 */
async function readProposal(schema: Schema, body: unknown, id: EndpointId): Promise<unknown> {
	// The spec lets `data` be null (4.12): then there is nothing to sign.
	if (body === null || (isObject(body) && body['data'] === null)) throw new InvalidResponse('it proposes nothing');
	// A schema would pass over it.
	const hidden = ownProtoIn(body, '');
	if (hidden !== undefined) throw new InvalidResponse(`${hidden} is not a known field`);
	const isBare = isObject(body) && !Object.hasOwn(body, 'data');
	return readStrictly(schema, isBare ? {data: body} : body, id);
}

/** Where a `__proto__` of its own stands in an answer, as a path; undefined for nowhere. */
function ownProtoIn(value: unknown, path: string): string | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	for (const [name, member] of Object.entries(value)) {
		const at = path === '' ? name : `${path}.${name}`;
		const found = name === '__proto__' ? at : ownProtoIn(member, at);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** GET pulse without the envelope of spec 4.2, or with an envelope without `type`. */
function pulseForms(body: unknown): readonly unknown[] {
	return [isObject(body) ? body['payload'] : undefined, body].map(payload => payload && {type: 'sync', payload});
}

function holdsTooMuch(form: unknown): boolean {
	const list = isObject(form) ? (form['data'] ?? form['payload']) : form;
	return Array.isArray(list) && list.length > MAX_ITEMS;
}

/** The same error, with `next` as the endpoint declares it. */
function advised(
	error: unknown,
	unclear: Next | undefined,
	byStatus: Readonly<Partial<Record<number, Next>>> = {},
): unknown {
	if (error instanceof ServiceRefused) {
		const next = byStatus[error.status];
		return next === undefined ? error : new ServiceRefused(error.status, error.said, {next});
	}
	if (unclear === undefined) return error;
	if (error instanceof ServiceTimeout) return new ServiceTimeout(error.why, {next: unclear, cause: error});
	if (error instanceof InvalidResponse) return new InvalidResponse(error.why, {next: unclear, cause: error});
	if (!(error instanceof ServiceUnreachable) || error.sent === 'no') return error;
	return new ServiceUnreachable(error.why, {sent: error.sent, next: unclear, cause: error});
}

function queryText(query: object | undefined): string {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query ?? {})) {
		// Lists repeat the key (contract gaps, general rules).
		for (const item of [value].flat()) if (item !== undefined && item !== null) search.append(name, String(item));
	}
	const text = search.toString();
	return text === '' ? '' : `?${text}`;
}

function cleanDeep(value: unknown, depth: number): unknown {
	if (typeof value === 'string') return clean(value);
	if (typeof value !== 'object' || value === null) return value;
	if (depth > MAX_DEPTH) return undefined;
	if (Array.isArray(value)) return value.map(item => cleanDeep(item, depth + 1));
	return Object.fromEntries(Object.entries(value).map(([name, member]) => [clean(name), cleanDeep(member, depth + 1)]));
}
