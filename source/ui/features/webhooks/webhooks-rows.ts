import type {WebhookDeliveries, WebhookRecord} from '../../../contract/webhook.ts';
import {filterLineOf} from '../../../monitor/webhooks/webhook-filter-line.ts';
import {maskedKey, maskedUrl} from '../../../monitor/webhooks/webhook-key.ts';
import type {Row, Span} from '../../../terminal/style.ts';
import {clean, fitTo, padStart, truncate} from '../../../text.ts';
import {age, brief, dateTime, grouped} from '../../format.ts';
import {fact, heading, problemRows, sentence} from '../../money/money-rows.ts';
import {cutSpans, toned} from '../../scene.ts';
import {emptyWords, listScreen, pageScreen, type ScreenLook, screenTitle} from '../../screens/screen-rows.ts';
import type {Tone} from '../../theme.ts';
import {timeOf} from '../prediction/prediction-state.ts';
import {filterRows, formRows} from './webhook-form-rows.ts';
import {lastHealth, listedWebhooks, type WebhookHealth, type WebhooksState} from './webhooks-state.ts';

/** After so long without a delivery a webhook may be dead: its events come all the time. */
const SILENT_MS = 10 * 60_000;

/** The lines of the webhooks board. */
export function webhooksRows(state: WebhooksState, look: ScreenLook): Row[] {
	const all = listedWebhooks(state);
	const index = Math.max(
		all.findIndex(({id}) => id === state.cursor),
		0,
	);
	const marked = all[index];
	switch (state.step) {
		case 'create':
			return pageScreen(
				look,
				title(look, 'new webhook'),
				[...formRows(state, inside(look)), ...tail(state, look)],
				state.scroll,
			);
		case 'edit':
			return pageScreen(
				look,
				title(look, `filter of ${clean(marked?.name ?? '', {maxCells: 40})}`),
				[...filterRows(state, inside(look)), ...tail(state, look)],
				state.scroll,
			);
		case 'secret':
			return pageScreen(look, title(look, 'new webhook'), secretRows(state, inside(look)), state.scroll);
		case 'remove':
			return pageScreen(
				look,
				title(look, 'delete'),
				marked ? [...removeRows(state, marked, inside(look)), ...tail(state, look)] : [],
				state.scroll,
			);
		case 'detail':
			return pageScreen(
				look,
				title(look, marked === undefined ? '' : clean(marked.name, {maxCells: 40})),
				marked ? [...detail(marked, state.health.get(marked.id), inside(look)), ...tail(state, look)] : [],
				state.scroll,
			);
		case 'list':
			return listScreen(look, {
				title: title(look, state.list.kind === 'loading' ? 'asking' : `${all.length}`),
				header: header(columnsOf(look.width), look),
				keys: all.map(({id}) => id),
				marked: state,
				line: at => line(all[at]!, state.health.get(all[at]!.id), columnsOf(look.width), look),
				empty: emptyRows(state, inside(look)),
				end: endLine(state, marked, look),
			});
	}
}

const inside = (look: ScreenLook): ScreenLook => ({...look, width: look.width - 2});

function title(look: ScreenLook, words: string): Row {
	return screenTitle(look, [toned(look, 'brand', 'WEBHOOKS'), {text: '  '}, toned(look, 'text', words)], []);
}

