import type {WebhookDeliveries, WebhookRecord} from '../../../contract/webhook.ts';
import {filterLineOf} from '../../../monitor/webhooks/webhook-filter-line.ts';
import {maskedKey, maskedUrl} from '../../../monitor/webhooks/webhook-key.ts';
import type {Row, Span} from '../../../terminal/style.ts';
import {clean, fitTo, padStart, truncate} from '../../../text.ts';
import {age, brief, dateTime, grouped} from '../../format.ts';
import {fact, heading, paragraph, problemRows} from '../../money/money-rows.ts';
import {emptyText, listScreen, pageScreen, type ScreenCanvas, screenTitle} from '../../screens/screen-rows.ts';
import type {Tone} from '../../theme.ts';
import {cutSpans, toned} from '../../view-model.ts';
import {timeOf} from '../prediction/prediction-state.ts';
import {filterRows, formRows} from './webhook-form-rows.ts';
import {lastHealth, listedWebhooks, type WebhookHealth, type WebhooksState} from './webhooks-state.ts';

/** A webhook without a delivery for this long may be dead, since its events come all the time, ms. */
const SILENT_MS = 10 * 60_000;

/** The lines of the webhooks screen. */
export function webhooksRows(state: WebhooksState, canvas: ScreenCanvas): Row[] {
	const all = listedWebhooks(state);
	const index = Math.max(
		all.findIndex(({id}) => id === state.cursor),
		0,
	);
	const marked = all[index];
	switch (state.step) {
		case 'create':
			return pageScreen(
				canvas,
				title(canvas, 'new webhook'),
				[...formRows(state, inside(canvas)), ...tail(state, canvas)],
				state.scroll,
			);
		case 'edit':
			return pageScreen(
				canvas,
				title(canvas, `filter of ${clean(marked?.name ?? '', {maxCells: 40})}`),
				[...filterRows(state, inside(canvas)), ...tail(state, canvas)],
				state.scroll,
			);
		case 'secret':
			return pageScreen(canvas, title(canvas, 'new webhook'), secretRows(state, inside(canvas)), state.scroll);
		case 'remove':
			return pageScreen(
				canvas,
				title(canvas, 'delete'),
				marked ? [...removeRows(state, marked, inside(canvas)), ...tail(state, canvas)] : [],
				state.scroll,
			);
		case 'detail':
			return pageScreen(
				canvas,
				title(canvas, marked === undefined ? '' : clean(marked.name, {maxCells: 40})),
				marked ? [...detail(marked, state.health.get(marked.id), inside(canvas)), ...tail(state, canvas)] : [],
				state.scroll,
			);
		case 'list':
			return listScreen(canvas, {
				title: title(canvas, countText(state, canvas)),
				header: header(columnsOf(canvas.width), canvas),
				keys: all.map(({id}) => id),
				marked: state,
				line: at => line(all[at]!, state.health.get(all[at]!.id), columnsOf(canvas.width), canvas),
				empty: emptyRows(state, inside(canvas)),
				end: endLine(state, marked, canvas),
			});
	}
}

/** How many webhooks there are; unknown where the list was never read. */
function countText(state: WebhooksState, {glyphs}: ScreenCanvas): string {
	const {length} = listedWebhooks(state);
	if (state.list.kind === 'loading') return 'loading';
	return state.list.kind === 'failed' && length === 0 ? glyphs.unknown : `${length}`;
}

const inside = (canvas: ScreenCanvas): ScreenCanvas => ({...canvas, width: canvas.width - 2});

function title(canvas: ScreenCanvas, text: string): Row {
	return screenTitle(canvas, [toned(canvas, 'brand', 'WEBHOOKS'), {text: '  '}, toned(canvas, 'text', text)], []);
}

function tail({busy, problem}: WebhooksState, canvas: ScreenCanvas): Row[] {
	return [
		...problemRows(inside(canvas), problem),
		...(busy === undefined ? [] : [[], [toned(canvas, 'warn', `${canvas.glyphs.waiting} ${busy}`)]]),
	];
}

interface Widths {
	readonly name: number;
	readonly target: number;
	readonly events: number;
	readonly counts: boolean;
}

function columnsOf(width: number): Widths {
	const counts = width >= 64;
	const events = width >= 110 ? 24 : 0;
	const rest = width - 13 - (counts ? 22 : 8) - events;
	const target = width >= 84 ? Math.floor(rest * 0.55) : 0;
	return {name: Math.max(rest - target, 8), target, events, counts};
}

