/*
 * The meaning of a node's refusal. No standard has one: numbers and texts differ from provider to provider, and one number has two
 * meanings at the same provider (-32005 is "slow down" and "too many results"). The text decides, then the number.
 */

/** The request of a refusal to the caller. */
export type Refusal =
	/** Fewer calls. It never means fewer blocks. */
	| {readonly kind: 'wait'; readonly waitMs?: number; readonly perSecond?: number}
	/** Fewer blocks in one eth_getLogs. It never means fewer calls. `blocks`: how many the text names, in range or between two blocks. */
	| {readonly kind: 'range'; readonly blocks?: number}
	/** Fewer logs: half of the blocks. */
	| {readonly kind: 'logs'}
	/** The answer takes too long, or is too long: half of the blocks. */
	| {readonly kind: 'halve'}
	/** Fewer calls in one request. */
	| {readonly kind: 'batch'}
	/** The node does not have blocks this old, or gives them to others only. */
	| {readonly kind: 'too-old'}
	/** The node does not have the block yet: it lags, or one of several behind its address does. */
	| {readonly kind: 'lagging'}
	/** Nothing behind the address can answer now; a question that is too big gives the same text. */
	| {readonly kind: 'next-node'}
	/** The node does not know the method, or does not offer it. */
	| {readonly kind: 'unknown-method'}
	/** The node answers this to nobody, or not to this key. */
	| {readonly kind: 'never'}
	| {readonly kind: 'other'};

export interface RefusalText {
	/** The JSON-RPC error's number; 0 for none. */
	readonly code: number;
	readonly message: string;
	readonly data?: unknown;
}

const REVERTED = 3;
/** A quota of a day or a month is used up: asking again soon is in vain. */
const QUOTA_WAIT_MS = 10 * 60_000;

type Rule = readonly [kind: Exclude<Refusal['kind'], 'range' | 'wait'>, words: RegExp, codes?: readonly number[]];

const METHOD: Rule = [
	'unknown-method',
	/method[^.]*(?:not (?:found|supported|available|allowed|enabled|whitelisted)|does not exist|disabled)|unsupported method/i,
	[-32601, -32004],
];
const BATCH: Rule = [
	'batch',
	/batch[^.]*(?:too (?:large|big|many|long)|limit|exceed|max|not (?:allowed|supported|enabled))|(?:too many|max\w*|exceed\w*|limit)[^.]*\bbatch/i,
	[-32014],
];
const LAGGING: Rule = [
	'lagging',
	/(?:header|block|resource) not found|unknown block|blocks? specified[^.]*(?:cannot be|not) found|beyond (?:the )?(?:current )?head|after (?:the )?(?:last|latest) (?:accepted )?block|greater than (?:the )?latest|block (?:number )?(?:is )?(?:in the future|not yet)|cannot query unfinalized|invalid block range params/i,
];
const TOO_OLD: Rule = [
	'too-old',
	/\barchiv|pruned|missing trie node|histor\w+ (?:state |data |blocks? )?(?:is |are )?(?:not available|unavailable)|too (?:old|far back|deep)|older than/i,
	[4444],
];
const NEXT_NODE: Rule = ['next-node', /no (?:backend|upstream|available (?:node|upstream)|healthy)/i, [-32011]];
const NEVER: Rule = ['never', /specify an address|unauthorized|authenticat|forbidden|api.?key|access denied/i];
const LOGS: Rule = [
	'logs',
	/\b(?:logs|results|events|entries)\b[^.]*(?:exceed|limit|more than|too many|max)|(?:exceed\w*|limit\w*|more than|too many|max\w*)[^.]*\b(?:logs|results|events|entries)\b/i,
];
const HALVE: Rule = [
	'halve',
	/time(?:d)?[ -]?out|deadline|too long|\bbytes\b|\b(?:response|body)\b[^.]*(?:size|large|big|long)|size exceeded|too (?:large|big)|content.?length/i,
	[30, -32015],
];

