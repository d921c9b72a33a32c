import * as z from 'zod';
import {foldAddress} from '../address.ts';
import {allOf, EVERYTHING} from './filter.ts';
import {parseFilters} from './filter-parse.ts';
import {DEFAULT_MODEL, modelFilter, modelSort, socialsFilter} from './pulse-models.ts';
import {
	DEFAULT_LIMIT,
	DEFAULT_MODEL_LIMIT,
	PULSE_LIMITS,
	type PulseQuery,
	VIEW_MODELS,
	type ViewQuery,
} from './pulse-query.ts';
import {numeric, once, parseRequest, queryBoolean, queryList} from './schema.ts';
import {DEFAULT_SORT, parseSort} from './sort.ts';
import {InvalidRequest} from './wire-error.ts';

const oneOrMany = once(() => z.union([z.string(), z.array(z.string())]));
const addresses = once(() => z.union([z.string(), z.array(z.string()).max(PULSE_LIMITS.addresses)]));
const limit = once(() => numeric().pipe(z.int().min(1).max(PULSE_LIMITS.limit)));
const offset = once(() => numeric().pipe(z.int().min(0)));

/** One view of a request. `filters`, `sortBy` and `sortOrder` are read by filter-parse.ts and sort.ts. */
export const viewSchema = once(() =>
	z.looseObject({
		name: z.string().min(1).max(PULSE_LIMITS.nameLength),
		model: z.enum(VIEW_MODELS).optional(),
		chainId: oneOrMany().optional(),
		poolTypes: oneOrMany().optional(),
		sortBy: z.string().optional(),
		sortOrder: z.enum(['asc', 'desc']).optional(),
		limit: limit().optional(),
		offset: offset().optional(),
		addressToExclude: addresses().optional(),
		baseTokenToExclude: addresses().optional(),
		assets: addresses().optional(),
		token: z.union([z.string(), z.looseObject({address: z.string()})]).optional(),
		includeTokens: addresses().optional(),
		pagination: z.boolean().optional(),
		excludeLPTokens: z.boolean().optional(),
		min_socials: numeric().pipe(z.int().min(1).max(3)).optional(),
		assetListed: z.boolean().optional(),
		filters: z.union([z.record(z.string(), z.unknown()), z.string(), z.null()]).optional(),
	}),
);

/** Body of POST /api/2/pulse and /api/2/pulse/pagination (spec 4.1, contract gaps 3.1). Unknown fields pass. */
export const pulseBodySchema = once(() =>
	z.looseObject({
		model: z.literal('default').optional(),
		compressed: z.boolean().optional(),
		assetMode: z.boolean().optional(),
		chainId: oneOrMany().optional(),
		poolTypes: oneOrMany().optional(),
		excludeDuplicates: z.boolean().optional(),
		pagination: z.boolean().optional(),
		filterQuotes: z.boolean().optional(),
		excludeLPTokens: z.boolean().optional(),
		views: z.array(viewSchema()).max(PULSE_LIMITS.views).optional(),
	}),
);

/** Query of GET /api/2/pulse (spec 4.2). */
export const pulseQuerySchema = once(() =>
	z.looseObject({
		model: z.literal('default').optional(),
		assetMode: queryBoolean().optional(),
		excludeLPTokens: queryBoolean().optional(),
		filterQuotes: queryBoolean().optional(),
		chainId: queryList().optional(),
		poolTypes: queryList().optional(),
		limit: limit().optional(),
		offset: offset().optional(),
		compressed: queryBoolean().optional(),
		excludeDuplicates: queryBoolean().optional(),
		pagination: queryBoolean().optional(),
	}),
);

/** The request of a client. */
export type PulseBody = z.input<ReturnType<typeof pulseBodySchema>>;
export type ViewBody = z.input<ReturnType<typeof viewSchema>>;

type ParsedBody = z.output<ReturnType<typeof pulseBodySchema>>;
type ParsedView = z.output<ReturnType<typeof viewSchema>>;

