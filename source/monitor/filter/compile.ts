import type {FieldName} from '../../contract/fields.ts';
import {
	acceptedCounts,
	type Comparison,
	type FilterClause,
	type FilterNode,
	type Plain,
	SOCIAL_FIELDS,
} from './clause.ts';
import type {FieldWord} from './field-words.ts';

/** A filter object as the API takes it (contract gaps 3.4): members are AND-ed. */
export type FilterJson = Readonly<Record<string, unknown>>;

/** The parts of a line that a view takes beside `filters` (spec 4.1, contract gaps 3.1). */
export interface ViewOptions {
	readonly chainId?: readonly string[];
	readonly poolTypes?: readonly string[];
	/** At least this many of twitter, website and telegram. */
	readonly min_socials?: 1 | 2 | 3;
}

/** Fields whose name in the spec's filters differs from the one in contract/fields.ts (spec 4.1.1, contract gaps 3.4). */
const WIRE_NAMES: Readonly<Partial<Record<FieldName, string>>> = {
	bonded_at: 'migrated_at',
	screener_listed: 'screenerListed',
	screener_header: 'screenerHeader',
	live_status: 'liveStatus',
	live_thumbnail: 'liveThumbnail',
	livestream_title: 'livestreamTitle',
	live_reply_count: 'liveReplyCount',
	pre_bonding_factory: 'preBondingFactory',
	pool_address: 'poolAddress',
	bonding_curve_address: 'bondingCurveAddress',
};

/** Splits a line into view options, which a service applies first, and filters. */
export function compileLine(root: FilterNode): {filters: FilterJson; viewOptions: ViewOptions} {
	const parts = conjunctsOf(root);
	const viewOptions: {-readonly [option in keyof ViewOptions]: ViewOptions[option]} = {};
	const rest = parts.filter(part => {
		if (part.kind !== 'clause') return true;
		const {clause} = part;
		const texts = plainTexts(clause);
		const counts = clause.word.kind === 'socials' ? acceptedCounts(clause) : [];
		const least = counts[0] as 0 | 1 | 2 | 3 | undefined;
		if (clause.word.word === 'chain' && texts && !viewOptions.chainId) viewOptions.chainId = texts;
		else if (clause.word.word === 'type' && texts && !viewOptions.poolTypes) viewOptions.poolTypes = texts;
		else if (least !== undefined && least > 0 && counts.at(-1) === 3 && counts.length === 4 - least) {
			viewOptions.min_socials = Math.max(viewOptions.min_socials ?? 1, least) as 1 | 2 | 3;
		} else return true;
		return false;
	});
	return {filters: allOf(rest.map(compileNode)), viewOptions};
}

/** The parts of a line that must all hold. */
export function conjunctsOf(root: FilterNode): readonly FilterNode[] {
	return root.kind === 'all' ? root.of.flatMap(conjunctsOf) : [root];
}

/** Filters and view options as one filter object, to match entries locally. */
export function withViewOptions(filters: FilterJson, {chainId, poolTypes, min_socials}: ViewOptions): FilterJson {
	return allOf([
		...(chainId ? [{chain_id: {in: chainId}}] : []),
		...(poolTypes ? [{type: {in: poolTypes}}] : []),
		...(min_socials ? [socialsFilter([0, 1, 2, 3].filter(count => count >= min_socials))] : []),
		filters,
	]);
}

/** The filter object of one part of a line. */
export function compileNode(node: FilterNode): FilterJson {
	if (node.kind === 'clause') return compileClause(node.clause);
	const parts = node.of.map(compileNode);
	return node.kind === 'all' ? allOf(parts) : {OR: parts};
}

/** The exact texts of a clause such as `chain:solana,base`; undefined for any other clause. */
function plainTexts({comparisons, negated, passesUnknown}: FilterClause): readonly string[] | undefined {
	const [only] = comparisons;
	if (comparisons.length !== 1 || negated || passesUnknown || only!.insensitive) return undefined;
	if (only!.op === 'equals' && typeof only!.value === 'string') return [only!.value];
	return only!.op === 'in' ? (only!.value as readonly string[]) : undefined;
}

function compileClause(clause: FilterClause): FilterJson {
	const {word, negated} = clause;
	switch (word.target.kind) {
		case 'keywords': {
			const words = clause.comparisons.flatMap(c => c.value as string | readonly string[]);
			return negated ? {excludeKeywords: words} : {includeKeywords: words};
		}
		case 'has': {
			const parts = clause.known.map(known => member(known, {[negated ? 'equals' : 'not']: null}));
			return negated ? allOf(parts) : anyOf(parts);
		}
		case 'socials':
			return socialsFilter(acceptedCounts(clause));
		case 'live':
			return compileLive(clause);
		default:
			return compileComparisons(clause);
	}
}