/** Texts about how often calls come. */
const RATE =
	/rate.?limit|\brate\b[^.]*exceed|exceed\w*[^.]*\brate\b|too many (?:concurrent )?(?:requests|connections|calls)|(?:requests?|calls?) ?(?:per|\/) ?(?:s\b|sec|min|hour|day|month)|per[ -]second|\d ?\/ ?(?:s|sec|seconds?|min|minutes?)\b|\b[rq]ps\b|compute units|request (?:limit|count)|credits?\b|(?:quota|capacity|throughput|usage)[^.]*(?:exceed|reached|exhausted|limit)|exceed\w*[^.]*(?:quota|capacity|throughput)|throttl|slow down/i;
const RATE_CODES: ReadonlySet<number> = new Set([429, -32029, -32429, -32097, -32007, -32012, -32016]);
const RANGE =
	/range|\bblocks?\b[^.]*(?:limit|max|exceed|too|wide|large|many|only|up to|at most)|(?:limit|max|exceed|only|up to|at most)[^.]*\bblocks?\b/i;
const RANGE_CODES: ReadonlySet<number> = new Set([-32614, -32701, -32062, -32047, 35]);

/** Longest text that is read, UTF-16 units; errors show less of it. */
const MAX_TEXT = 2000;

/** The error of a JSON-RPC answer; undefined when it has none. */
export function refusalIn(answer: unknown): RefusalText | undefined {
	const {error} = fieldsOf(answer);
	if (error === undefined || error === null) return undefined;
	const {code, message, data} = fieldsOf(typeof error === 'object' ? error : {message: String(error)});
	return {
		code: typeof code === 'number' ? code : 0,
		message: typeof message === 'string' ? message : 'no reason given',
		data,
	};
}

/**
 * Reads the meaning of a refusal.
 * @param method the call that was refused: a bare "limit exceeded" is about the size of eth_getLogs, and about the rate of any other call
 */
export function readRefusal({code, message: text, data}: RefusalText, method: string): Refusal {
	const message = text.slice(0, MAX_TEXT);
	// The text of a revert is that of a contract, which may say anything.
	if (code === REVERTED || /^(?:vm exception|execution reverted)/i.test(message)) return {kind: 'other'};
	const says = ([, words, codes]: Rule): boolean => words.test(message) || (codes?.includes(code) ?? false);
	const first = [METHOD, LAGGING, BATCH].find(says);
	if (first) return {kind: first[0]} as Refusal;
	const isOfLogs = method === 'eth_getLogs';
	const span = isOfLogs ? spanIn(message, data) : undefined;
	if (span !== undefined) return {kind: 'range', blocks: span};
	if (RATE.test(message)) return waitOf(message, data);
	const size = [TOO_OLD, NEXT_NODE].find(says) ?? (isOfLogs ? sizeRule(message, says) : undefined);
	if (size) return {kind: size[0]} as Refusal;
	const isNever = says(NEVER);
	if (isOfLogs && (RANGE.test(message) || (RANGE_CODES.has(code) && !isNever))) {
		const blocks = limitIn(message);
		return {kind: 'range', ...(blocks !== undefined && {blocks})};
	}
	if (isNever) return {kind: 'never'};
	if (RATE_CODES.has(code) || (code === -32005 && !isOfLogs)) return waitOf(message, data);
	return {kind: says(HALVE) ? 'halve' : 'other'};
}

/** The rule of a text about size that names no range: a number of blocks in the text comes first. */
function sizeRule(message: string, says: (rule: Rule) => boolean): Rule | undefined {
	return limitIn(message) === undefined || !/block|range/i.test(message) ? [LOGS, HALVE].find(says) : undefined;
}

function waitOf(message: string, data: unknown): Refusal {
	const waitMs = waitIn(message, data) ?? (/\b(?:dai|month)ly\b|credits?\b/i.test(message) ? QUOTA_WAIT_MS : undefined);
	const perSecond = rateIn(message);
	return {kind: 'wait', ...(waitMs !== undefined && {waitMs}), ...(perSecond !== undefined && {perSecond})};
}

