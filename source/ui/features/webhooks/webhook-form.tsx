import type {ReactNode} from 'react';
import type {TextEdit} from '../../../monitor/transitions/text-edit.ts';
import {WEBHOOK_FIELDS, type WebhookField} from '../../../monitor/webhooks/webhook-fields.ts';
import {cellWidth} from '../../../text.ts';
import {LABEL} from '../../live/fact.tsx';
import {Field} from '../../live/field.tsx';
import {inSight} from '../../live/in-sight.ts';
import {Line, Text, useWidth} from '../../live/lines.tsx';
import {Paragraph} from '../../live/paragraph.tsx';
import {CutLine} from '../../live/section.tsx';
import type {PageFrame} from '../../screens/page.tsx';
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

interface FormProps {
	readonly state: WebhooksState;
	readonly frame: PageFrame;
}

/** The form of a new webhook. */
export function WebhookForm({state, frame}: FormProps): ReactNode {
	const keys = frame.named('{form.next}: next line. {prompt.accept}');
	return (
		<>
			{WEBHOOK_FIELDS.map(name => (
				<FormField key={name} name={name} text={state.form[name]} state={state} frame={frame} />
			))}
			<Line />
			<Paragraph
				tone="dim"
				text={`${keys}: create the webhook. Private addresses are refused unless the service allows them. ${FILTER_HELP}`}
			/>
		</>
	);
}

/** The line of another filter. */
export function FilterForm({state, frame}: FormProps): ReactNode {
	return (
		<>
			<FormField name="filter" text={state.filterLine} state={state} frame={frame} />
			<Line />
			<Paragraph
				tone="dim"
				text={`${frame.named('{prompt.accept}')} changes the filter; an empty line lets every event pass. Name, address, events and chains of a webhook cannot change. ${FILTER_HELP}`}
			/>
		</>
	);
}

/** A field, and its problem in the line below. */
function FormField({
	name,
	text,
	state: {formProblem},
	frame: {input},
}: FormProps & {readonly name: WebhookField; readonly text: string}): ReactNode {
	const isActive = input?.field === name;
	const typed = isActive ? input.edit : {text, cursor: 0};
	const problem = formProblem?.field === name ? formProblem : undefined;
	const place = problem?.place;
	return (
		<>
			<Field label={name} edit={typed} isActive={isActive} hint={HINTS[name]} />
			{place && <Place edit={typed} {...place} />}
			{problem && <Paragraph tone="bad" text={place ? problem.text : `^ ${problem.text}`} indent={LABEL} />}
		</>
	);
}

interface PlaceProps {
	readonly edit: TextEdit;
	readonly start: number;
	readonly end: number;
}

/** The mark below a part of a field. */
function Place({edit, start, end}: PlaceProps): ReactNode {
	const {text, from} = inSight(edit, useWidth() - LABEL);
	const at = Math.max(start - from, 0);
	return (
		<CutLine>
			{' '.repeat(LABEL + cellWidth(text.slice(0, at)))}
			<Text tone="bad">{'^'.repeat(Math.max(cellWidth(text.slice(at, end - from)), 1))}</Text>
		</CutLine>
	);
}