export interface PulseOptions {
	/** See FilterOptions. */
	readonly factoryNames?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads the body of a POST to the pulse endpoints, and the payload of a subscription.
 * Neither `model` nor `views` means the default model; with both, a view replaces the model's view of the same name.
 * @throws InvalidRequest naming the field
 */
export function parsePulseBody(body: unknown, options: PulseOptions = {}): PulseQuery {
	return queryOf(parseRequest(pulseBodySchema(), body === undefined ? {} : body), {}, options);
}

/**
 * Reads the query of GET /api/2/pulse: always the default model, `limit` and `offset` apply to each of its views
 * (30 rows by default, spec 4.2).
 * @param query decoded query values: text, or a list where a key repeats
 * @throws InvalidRequest naming the parameter
 */
export function parsePulseQuery(query: unknown, options: PulseOptions = {}): PulseQuery {
	const {limit: rows = DEFAULT_LIMIT, offset: skipped = 0, ...body} = parseRequest(pulseQuerySchema(), query);
	return queryOf({...body, views: undefined}, {limit: rows, offset: skipped}, options);
}

function queryOf(body: ParsedBody, page: {limit?: number; offset?: number}, options: PulseOptions): PulseQuery {
	const own = (body.views ?? []).map((view, i) => viewOf(view, body, `views[${i}]`, options));
	const names = own.map(view => view.name);
	const repeated = names.findIndex((name, i) => names.indexOf(name) < i);
	if (repeated !== -1)
		throw new InvalidRequest(`views[${repeated}].name`, 'must be unique', 'the response is keyed by it');
	const expanded = body.model === 'default' || own.length === 0 ? DEFAULT_MODEL : [];
	const modelled = expanded
		.filter(name => !names.includes(name))
		.map(name => viewOf({name, model: name, limit: page.limit ?? DEFAULT_MODEL_LIMIT, ...page}, body, name, options));
	return {assetMode: body.assetMode ?? false, compressed: body.compressed ?? false, views: [...modelled, ...own]};
}

function viewOf(view: ParsedView, body: ParsedBody, path: string, {factoryNames}: PulseOptions): ViewQuery {
	// The response is an object keyed by name, in which this one would not become a member.
	if (view.name === '__proto__')
		throw new InvalidRequest(`${path}.name`, 'must be another name', 'this one is reserved');
	const assetMode = body.assetMode ?? false;
	const mode = assetMode ? 'asset' : 'pool';
	const {model} = view;
	const filter = allOf([
		model ? modelFilter(model, mode) : EVERYTHING,
		view.min_socials ? socialsFilter(view.min_socials) : EVERYTHING,
		parseFilters(view.filters, {mode, path: `${path}.filters`, ...(factoryNames ? {factoryNames} : {})}),
	]);
	const token = typeof view.token === 'object' ? view.token.address : view.token;
	return {
		name: view.name,
		...(model ? {model} : {}),
		chainIds: list(view.chainId ?? body.chainId),
		poolTypes: list(view.poolTypes ?? body.poolTypes).map(type => type.toLowerCase()),
		filter,
		sort: parseSort(view.sortBy, view.sortOrder, {path, fallback: model ? modelSort(model) : DEFAULT_SORT}),
		limit: view.limit ?? DEFAULT_LIMIT,
		offset: view.offset ?? 0,
		excludeDuplicates: assetMode || (body.excludeDuplicates ?? true),
		onlyPools: !assetMode,
		filterQuotes: assetMode && (body.filterQuotes ?? false),
		excludeLPTokens: assetMode && (view.excludeLPTokens ?? body.excludeLPTokens ?? true),
		pagination: view.pagination ?? body.pagination ?? false,
		addressToExclude: folded(view.addressToExclude),
		baseTokenToExclude: folded(view.baseTokenToExclude),
		onlyTokens: folded([list(view.assets), list(token)].flat()),
		includeTokens: assetMode ? folded(view.includeTokens) : [],
		...(view.assetListed === undefined ? {} : {assetListed: view.assetListed}),
	};
}

function list(value: string | readonly string[] | undefined): readonly string[] {
	return value === undefined ? [] : typeof value === 'string' ? [value] : [...new Set(value)];
}

function folded(value: string | readonly string[] | undefined): readonly string[] {
	return [...new Set(list(value).map(foldAddress))];
}