/** Milliseconds that the text or data of a refusal asks to wait; undefined when neither names any. */
function waitIn(message: string, data: unknown): number | undefined {
	const fields = {...fieldsOf(data), ...fieldsOf(fieldsOf(data)['rate'])};
	for (const name of ['backoff_seconds', 'retry_after', 'retryAfter', 'try_again_in']) {
		const seconds = Number.parseFloat(String(fields[name]));
		if (seconds > 0) return Math.ceil(seconds * 1000);
	}
	const named = /(?:again|retry|wait)\D{0,12}(\d+(?:\.\d+)?) ?(ms|m(?:in)?|s(?:ec)?)/i.exec(message);
	if (!named) return undefined;
	const unit = named[2]!.toLowerCase();
	return Math.ceil(Number(named[1]) * (unit === 'ms' ? 1 : unit.startsWith('m') ? 60_000 : 1000));
}

/** `50/second request limit reached`. */
function rateIn(message: string): number | undefined {
	const named = /(\d[\d,]*) ?(?:(?:requests?|calls?) ?)?(?:\/ ?|per )(?:s\b|sec)/i.exec(message);
	const perSecond = named ? numberOf(named[1]!) : 0;
	return perSecond > 0 ? perSecond : undefined;
}

/** Number of blocks in a range that the node proposes: `[0x64, 0xc7]`, `the range 100-199`, or `data: {from, to}`. */
function spanIn(message: string, data: unknown): number | undefined {
	const {from, to} = fieldsOf(data);
	const [, first, last] =
		/\[\s*(0x[\da-f]+|\d+)\s*(?:,|-|–|to)\s*(0x[\da-f]+|\d+)\s*\]/i.exec(message) ??
		/range\s*:?\s*\(?(0x[\da-f]+|\d+)\s*(?:-|–|to|\.\.)\s*(0x[\da-f]+|\d+)(?!\s*blocks)/i.exec(message) ??
		[];
	return spanOf(from, to) ?? spanOf(first, last);
}

function spanOf(from: unknown, to: unknown): number | undefined {
	if (typeof from !== 'string' || typeof to !== 'string') return undefined;
	const blocks = Number(to) - Number(from) + 1;
	return Number.isSafeInteger(blocks) && blocks > 0 ? blocks : undefined;
}

/** Words before the number of blocks that a node takes; "range" alone stands before the number that was asked for. */
const LIMIT_BEFORE =
	/(?:limit|max|up to|at most|only|over|set to|allow|(?:less|fewer|greater|more|larger) than|within|exceed|0 ?-)[^\d.;]{0,40}$/i;
const NO_BLOCKS_BEFORE = /(?:results|logs|size|bytes)[^\d]{0,12}$/i;
const NO_BLOCKS_BEHIND = /^\s*(?:logs|results|events|entries|bytes|m?s\b|seconds?|%|[kmg]?b\b)/i;
const MAX_BEHIND = /^\s*(?:blocks?\s*)?max/i;

/** The maximum number of blocks that a text names: the last number after a word such as "max". */
function limitIn(message: string): number | undefined {
	let found: number | undefined;
	for (const match of message.matchAll(/(?<![\da-zx.])(\d[\d,_]*)( ?k\b)?/gi)) {
		const before = message.slice(0, match.index);
		const behind = message.slice(match.index + match[0].length);
		const isLimit = LIMIT_BEFORE.test(before) || MAX_BEHIND.test(behind);
		if (!isLimit || NO_BLOCKS_BEFORE.test(before) || NO_BLOCKS_BEHIND.test(behind)) continue;
		const blocks = numberOf(match[1]!) * (match[2] ? 1000 : 1);
		if (Number.isSafeInteger(blocks) && blocks > 0) found = blocks;
	}
	return found;
}

function numberOf(digits: string): number {
	return Number(digits.replace(/[,_]/g, ''));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