function header(w: Widths, canvas: ScreenCanvas): Row {
	const text = [
		'   ',
		fitTo('NAME', w.name),
		w.target === 0 ? '' : fitTo('DELIVERS TO', w.target),
		w.events === 0 ? '' : fitTo('EVENTS', w.events),
		fitTo('LAST', 9),
		w.counts ? `${padStart('DONE', 7)}${padStart('FAILED', 8)}` : '',
		padStart('DEAD', 7),
	].join('');
	return [toned(canvas, 'faint', truncate(text, canvas.width))];
}

function line(webhook: WebhookRecord, health: WebhookHealth | undefined, w: Widths, canvas: ScreenCanvas): Row {
	const {glyphs} = canvas;
	const known = lastHealth(health);
	const last = lastDeliveryText(webhook, known, canvas);
	const dead = known?.deadLettersCount;
	const figure = (value: number | undefined, width: number, tone: Tone): Span =>
		toned(canvas, value === undefined || value === 0 ? 'dim' : tone, padStart(brief(value, glyphs.unknown), width));
	return [
		toned(canvas, last.tone, `${last.glyph} `),
		toned(canvas, 'text', fitTo(webhook.name, w.name)),
		...(w.target === 0
			? []
			: [toned(canvas, 'dim', fitTo(truncate(maskedUrl(webhook.webhookUrl), w.target - 1), w.target))]),
		...(w.events === 0
			? []
			: [toned(canvas, 'text', fitTo(truncate(webhook.events.join(' '), w.events - 1), w.events))]),
		toned(canvas, last.tone, fitTo(last.text, 9)),
		...(w.counts ? [figure(known?.delivered, 7, 'good'), figure(known?.failedAttempts, 8, 'warn')] : []),
		figure(dead, 7, 'bad'),
	];
}

/** When the last delivery or attempt was. A long silence is a warning, too. */
function lastDeliveryText(
	{createdAt}: WebhookRecord,
	health: WebhookDeliveries | undefined,
	{glyphs, nowMs}: ScreenCanvas,
): {readonly text: string; readonly glyph: string; readonly tone: Tone} {
	if (health === undefined) return {text: glyphs.unknown, glyph: glyphs.unknown, tone: 'dim'};
	const {lastAttempt} = health;
	const sinceMs = nowMs - (timeOf(lastAttempt?.at ?? createdAt) ?? nowMs);
	if (lastAttempt === null)
		return {text: 'none yet', glyph: glyphs.waiting, tone: sinceMs > SILENT_MS ? 'warn' : 'dim'};
	if (!lastAttempt.success) return {text: `${age(sinceMs)} ago`, glyph: glyphs.cross, tone: 'bad'};
	const isSilent = sinceMs > SILENT_MS;
	return {text: `${age(sinceMs)} ago`, glyph: isSilent ? '!' : glyphs.check, tone: isSilent ? 'warn' : 'good'};
}

function emptyRows({list}: WebhooksState, canvas: ScreenCanvas): Row[] {
	const hint = canvas.readOnly
		? 'In read-only mode no webhook can be created.'
		: canvas.named('{webhooks.create} creates one: the service then posts each event to your URL.');
	const {text, isBad} = emptyText(list, `This API key has no webhook. ${hint}`);
	return paragraph(canvas, isBad ? 'bad' : 'dim', text);
}

function endLine(state: WebhooksState, marked: WebhookRecord | undefined, canvas: ScreenCanvas): Row {
	const {list, busy, problem} = state;
	const cut = (tone: Tone, text: string): Row => cutSpans([toned(canvas, tone, ` ${text}`)], canvas.width);
	if (busy !== undefined) return cut('warn', `${canvas.glyphs.waiting} ${busy}`);
	if (problem) return cut('bad', `${canvas.glyphs.cross} ${problem.what}. ${problem.why}`);
	if (list.kind === 'failed' && marked)
		return cut('bad', `${canvas.glyphs.cross} ${list.problem.what}. ${list.problem.why}`);
	if (!marked) return [];
	const health = state.health.get(marked.id);
	if (health?.kind === 'failed') return cut('warn', `no delivery status: ${health.problem.why}`);
	return cut('dim', `${marked.events.join(' ')} on ${marked.chainIds.join(' ')}, key ${maskedKey(marked.apiKey)}`);
}

