import {WEBHOOK_FIELDS, type WebhookField} from '../../../monitor/webhooks/webhook-fields.ts';
import type {Row} from '../../../terminal/style.ts';
import {cellWidth} from '../../../text.ts';
import {field, inSight, LABEL, paragraph} from '../../money/money-rows.ts';
import type {ScreenCanvas} from '../../screens/screen-rows.ts';
import {cutSpans, toned} from '../../view-model.ts';
import type {WebhooksState} from './webhooks-state.ts';

const HINTS: Readonly<Record<WebhookField, string>> = {
	name: 'a name for your list of webhooks',
	url: 'https://host/path, where events are posted',
	events: 'swap transfer swap-enriched block order launchpad',
	chains: 'solana base ...',
	filter: 'none, or amountUSD>=10k poolType:pumpfun,pumpswap',
};

const FILTER_HELP =
	'Filter: clauses on fields of the event, all of which must hold; | means or, a,b is a list. For anything else write the JSON of the API.';

/** The form of a new webhook. */
export function formRows(state: WebhooksState, canvas: ScreenCanvas): Row[] {
	return [
		...WEBHOOK_FIELDS.flatMap(name => fieldRows(name, state.form[name], state, canvas)),
		[],
		...paragraph(
			canvas,
			'dim',
			`${canvas.named('{boardInput.next}: next line. {boardInput.accept}')}: create the webhook. Private addresses are refused unless the service allows them. ${FILTER_HELP}`,
		),
	];
}

/** The line of another filter. */
export function filterRows(state: WebhooksState, canvas: ScreenCanvas): Row[] {
	return [
		...fieldRows('filter', state.filterLine, state, canvas),
		[],
		...paragraph(
			canvas,
			'dim',
			`${canvas.named('{boardInput.accept}')} changes the filter; an empty line lets every event pass. Name, address, events and chains of a webhook cannot change. ${FILTER_HELP}`,
		),
	];
}

/** A field, and what is wrong with it under the place. */
function fieldRows(name: WebhookField, typed: string, {formProblem}: WebhooksState, canvas: ScreenCanvas): Row[] {
	const isActive = canvas.input?.field === name;
	const {from, ...edit} = inSight(isActive ? canvas.input!.edit : {text: typed, cursor: 0}, canvas.width - LABEL);
	const row = cutSpans(field(canvas, name, edit, isActive, HINTS[name]), canvas.width);
	if (formProblem?.field !== name) return [row];
	const {text, place} = formProblem;
	const inner = {...canvas, width: canvas.width - LABEL};
	const indented = (line: Row): Row => [{text: ' '.repeat(LABEL)}, ...line];
	if (place === undefined) return [row, ...paragraph(inner, 'bad', `^ ${text}`).map(indented)];
	const before = cellWidth(edit.text.slice(0, Math.max(place.start - from, 0)));
	const marks = Math.max(cellWidth(edit.text.slice(Math.max(place.start - from, 0), place.end - from)), 1);
	const pointer: Row = [{text: ' '.repeat(before)}, toned(canvas, 'bad', '^'.repeat(marks))];
	return [row, cutSpans(indented(pointer), canvas.width), ...paragraph(inner, 'bad', text).map(indented)];
}