function tail({busy, problem}: WebhooksState, look: ScreenLook): Row[] {
	return [
		...problemRows(inside(look), problem),
		...(busy === undefined ? [] : [[], [toned(look, 'warn', `${look.signs.waiting} ${busy}`)]]),
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

function header(w: Widths, look: ScreenLook): Row {
	const text = [
		'   ',
		fitTo('NAME', w.name),
		w.target === 0 ? '' : fitTo('DELIVERS TO', w.target),
		w.events === 0 ? '' : fitTo('EVENTS', w.events),
		fitTo('LAST', 9),
		w.counts ? `${padStart('DONE', 7)}${padStart('FAILED', 8)}` : '',
		padStart('DEAD', 7),
	].join('');
	return [toned(look, 'faint', truncate(text, look.width))];
}

function line(webhook: WebhookRecord, health: WebhookHealth | undefined, w: Widths, look: ScreenLook): Row {
	const {signs} = look;
	const known = lastHealth(health);
	const last = lastWords(webhook, known, look);
	const dead = known?.deadLettersCount;
	const figure = (value: number | undefined, width: number, tone: Tone): Span =>
		toned(look, value === undefined || value === 0 ? 'dim' : tone, padStart(brief(value, signs.unknown), width));
	return [
		toned(look, last.tone, `${last.sign} `),
		toned(look, 'text', fitTo(webhook.name, w.name)),
		...(w.target === 0
			? []
			: [toned(look, 'dim', fitTo(truncate(maskedUrl(webhook.webhookUrl), w.target - 1), w.target))]),
		...(w.events === 0 ? [] : [toned(look, 'text', fitTo(truncate(webhook.events.join(' '), w.events - 1), w.events))]),
		toned(look, last.tone, fitTo(last.text, 9)),
		...(w.counts ? [figure(known?.delivered, 7, 'good'), figure(known?.failedAttempts, 8, 'warn')] : []),
		figure(dead, 7, 'bad'),
	];
}

/** When something was last delivered, or tried; silence is a warning too. */
function lastWords(
	{createdAt}: WebhookRecord,
	health: WebhookDeliveries | undefined,
	{signs, nowMs}: ScreenLook,
): {readonly text: string; readonly sign: string; readonly tone: Tone} {
	if (health === undefined) return {text: signs.unknown, sign: signs.unknown, tone: 'dim'};
	const {lastAttempt} = health;
	const sinceMs = nowMs - (timeOf(lastAttempt?.at ?? createdAt) ?? nowMs);
	if (lastAttempt === null) return {text: 'none yet', sign: signs.waiting, tone: sinceMs > SILENT_MS ? 'warn' : 'dim'};
	if (!lastAttempt.success) return {text: `${age(sinceMs)} ago`, sign: signs.cross, tone: 'bad'};
	const isSilent = sinceMs > SILENT_MS;
	return {text: `${age(sinceMs)} ago`, sign: isSilent ? '!' : signs.check, tone: isSilent ? 'warn' : 'good'};
}

function emptyRows({list}: WebhooksState, look: ScreenLook): Row[] {
	const hint = look.readOnly
		? 'In read-only mode none can be made.'
		: look.named('{webhooks.create} creates one: the service then posts each event to your URL.');
	const {text, isBad} = emptyWords(list, `This API key has no webhook. ${hint}`);
	return sentence(look, isBad ? 'bad' : 'dim', text);
}

function endLine(state: WebhooksState, marked: WebhookRecord | undefined, look: ScreenLook): Row {
	const {list, busy, problem} = state;
	const words = (tone: Tone, text: string): Row => cutSpans([toned(look, tone, ` ${text}`)], look.width);
	if (busy !== undefined) return words('warn', `${look.signs.waiting} ${busy}`);
	if (problem) return words('bad', `${look.signs.cross} ${problem.what}. ${problem.why}`);
	if (list.kind === 'failed' && marked)
		return words('bad', `${look.signs.cross} ${list.problem.what}. ${list.problem.why}`);
	if (!marked) return [];
	const health = state.health.get(marked.id);
	if (health?.kind === 'failed') return words('warn', `no delivery status: ${health.problem.why}`);
	return words('dim', `${marked.events.join(' ')} on ${marked.chainIds.join(' ')}, key ${maskedKey(marked.apiKey)}`);
}

function detail(webhook: WebhookRecord, health: WebhookHealth | undefined, look: ScreenLook): Row[] {
	const {signs} = look;
	const known = lastHealth(health);
	const last = lastWords(webhook, known, look);
	const attempt = known?.lastAttempt;
	return [
		...fact(look, 'posts to', maskedUrl(webhook.webhookUrl), 'strong'),
		...fact(look, 'events', webhook.events.join(', ')),
		...fact(look, 'chains', webhook.chainIds.join(', ')),
		...fact(look, 'key', maskedKey(webhook.apiKey)),
		...fact(look, 'created', dateTime(timeOf(webhook.createdAt), signs.unknown)),
		...fact(look, 'id', webhook.id, 'dim'),
		[],
		heading(look, 'Filter'),
		...(webhook.filters === null
			? sentence(look, 'dim', 'None: every event is delivered.')
			: sentence(look, 'text', filterLineOf(webhook.filters))),
		...(look.readOnly ? [] : sentence(look, 'dim', look.named('{webhooks.edit} changes it.'))),
		[],
		heading(look, 'Deliveries'),
		...(health?.kind === 'failed'
			? sentence(look, 'warn', `No delivery status: ${health.problem.what}. ${health.problem.why}`)
			: []),
		...(known === undefined
			? health?.kind === 'failed'
				? []
				: sentence(look, 'dim', 'Loading')
			: [
					...fact(
						look,
						'last',
						attempt === null || attempt === undefined
							? 'nothing was delivered yet'
							: `${attempt.success ? 'delivered' : 'failed'} ${last.text}: ${attempt.event}${attempt.status === null ? '' : `, status ${attempt.status}`}${attempt.reason === null ? '' : `, ${attempt.reason}`}`,
						last.tone,
					),
					...fact(look, 'delivered', grouped(known.delivered)),
					...fact(look, 'failed', `${grouped(known.failedAttempts)} tries`),
					...fact(look, 'waiting', grouped(known.pending)),
					...fact(look, 'dropped', `${grouped(known.dropped)} (queue full)`, known.dropped > 0 ? 'warn' : 'text'),
					[],
					heading(look, `Dead letters, ${grouped(known.deadLettersCount)}`),
					...(known.deadLetters.length === 0
						? sentence(look, 'dim', 'None: everything was delivered, or is still being tried.')
						: known.deadLetters.flatMap(letter =>
								sentence(
									look,
									'text',
									`${dateTime(timeOf(letter.failedAt), signs.unknown)}  ${letter.event}  ${letter.attempts} tries, ${letter.status === null ? '' : `status ${letter.status}, `}${letter.reason}`,
								),
							)),
					...(known.deadLettersCount > 0 && !look.readOnly
						? [[], ...sentence(look, 'dim', look.named('{webhooks.redeliver} puts them back into the queue.'))]
						: []),
				]),
	];
}

function secretRows({secret}: WebhooksState, look: ScreenLook): Row[] {
	if (!secret) return [];
	return [
		...sentence(look, 'good', `${look.signs.check} The webhook ${clean(secret.name, {maxCells: 40})} is there.`),
		[],
		...sentence(look, 'text', 'Its deliveries are signed with this secret. It is shown now and never again:'),
		[],
		...fact(look, 'secret', clean(secret.secret, {maxLength: 200}), 'strong'),
		[],
		...sentence(
			look,
			'dim',
			look.named('{board.copy} copies it. {board.accept} or {board.back} goes back, and then it is gone.'),
		),
	];
}

function removeRows({answer}: WebhooksState, webhook: WebhookRecord, look: ScreenLook): Row[] {
	const button = (text: string, isChosen: boolean, tone: Tone): Span =>
		isChosen
			? {text: ` [ ${text} ] `, style: {...look.theme.tones[tone], inverse: true}}
			: toned(look, tone, `   ${text}   `);
	return [
		...sentence(
			look,
			'warn',
			'This webhook will be deleted, with what still waits to be delivered and its dead letters.',
		),
		[],
		...fact(look, 'name', webhook.name, 'strong'),
		...fact(look, 'to', maskedUrl(webhook.webhookUrl)),
		...fact(look, 'id', webhook.id, 'dim'),
		[],
		[button('Cancel', answer === 'cancel', 'text'), {text: '   '}, button('Delete', answer === 'remove', 'bad')],
		[],
		...sentence(
			look,
			'dim',
			look.named('{webhooks.turn} chooses the other answer, {board.accept} gives the marked one.'),
		),
	];
}
