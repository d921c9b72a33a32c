import {WEBHOOK_EVENTS, type WebhookCreateBody, type WebhookEvent} from '../../contract/webhook.ts';
import {parseWebhookFilters} from '../../contract/webhook-filter.ts';
import {PulsetopError} from '../../errors.ts';
import {nearest} from '../../nearest.ts';
import {resolveChain} from '../filter-chains.ts';
import type {WebhookField, WebhookForm} from './webhooks-state.ts';

/** What was typed as a webhook can't be one. */
export class FormProblem extends PulsetopError {
	readonly code = 'form-problem';
	readonly field: WebhookField;

	constructor(field: WebhookField, why: string) {
		super('This is no webhook yet', {why, next: 'fix-input'});
		this.field = field;
	}
}

/** The request that a filled form stands for, without its key. @throws FormProblem for the first field that is wrong */
export function readForm(form: WebhookForm): Omit<WebhookCreateBody, 'apiKey'> {
	const name = form.name.trim();
	if (name === '') throw new FormProblem('name', 'give it a name');
	if (name.length > 200) throw new FormProblem('name', 'at most 200 characters');
	const filters = readFilterLine(form.filter);
	return {
		name,
		url: readUrl(form.url.trim()),
		events: readEvents(words(form.events)),
		chainIds: words(form.chains).length === 0 ? missingChains() : [...new Set(words(form.chains).map(readChain))],
		...(filters !== undefined && {filters}),
	};
}

function missingChains(): never {
	throw new FormProblem('chains', 'name at least one chain, such as solana or base');
}

const words = (text: string): string[] => text.split(/[\s,]+/).filter(word => word !== '');

function readUrl(text: string): string {
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		throw new FormProblem('url', 'write a whole address, https://host/path');
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		throw new FormProblem('url', 'only http and https are possible');
	return text;
}

function readEvents(given: readonly string[]): WebhookEvent[] {
	if (given.length === 0) throw new FormProblem('events', `name at least one of ${WEBHOOK_EVENTS.join(', ')}`);
	return [...new Set(given)].map(word => {
		const event = WEBHOOK_EVENTS.find(known => known === word.toLowerCase());
		if (event) return event;
		const near = nearest(word, WEBHOOK_EVENTS);
		throw new FormProblem(
			'events',
			`${word} is none${near === undefined ? `; they are ${WEBHOOK_EVENTS.join(', ')}` : `: ${near}?`}`,
		);
	});
}

function readChain(word: string): string {
	const found = {suggestion: undefined, ...resolveChain(word)};
	if (found.id !== undefined) return found.id;
	throw new FormProblem(
		'chains',
		`${word} is no chain${found.suggestion === undefined ? '' : `: ${found.suggestion}?`}`,
	);
}

type Tree = Record<string, unknown>;

const OPERATORS = {'>=': 'gte', '<=': 'lte', '!=': 'neq', '>': 'gt', '<': 'lt', '=': 'eq', ':': 'eq'} as const;
const CLAUSE = /^([A-Za-z_][\w.]*)(>=|<=|!=|>|<|=|:)(.+)$/;
const SCALES: Readonly<Record<string, number>> = {k: 1e3, m: 1e6, b: 1e9};

/**
 * The filter tree of a line (contract gaps 8): `amountUSD>=10k poolType:pumpfun,pumpswap | swapType=buy`. Fields are
 * those of the delivered event. What stands beside each other is joined by and, `|` is or; `a,b` is a list.
 * @returns undefined for an empty line: every event passes
 * @throws FormProblem `filter`
 */
export function readFilterLine(line: string): Tree | undefined {
	if (line.trim() === '') return undefined;
	const groups = line.split('|').map(group => group.trim());
	if (groups.includes('')) throw new FormProblem('filter', 'something has to stand on both sides of |');
	const trees = groups.map(group => {
		const clauses = group.split(/\s+/).map(clauseOf);
		return clauses.length === 1 ? clauses[0]! : {and: clauses};
	});
	const tree = trees.length === 1 ? trees[0]! : {or: trees};
	try {
		parseWebhookFilters(tree);
	} catch (error) {
		if (error instanceof PulsetopError) throw new FormProblem('filter', error.why);
		throw error;
	}
	return tree;
}

function clauseOf(word: string): Tree {
	const [, field, operator, text] = CLAUSE.exec(word) ?? [];
	if (field === undefined || operator === undefined || text === undefined)
		throw new FormProblem(
			'filter',
			`${word.slice(0, 30)} is no clause: write field, sign and value, such as amountUSD>=1000`,
		);
	const key = OPERATORS[operator as keyof typeof OPERATORS];
	if (key === 'eq' && text.includes(',')) {
		const list = text.split(',').filter(item => item !== '');
		return {in: [field, list.map(readValue)]};
	}
	const value = readValue(text);
	if (key !== 'eq' && key !== 'neq' && typeof value !== 'number')
		throw new FormProblem('filter', `${field}${operator} needs a number, ${text.slice(0, 20)} is none`);
	return {[key]: [field, value]};
}

function readValue(text: string): string | number | boolean {
	if (text === 'true' || text === 'false') return text === 'true';
	const [, digits, unit = ''] = /^(-?\d+(?:\.\d+)?)([kmb]?)$/i.exec(text) ?? [];
	return digits === undefined ? text : Number(digits) * (SCALES[unit.toLowerCase()] ?? 1);
}
