import {type ChainName, KNOWN_CHAINS} from './chain-words.ts';
import {SOCIAL_FIELDS, type Span} from './clause.ts';
import {FAMILY_WORDS, FIELD_WORDS, type FieldWord, fieldWordOf, findWord, windowWord} from './field-words.ts';
import {exampleOf} from './parser.ts';

/** A completion: `text` replaces `start` to `end`. */
export interface Completion extends Span {
	readonly text: string;
	/** Its meaning in short. */
	readonly help: string;
	readonly kind: 'field' | 'operator' | 'value';
}

export interface CompletionOptions {
	/** From system metadata; common names are built in. */
	readonly chains?: readonly ChainName[];
	readonly poolTypes?: readonly string[];
	/** Maximum number of completions. Default 12. */
	readonly limit?: number;
}

/** The text left of the cursor: negation, field, unknown mark, operator, finished values, the value being typed. */
const CLAUSE =
	/(?:^|[\s(|])([-!]*)([a-z_][\w.]*)?(\??)(?:([<>=!~^$:≥≤≠]+)((?:[^\s()|,"]+,|"(?:[^"\\]|\\.)*",)*)("?[^\s()|,"]*))?$/i;

/** The completions at the cursor, the likeliest first; empty inside quoted text. @param cursor index in UTF-16 units */
export function completeFilterLine(
	text: string,
	cursor: number,
	{chains = [], poolTypes = [], limit = 12}: CompletionOptions = {},
): readonly Completion[] {
	const at = Math.max(0, Math.min(cursor, text.length));
	const match = CLAUSE.exec(text.slice(0, at));
	if (!match) return [];
	const [, , name = '', , operator, , typed = ''] = match;
	const end = at + /^[^\s()|,":<>=!~^$?]*/.exec(text.slice(at))![0].length;
	const found =
		operator === undefined
			? completeField(name, at - name.length, end)
			: completeValue(findWord(name).word, typed, at - typed.length, end, chains, poolTypes);
	return found.slice(0, limit);
}

function completeField(typed: string, start: number, end: number): Completion[] {
	const exact = typed === '' ? undefined : findWord(typed).word;
	const lower = typed.toLowerCase();
	const ranked = CANDIDATES.map(word => ({word, rank: rankOf(word, lower)}))
		.filter(({rank}) => rank < NO_MATCH)
		.sort((a, b) => a.rank - b.rank)
		.map(({word}) => ({text: word.word, help: word.label, kind: 'field' as const, start, end}));
	return exact ? [...operatorsOf(exact, typed, end), ...ranked.filter(({text}) => text !== lower)] : ranked;
}

const NO_MATCH = 9;

/** The words that are offered: families once, without window. */
const CANDIDATES: readonly FieldWord[] = [
	...FIELD_WORDS.filter(word => !word.family),
	...[...FAMILY_WORDS].map(([word, member]) => ({...member, word})),
];

/** The fields that `has` takes: the links first. */
const KNOWABLE: readonly FieldWord[] = [
	...SOCIAL_FIELDS.map(fieldWordOf),
	...CANDIDATES.filter(({target}) => target.kind === 'field' && !SOCIAL_FIELDS.some(name => name === target.field)),
	...CANDIDATES.filter(({target}) => target.kind === 'security'),
];

/** The everyday words, offered first. */
const COMMON: ReadonlySet<string> = new Set(
	'age mcap liq vol txns holders dev top10 snipers insiders bundlers bonding chg chain type kw has bonded live'.split(
		' ',
	),
);

function rankOf({word, synonyms, label}: FieldWord, typed: string): number {
	const common = COMMON.has(word) ? 0 : 0.5;
	if (word.startsWith(typed)) return common;
	if (synonyms.some(synonym => synonym.startsWith(typed))) return 1 + common;
	if (
		label
			.toLowerCase()
			.split(/[^a-z0-9]+/)
			.some(part => part.startsWith(typed))
	)
		return 2 + common;
	return word.includes(typed) ? 3 + common : NO_MATCH;
}

const OPERATORS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
	number: [
		['>', 'above'],
		['<', 'below'],
		['>=', 'at least'],
		['<=', 'at most'],
		[':', 'exactly, or a range 5..9'],
	],
	text: [
		[':', 'is'],
		['~', 'contains'],
		['!=', 'is not'],
	],
	colon: [[':', 'is']],
	boolean: [],
};

/** The words that can follow a field: operators, and the windows of a family unless one was typed. */
function operatorsOf(word: FieldWord, typed: string, at: number): Completion[] {
	const group =
		word.kind === 'boolean'
			? 'boolean'
			: word.kind === 'keyword' || word.kind === 'has'
				? 'colon'
				: word.kind === 'text' || word.kind === 'chain' || word.kind === 'poolType'
					? 'text'
					: 'number';
	const operators = OPERATORS[group]!.map(([text, help]) => ({
		text,
		help: `${help}, such as ${exampleOf(word)}`,
		kind: 'operator' as const,
		start: at,
		end: at,
	}));
	if (!word.family || /\d/.test(typed)) return operators;
	const windows = word.family.windows.map(window => ({
		text: windowWord(window),
		help: `${word.family!.word} in ${windowWord(window)}`,
		kind: 'field' as const,
		start: at,
		end: at,
	}));
	return [...operators, ...windows];
}

function completeValue(
	word: FieldWord | undefined,
	typed: string,
	start: number,
	end: number,
	chains: readonly ChainName[],
	poolTypes: readonly string[],
): Completion[] {
	if (!word || typed.startsWith('"')) return [];
	const listed = listedValues(word, chains, poolTypes);
	if (listed) {
		const lower = typed.toLowerCase();
		const hits = listed.filter(([text]) => text.toLowerCase().includes(lower));
		const first = (text: string) => (text.toLowerCase().startsWith(lower) ? 0 : 1);
		return hits
			.sort(([a], [b]) => first(a) - first(b))
			.map(([text, help]) => ({text, help, kind: 'value', start, end}));
	}
	const suffixes = /\d$/.test(typed) ? suffixesOf(word) : [];
	return suffixes.map(([suffix, help]) => ({text: `${typed}${suffix}`, help, kind: 'value', start, end}));
}

/** The values of a field; undefined when they can't be listed. */
function listedValues(
	word: FieldWord,
	chains: readonly ChainName[],
	poolTypes: readonly string[],
): readonly (readonly [text: string, help: string])[] | undefined {
	switch (word.kind) {
		case 'boolean':
			return [
				['true', 'yes'],
				['false', 'no'],
			];
		case 'chain': {
			const all = [...chains, ...KNOWN_CHAINS];
			const firsts = all.filter((chain, i) => all.findIndex(other => other.id === chain.id) === i);
			return firsts.map(({id, name}) => [name.toLowerCase().replace(/\s+/g, '-'), id]);
		}
		case 'poolType':
			return poolTypes.map(type => [type, 'pool type']);
		case 'has':
			return KNOWABLE.map(w => [w.word, w.label]);
		case 'socials':
			return ['1', '2', '3'].map(count => [count, 'links']);
		default:
			return word.word === 'livestatus'
				? [
						['live', 'running'],
						['live_end', 'ended'],
					]
				: undefined;
	}
}

function suffixesOf({kind}: FieldWord): readonly (readonly [string, string])[] {
	if (kind === 'age')
		return [
			['s', 'seconds'],
			['m', 'minutes'],
			['h', 'hours'],
			['d', 'days'],
		];
	if (kind === 'percent' || kind === 'figure') return [['%', 'per cent']];
	return kind === 'usd' || kind === 'number' || kind === 'integer'
		? [
				['k', 'thousand'],
				['m', 'million'],
				['b', 'billion'],
			]
		: [];
}