/** A token that never had a livestream is not live: unlike other negations this one lets unknown values pass. */
function compileLive({comparisons, negated}: FilterClause): FilterJson {
	const values = comparisons.flatMap(c => c.value as boolean | readonly boolean[]);
	const truths = [true, false].filter(truth => values.includes(truth) !== negated);
	if (truths.length === 2) return {};
	const live = {liveStatus: 'live'};
	if (truths.length === 0) return {AND: [live, {NOT: live}]};
	return truths[0] ? live : {NOT: live};
}

function compileComparisons({word, comparisons, negated, passesUnknown}: FilterClause): FilterJson {
	const [only] = comparisons;
	if (only!.value === null) return member(word, {[negated ? 'not' : 'equals']: null});
	const condition: Record<string, unknown> = Object.assign({}, ...comparisons.map(conditionOf));
	const positive = member(word, shorten(condition));
	// NOT of a group lets unknown values pass, as `?` means; the opposite operator does not.
	if (negated && passesUnknown) return {NOT: positive};
	if (passesUnknown) return {OR: [positive, member(word, {equals: null})]};
	if (!negated) return positive;
	if (isTextual(only!)) return {NOT: positive, ...member(word, {not: null})};
	if (only!.op === 'equals' && typeof only!.value === 'boolean') return member(word, !only!.value);
	return anyOf(comparisons.map(c => member(word, conditionOf({...c, op: OPPOSITE[c.op]!}))));
}

const OPPOSITE: Readonly<Record<string, string>> = {
	equals: 'not',
	in: 'notIn',
	gt: 'lte',
	gte: 'lt',
	lt: 'gte',
	lte: 'gt',
};

function isTextual({op}: Comparison): boolean {
	return op === 'contains' || op === 'startsWith' || op === 'endsWith';
}

function conditionOf({op, value, insensitive}: Omit<Comparison, 'op'> & {op: string}): Record<string, unknown> {
	return {[op]: value, ...(insensitive ? {mode: 'insensitive'} : {})};
}

/** Text and booleans are plain values in the spec, numbers and dates operator objects. */
function shorten(condition: Record<string, unknown>): Plain | Record<string, unknown> {
	const {equals} = condition;
	const isPlain = typeof equals === 'string' || typeof equals === 'boolean';
	return isPlain && Object.keys(condition).length === 1 ? equals : condition;
}

function member({target}: FieldWord, condition: unknown): FilterJson {
	if (target.kind === 'security') return {security: {[target.flag]: condition}};
	if (target.kind === 'field') return {[WIRE_NAMES[target.field] ?? target.field]: condition};
	return {created_at_offset: condition};
}

/** One of these numbers of links must be known. */
function socialsFilter(counts: readonly number[]): FilterJson {
	if (counts.length === 4) return {};
	const least = counts[0]!;
	const isAtLeast = counts.length === 4 - least && counts.at(-1) === 3;
	const sets = SUBSETS.filter(set => (isAtLeast ? set.length === least : counts.includes(set.length)));
	return anyOf(
		sets.map(set =>
			Object.fromEntries(
				SOCIAL_FIELDS.filter(field => !isAtLeast || set.includes(field)).map(field => [
					field,
					set.includes(field) ? {not: null} : {equals: null},
				]),
			),
		),
	);
}

const SUBSETS: readonly (readonly string[])[] = Array.from({length: 8}, (_, bits) =>
	SOCIAL_FIELDS.filter((_field, i) => bits & (1 << i)),
);

function anyOf(parts: readonly FilterJson[]): FilterJson {
	return parts.length === 1 ? parts[0]! : {OR: parts};
}

/** One object of all parts; parts with conflicting members go into its AND. */
function allOf(parts: readonly FilterJson[]): FilterJson {
	const whole: Record<string, unknown> = {};
	const rest: FilterJson[] = [];
	for (const part of parts) {
		if (Object.entries(part).every(([key, value]) => key !== 'AND' && canShare(whole, key, value))) {
			for (const [key, value] of Object.entries(part)) whole[key] = share(whole[key], value);
		} else if (Object.keys(part).length === 1 && Array.isArray(part['AND'])) rest.push(...part['AND']);
		else rest.push(part);
	}
	return rest.length === 0 ? whole : {...whole, AND: rest};
}

function canShare(whole: Record<string, unknown>, key: string, value: unknown): boolean {
	const present = whole[key];
	if (present === undefined || key === 'excludeKeywords') return true;
	// Two denied groups are not the denial of both together; OR and includeKeywords are lists.
	if (key === 'NOT' || !isObject(present) || !isObject(value)) return false;
	// A mode applies to all operators of its object.
	return Object.keys(value).every(op => !(op in present)) && !('mode' in present) && !('mode' in value);
}

function share(present: unknown, value: unknown): unknown {
	if (Array.isArray(present) && Array.isArray(value)) return [...present, ...value];
	return isObject(present) && isObject(value) ? {...present, ...value} : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