function detail(webhook: WebhookRecord, health: WebhookHealth | undefined, canvas: ScreenCanvas): Row[] {
	const {glyphs} = canvas;
	const known = lastHealth(health);
	const last = lastDeliveryText(webhook, known, canvas);
	const attempt = known?.lastAttempt;
	return [
		...fact(canvas, 'posts to', maskedUrl(webhook.webhookUrl), 'strong'),
		...fact(canvas, 'events', webhook.events.join(', ')),
		...fact(canvas, 'chains', webhook.chainIds.join(', ')),
		...fact(canvas, 'key', maskedKey(webhook.apiKey)),
		...fact(canvas, 'created', dateTime(timeOf(webhook.createdAt), glyphs.unknown)),
		...fact(canvas, 'id', webhook.id, 'dim'),
		[],
		heading(canvas, 'Filter'),
		...(webhook.filters === null
			? paragraph(canvas, 'dim', 'None: every event is delivered.')
			: paragraph(canvas, 'text', filterLineOf(webhook.filters))),
		...(canvas.readOnly ? [] : paragraph(canvas, 'dim', canvas.named('{webhooks.edit} changes it.'))),
		[],
		heading(canvas, 'Deliveries'),
		...(health?.kind === 'failed'
			? paragraph(canvas, 'warn', `No delivery status: ${health.problem.what}. ${health.problem.why}`)
			: []),
		...(known === undefined
			? health?.kind === 'failed'
				? []
				: paragraph(canvas, 'dim', 'Loading')
			: [
					...fact(
						canvas,
						'last',
						attempt === null || attempt === undefined
							? 'nothing was delivered yet'
							: `${attempt.success ? 'delivered' : 'failed'} ${last.text}: ${attempt.event}${attempt.status === null ? '' : `, status ${attempt.status}`}${attempt.reason === null ? '' : `, ${attempt.reason}`}`,
						last.tone,
					),
					...fact(canvas, 'delivered', grouped(known.delivered)),
					...fact(canvas, 'failed', `${grouped(known.failedAttempts)} tries`),
					...fact(canvas, 'waiting', grouped(known.pending)),
					...fact(canvas, 'dropped', `${grouped(known.dropped)} (queue full)`, known.dropped > 0 ? 'warn' : 'text'),
					[],
					heading(canvas, `Dead letters, ${grouped(known.deadLettersCount)}`),
					...(known.deadLetters.length === 0
						? paragraph(canvas, 'dim', 'None: everything was delivered, or is still being tried.')
						: known.deadLetters.flatMap(letter =>
								paragraph(
									canvas,
									'text',
									`${dateTime(timeOf(letter.failedAt), glyphs.unknown)}  ${letter.event}  ${letter.attempts} tries, ${letter.status === null ? '' : `status ${letter.status}, `}${letter.reason}`,
								),
							)),
					...(known.deadLettersCount > 0 && !canvas.readOnly
						? [[], ...paragraph(canvas, 'dim', canvas.named('{webhooks.redeliver} puts them back into the queue.'))]
						: []),
				]),
	];
}

function secretRows({secret}: WebhooksState, canvas: ScreenCanvas): Row[] {
	if (!secret) return [];
	return [
		...paragraph(canvas, 'good', `${canvas.glyphs.check} The webhook ${clean(secret.name, {maxCells: 40})} is there.`),
		[],
		...paragraph(canvas, 'text', 'Its deliveries are signed with this secret. It is shown now and never again:'),
		[],
		...fact(canvas, 'secret', clean(secret.secret, {maxLength: 200}), 'strong'),
		[],
		...paragraph(
			canvas,
			'dim',
			canvas.named(
				'{board.copy} copies the secret. {board.accept} or {board.back} goes back, and the secret is not shown again.',
			),
		),
	];
}

function removeRows({answer}: WebhooksState, webhook: WebhookRecord, canvas: ScreenCanvas): Row[] {
	const button = (text: string, isChosen: boolean, tone: Tone): Span =>
		isChosen
			? {text: ` [ ${text} ] `, style: {...canvas.theme.tones[tone], inverse: true}}
			: toned(canvas, tone, `   ${text}   `);
	return [
		...paragraph(
			canvas,
			'warn',
			'This webhook will be deleted, with what still waits to be delivered and its dead letters.',
		),
		[],
		...fact(canvas, 'name', webhook.name, 'strong'),
		...fact(canvas, 'to', maskedUrl(webhook.webhookUrl)),
		...fact(canvas, 'id', webhook.id, 'dim'),
		[],
		[button('Cancel', answer === 'cancel', 'text'), {text: '   '}, button('Delete', answer === 'remove', 'bad')],
		[],
		...paragraph(
			canvas,
			'dim',
			canvas.named('{webhooks.turn} chooses the other answer, {board.accept} gives the marked one.'),
		),
	];
}
