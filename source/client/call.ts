import type {EndpointId, InputOf, OutputOf} from '../contract/endpoints.ts';
import {withNeutralNames} from '../contract/provider.ts';
import type {Next} from '../errors.ts';
import {clean} from '../text.ts';
import type {Http} from './http.ts';
import {ServiceRefused, ServiceTimeout, ServiceUnreachable, WrongAnswer} from './service-errors.ts';
import {isObject} from './wire-value.ts';

export interface CallOptions {
	readonly signal?: AbortSignal | undefined;
	/** Instead of the endpoint's own limit. */
	readonly timeoutMs?: number;
}

/** Asks one endpoint of the table: the input as the endpoint declares it, the answer as its schema gives it. */
export type Call = <Id extends EndpointId>(id: Id, input: InputOf<Id>, options?: CallOptions) => Promise<OutputOf<Id>>;

/**
 * Answers of these are signed, compared or sent on, so they stay as they came, byte for byte. What of them is shown must
 * be cleaned where it is shown. Everything else is clean.
 */
const EXACT: ReadonlySet<EndpointId> = new Set([
	'bridgeQuote',
	'bridgeExecute',
	'perpCancelOrder',
	'perpCreateOrder',
	'perpClosePosition',
	'perpEditOrder',
	'perpUpdateMargin',
	'perpWithdraw',
	'perpDeposit',
	'perpCreateAccount',
	'perpExecute',
	'depositBuild',
	'withdrawBuild',
	'deployBuild',
	'deploySubmit',
	'webhookCreate',
]);

/** What is missing from these lists is taken to be cancelled or filled, so no row of them is ever left out. */
const COMPLETE: ReadonlySet<EndpointId> = new Set(['perpUnfilled', 'perpOpen']);

const MAX_DEPTH = 12;
/** No list of the contract is longer than 1,000. One of millions would hold up the program for seconds. */
const MAX_ITEMS = 10_000;

/**
 * Makes the typed call over the table of endpoints. Table and schemas are loaded with the first call: the feed does not
 * need them, and the first rows should not wait for them.
 * @param aliases names that the service gives to fields of its answers, by neutral name
 * @returns a call that throws ServiceUnreachable, ServiceTimeout, RateLimited, ServiceRefused or WrongAnswer; after an
 *   endpoint that must not be asked twice, `next` says whether the status has to be read first
 */
export function createCall(http: Http, aliases: Readonly<Record<string, string>> = {}): Call {
	return async (id, input, {signal, timeoutMs} = {}) => {
		const {endpointOf, pathOfEndpoint} = await import('../contract/endpoints.ts');
		const row = endpointOf(id);
		const {params, query, body} = input as {params?: Record<string, string>; query?: object; body?: unknown};
		const limitMs = timeoutMs ?? row.timeoutMs;
		const unclear: Next | undefined =
			row.retry === 'read' ? undefined : row.path.includes('/payloads/') ? 'retry-same' : 'poll-status';
		try {
			const answer = await http.json({
				method: row.method,
				path: pathOfEndpoint(id, params) + queryText(query),
				...(row.method === 'GET' || body === undefined ? {} : {body}),
				retry: row.retry,
				...(limitMs === undefined ? {} : {timeoutMs: limitMs}),
				signal,
			});
			const read = await readAnswer(row.response(), withNeutralNames(answer.body, aliases), id);
			return (EXACT.has(id) ? read : cleanDeep(read, 0)) as OutputOf<typeof id>;
		} catch (error) {
			throw advised(
				isTooDeep(error) ? new WrongAnswer('it is nested too deeply', {cause: error}) : error,
				unclear,
				row.next,
			);
		}
	};
}

/** An answer of a hundred thousand levels: what goes through it level by level runs out of stack. */
function isTooDeep(error: unknown): boolean {
	return error instanceof RangeError && error.message.includes('call stack');
}

type Schema = Parameters<typeof import('../contract/schema.ts').parseAnswer>[0];

/**
 * The answer by its schema, with or without the wrappers that services put around it (contract gaps 3.3, spec 2.5), and
 * in other spellings where it has to be.
 */
async function readAnswer(schema: Schema, body: unknown, id: EndpointId): Promise<unknown> {
	const forms = [
		body,
		isObject(body) ? body['payload'] : undefined,
		isObject(body) ? body['data'] : undefined,
		{data: body},
		...(id === 'pulseDefault' ? pulseForms(body) : []),
	];
	if (forms.some(holdsTooMuch)) throw new WrongAnswer('it holds more than anybody asked for');
	const misread: {readonly form: unknown; readonly issues: number}[] = [];
	for (const form of forms) {
		if (form === undefined) continue;
		const read = schema.safeParse(form);
		if (read.success) return read.data;
		misread.push({form, issues: read.error.issues.length});
	}
	const {MAX_ISSUES, readLeniently} = await import('./lenient-read.ts');
	// Nothing of what is signed or sent on may be missing.
	const mayLackParts = !EXACT.has(id) && !COMPLETE.has(id);
	for (const {form, issues} of misread) {
		if (issues > MAX_ISSUES) continue;
		const read = readLeniently(schema, form, {mayLackParts});
		if (read !== undefined) return read;
	}
	const [{parseAnswer}, {UnexpectedAnswer}] = await Promise.all([
		import('../contract/schema.ts'),
		import('../contract/wire-error.ts'),
	]);
	try {
		return parseAnswer(schema, body, id);
	} catch (error) {
		if (error instanceof UnexpectedAnswer) throw new WrongAnswer(error.why, {cause: error});
		throw error;
	}
}

/** GET pulse without the envelope of spec 4.2, or with one that says no type. */
function pulseForms(body: unknown): readonly unknown[] {
	return [isObject(body) ? body['payload'] : undefined, body].map(payload => payload && {type: 'sync', payload});
}

function holdsTooMuch(form: unknown): boolean {
	const list = isObject(form) ? (form['data'] ?? form['payload']) : form;
	return Array.isArray(list) && list.length > MAX_ITEMS;
}

/** The same failure, with what to do next as the endpoint says it. */
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
	if (error instanceof WrongAnswer) return new WrongAnswer(error.why, {next: unclear, cause: error});
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
