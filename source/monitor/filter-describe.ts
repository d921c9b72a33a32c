import type {FieldWord} from './field-words.ts';
import {type ChainName, chainWord} from './filter-chains.ts';
import type {Comparison, FilterClause, Plain} from './filter-clause.ts';
import {printDate, printNumber} from './filter-values.ts';

/** What a clause asks for, in plain words: `market cap is at least 50K`. */
export function describeClause(clause: FilterClause, chains: readonly ChainName[] = []): string {
	const sentence = describe(clause, chains);
	return clause.passesUnknown ? `${sentence}, or is not known` : sentence;
}

function describe({word, comparisons, negated, known}: FilterClause, chains: readonly ChainName[]): string {
	const [first] = comparisons;
	switch (word.target.kind) {
		case 'has': {
			const names = join(known.map(k => k.label));
			const verb =
				known.length > 1 && !negated
					? 'at least one of them is'
					: known.length > 1
						? 'none is'
						: negated
							? 'is not'
							: 'is';
			return known.length > 1 ? `${names}: ${verb} known` : `${names} ${verb} known`;
		}
		case 'keywords':
			return `${word.label} ${negated ? 'does not contain' : 'contains'} ${values(word, first!, chains)}`;
		default:
	}
	if (first!.value === null) return `${word.label} ${agree(word, 'is')} ${negated ? '' : 'not '}known`;
	if (word.kind === 'boolean' && first!.op === 'equals') {
		const isTrue = (first!.value === true) !== negated;
		return `${word.label}: ${isTrue ? 'yes' : 'no'}`;
	}
	if (comparisons.length === 2) return between(word, comparisons, negated);
	return `${word.label} ${verb(word, first!, negated)} ${values(word, first!, chains)}`;
}

function between(word: FieldWord, [low, high]: readonly Comparison[], negated: boolean): string {
	const last =
		high!.op === 'lt' ? `and before ${value(word, high!.value as Plain)}` : `to ${value(word, high!.value as Plain)}`;
	return `${word.label} ${agree(word, 'is')} ${negated ? 'not ' : ''}from ${value(word, low!.value as Plain)} ${last}`;
}

const VERBS: Readonly<Record<Comparison['op'], readonly [string, string]>> = {
	gt: ['is above', 'is at most'],
	gte: ['is at least', 'is below'],
	lt: ['is below', 'is at least'],
	lte: ['is at most', 'is above'],
	equals: ['is', 'is not'],
	in: ['is', 'is not'],
	contains: ['contains', 'does not contain'],
	startsWith: ['begins with', 'does not begin with'],
	endsWith: ['ends with', 'does not end with'],
};

const DATE_VERBS: Readonly<Partial<Record<Comparison['op'], readonly [string, string]>>> = {
	gt: ['is after', 'is not after'],
	gte: ['is not before', 'is before'],
	lt: ['is before', 'is not before'],
	lte: ['is not after', 'is after'],
};

function verb(word: FieldWord, {op}: Comparison, negated: boolean): string {
	const pair = (word.kind === 'date' ? DATE_VERBS[op] : undefined) ?? VERBS[op];
	return agree(word, pair[negated ? 1 : 0]);
}

const PLURAL =
	/^(?!number |price |reserve )(?:.* )?(?:holdings|holders|trades|buys|sells|buyers|sellers|traders|fees paid|tokens|reuses|renames|replies|decimals)\b/;

/** `is` becomes `are` where the label is plural. */
function agree({label}: FieldWord, sentence: string): string {
	return PLURAL.test(label) ? sentence.replace(/^is\b/, 'are') : sentence;
}

function values(word: FieldWord, {value: wanted}: Comparison, chains: readonly ChainName[]): string {
	const all = (Array.isArray(wanted) ? wanted : [wanted]) as readonly Plain[];
	return join(
		all.map(one =>
			word.kind === 'chain' && typeof one === 'string' ? (chainWord(one, chains) ?? one) : value(word, one),
		),
	);
}

function join(parts: readonly string[]): string {
	return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`;
}

function value(word: FieldWord, wanted: Plain): string {
	if (typeof wanted === 'boolean') return wanted ? 'yes' : 'no';
	if (typeof wanted === 'string') {
		if (word.kind === 'date')
			return printDate(Date.parse(wanted)).replace('T', ' ').replace('Z', ' UTC').replace(' 00:00 UTC', '');
		return word.kind === 'poolType' ? wanted : `“${wanted}”`;
	}
	if (word.kind === 'age') return duration(wanted);
	if (word.kind === 'date') return printDate(wanted);
	return printNumber(wanted, word.kind === 'percent' || word.kind === 'figure' ? 'percent' : 'number').toUpperCase();
}

/** `10 min`, `1 h 30 min`. */
function duration(seconds: number): string {
	const parts: string[] = [];
	let left = Math.abs(seconds);
	for (const [unit, length] of [
		['d', 86_400],
		['h', 3600],
		['min', 60],
	] as const) {
		const count = Math.floor(left / length);
		if (count > 0) parts.push(`${count} ${unit}`);
		left -= count * length;
	}
	if (left > 0 || parts.length === 0) parts.push(`${left} s`);
	return `${seconds < 0 ? '-' : ''}${parts.join(' ')}`;
}
