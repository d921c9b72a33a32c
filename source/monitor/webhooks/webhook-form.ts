import {WEBHOOK_EVENTS, type WebhookCreateBody, type WebhookEvent} from '../../contract/webhook.ts';
import {PulsetopError} from '../../errors.ts';
import {nearest} from '../../nearest.ts';
import {urlText} from '../../url-text.ts';
import {resolveChain} from '../filter/chain-words.ts';
import type {WebhookField, WebhookForm} from './webhook-fields.ts';
import {FilterLineProblem, type FilterTree, readFilterLine} from './webhook-filter-line.ts';

/** The typed text can't be a webhook. */
export class FormProblem extends PulsetopError {
	readonly code = 'form-problem';
	readonly field: WebhookField;
	/** Where in the field: UTF-16 units. Undefined when it is about all of it. */
	readonly place: {readonly start: number; readonly end: number} | undefined;

	constructor(field: WebhookField, why: string, place?: {readonly start: number; readonly end: number}) {
		super('This is no webhook yet', {why, next: 'fix-input'});
		this.field = field;
		this.place = place;
	}
}

/** The request that a filled form stands for, without its key. @throws FormProblem for the first field that is wrong */
export function readForm(form: WebhookForm): Omit<WebhookCreateBody, 'apiKey'> {
	const name = form.name.trim();
	if (name === '') throw new FormProblem('name', 'give it a name');
	if (name.length > 200) throw new FormProblem('name', 'at most 200 characters');
	const filters = readFilter(form.filter);
	return {
		name,
		url: readUrl(form.url.trim()),
		events: readEvents(words(form.events)),
		chainIds: words(form.chains).length === 0 ? missingChains() : [...new Set(words(form.chains).map(readChain))],
		...(filters !== undefined && {filters}),
	};
}

/** The tree of the filter field. @throws FormProblem at the place */
export function readFilter(line: string): FilterTree | undefined {
	try {
		return readFilterLine(line);
	} catch (error) {
		if (!(error instanceof FilterLineProblem)) throw error;
		const {why, start, end} = error;
		throw new FormProblem('filter', why, {start, end});
	}
}

function missingChains(): never {
	throw new FormProblem('chains', 'name at least one chain, such as solana or base');
}

const words = (text: string): string[] => text.split(/[\s,]+/).filter(word => word !== '');

/** @throws FormProblem `url` */
function readUrl(text: string): string {
	const given = urlText(text);
	if (given === undefined && text !== '')
		throw new FormProblem('url', 'a blank or a character that nobody sees is in it: type it again');
	const url = given === undefined ? null : URL.parse(given);
	if (url === null) throw new FormProblem('url', 'write a whole address, https://host/path');
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		throw new FormProblem('url', 'only http and https are possible');
	return given!;
}

/** Each once. @throws FormProblem `events` */
function readEvents(given: readonly string[]): WebhookEvent[] {
	if (given.length === 0) throw new FormProblem('events', `name at least one of ${WEBHOOK_EVENTS.join(', ')}`);
	return [...new Set(given.map(readEvent))];
}

function readEvent(word: string): WebhookEvent {
	const event = WEBHOOK_EVENTS.find(known => known === word.toLowerCase());
	if (event) return event;
	const near = nearest(word, WEBHOOK_EVENTS);
	throw new FormProblem(
		'events',
		`${word} is no event${near === undefined ? `; events are ${WEBHOOK_EVENTS.join(', ')}` : `: ${near}?`}`,
	);
}

/** Its id. @throws FormProblem `chains` */
function readChain(word: string): string {
	const found = {suggestion: undefined, ...resolveChain(word)};
	if (found.id !== undefined) return found.id;
	throw new FormProblem(
		'chains',
		`${word} is no chain${found.suggestion === undefined ? '' : `: ${found.suggestion}?`}`,
	);
}
