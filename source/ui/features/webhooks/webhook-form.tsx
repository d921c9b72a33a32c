import type {ReactNode} from 'react';
import {WEBHOOK_FIELDS, type WebhookField} from '../../../monitor/webhooks/webhook-fields.ts';
import {cellWidth} from '../../../text.ts';
import {FromSpans, Line, Text, useDisplay, useWidth} from '../../live/lines.tsx';
import {Paragraph} from '../../live/paragraph.tsx';
import {CutLine} from '../../live/section.tsx';
import {field, inSight, LABEL} from '../../money/money-rows.ts';
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
	const keys = frame.named('{boardInput.next}: next line. {boardInput.accept}');
	return (
		<>
			{WEBHOOK_FIELDS.map(name => (
				<Field key={name} name={name} typed={state.form[name]} state={state} frame={frame} />
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
			<Field name="filter" typed={state.filterLine} state={state} frame={frame} />
			<Line />
			<Paragraph
				tone="dim"
				text={`${frame.named('{boardInput.accept}')} changes the filter; an empty line lets every event pass. Name, address, events and chains of a webhook cannot change. ${FILTER_HELP}`}
			/>
		</>
	);
}

/** A field, and what is wrong with it under the place. */
function Field({
	name,
	typed,
	state: {formProblem},
	frame: {input},
}: FormProps & {readonly name: WebhookField; readonly typed: string}): ReactNode {
	const width = useWidth();
	const display = useDisplay();
	const isActive = input?.field === name;
	const {from, ...edit} = inSight(isActive ? input.edit : {text: typed, cursor: 0}, width - LABEL);
	const problem = formProblem?.field === name ? formProblem : undefined;
	const place = problem?.place;
	const at = place && Math.max(place.start - from, 0);
	return (
		<>
			<CutLine>
				<FromSpans spans={field({...display, width, nowMs: 0}, name, edit, isActive, HINTS[name])} />
			</CutLine>
			{place && (
				<CutLine>
					{' '.repeat(LABEL + cellWidth(edit.text.slice(0, at)))}
					<Text tone="bad">{'^'.repeat(Math.max(cellWidth(edit.text.slice(at, place.end - from)), 1))}</Text>
				</CutLine>
			)}
			{problem && <Paragraph tone="bad" text={place ? problem.text : `^ ${problem.text}`} indent={LABEL} />}
		</>
	);
}
