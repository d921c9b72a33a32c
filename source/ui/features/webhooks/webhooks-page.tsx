import type {ReactNode} from 'react';
import type {WebhookDeliveries, WebhookRecord} from '../../../contract/webhook.ts';
import {unreadText} from '../../../monitor/webhooks/unread-webhooks.ts';
import {filterLineOf} from '../../../monitor/webhooks/webhook-filter-line.ts';
import {maskedKey, maskedUrl} from '../../../monitor/webhooks/webhook-key.ts';
import {clean} from '../../../text.ts';
import {age, brief, dateTime, grouped} from '../../format.ts';
import type {Glyphs} from '../../glyphs.ts';
import {Answers} from '../../live/answers.tsx';
import {Fact, Facts} from '../../live/fact.tsx';
import {Line, Text, useDisplay, useWidth} from '../../live/lines.tsx';
import {Paragraph} from '../../live/paragraph.tsx';
import {Problem} from '../../live/problem.tsx';
import {EndLine, emptyText, ListPage, type PageFrame, PageTitle, Section, TextPage} from '../../screens/page.tsx';
import type {PageProps} from '../../screens/screen-feature.ts';
import {fittingCells, type TableCell, TableCells, TableHeadings} from '../../screens/table.tsx';
import type {Tone} from '../../theme.ts';
import {timeOf} from '../prediction/prediction-state.ts';
import {FilterForm, WebhookForm} from './webhook-form.tsx';
import {lastHealth, listedWebhooks, markedWebhook, type WebhookHealth, type WebhooksState} from './webhooks-state.ts';

/** A webhook without a delivery for this long may be dead, since its events come all the time, ms. */
const SILENT_MS = 10 * 60_000;

/** The webhooks of the API key, one of them, or the form of another one. */
export function WebhooksPage({state, frame}: PageProps<WebhooksState>): ReactNode {
	const all = listedWebhooks(state);
	const marked = markedWebhook(state);
	if (state.step === 'list') return <WebhookList state={state} all={all} marked={marked} frame={frame} />;
	const inner = {state, frame};
	const isAbout = state.step === 'edit' || state.step === 'remove' || state.step === 'detail';
	const name = clean(marked?.name ?? 'a webhook', {maxCells: 40});
	const title = {
		create: 'new webhook',
		edit: `filter of ${name}`,
		secret: 'new webhook',
		remove: 'delete',
		detail: name,
	};
	return (
		<TextPage frame={frame} title={<Title>{title[state.step]}</Title>} scroll={state.scroll}>
			{state.step === 'create' && <WebhookForm {...inner} />}
			{state.step === 'edit' && <FilterForm {...inner} />}
			{state.step === 'secret' && <Secret {...inner} />}
			{state.step === 'remove' && marked && <Removal {...inner} webhook={marked} />}
			{state.step === 'detail' && marked && (
				<Webhook {...inner} webhook={marked} health={state.health.get(marked.id)} />
			)}
			{isAbout && marked === undefined && (
				<Paragraph
					tone="warn"
					text={frame.named(
						`${unreadText(state.unread) || 'This webhook is gone: it was deleted elsewhere.'} {menu.close} goes back to the list.`,
					)}
				/>
			)}
			{state.step !== 'secret' && <Tail {...inner} />}
		</TextPage>
	);
}

interface PartProps {
	readonly state: WebhooksState;
	readonly frame: PageFrame;
}

function WebhookList({
	state,
	all,
	marked,
	frame,
}: PartProps & {
	readonly all: readonly WebhookRecord[];
	readonly marked: WebhookRecord | undefined;
}): ReactNode {
	const width = useWidth();
	const {nowMs} = frame;
	const {glyphs} = useDisplay();
	const {unknown} = glyphs;
	const byId = new Map(all.map(webhook => [webhook.id, webhook]));
	const cells = fittingCells(
		cellsOf(id => byId.get(id)!, state.health, {glyphs, nowMs}),
		width,
		40,
	);
	// Unknown where the list was never read.
	const isUnread = state.list.kind === 'failed' && all.length === 0;
	const count = state.list.kind === 'loading' ? 'loading' : isUnread ? unknown : `${all.length}`;
	return (
		<ListPage
			frame={frame}
			title={<Title warning={unreadText(state.unread)}>{count}</Title>}
			headings={<TableHeadings cells={cells} />}
			keys={[...byId.keys()]}
			marked={state}
			line={id => <TableCells cells={cells} of={id} />}
			empty={<Empty state={state} frame={frame} />}
			end={<End state={state} marked={marked} />}
		/>
	);
}

function Title({children, warning = ''}: {readonly children: string; readonly warning?: string}): ReactNode {
	return (
		<PageTitle>
			<Text tone="brand">WEBHOOKS</Text>
			{'  '}
			<Text tone="text">{children}</Text>
			<Text tone="warn">{warning && `  ${warning}`}</Text>
		</PageTitle>
	);
}

/** The failure of the last key, and the request under way. */
function Tail({state: {busy, problem}}: PartProps): ReactNode {
	const display = useDisplay();
	return (
		<>
			{problem && <Problem problem={problem} />}
			{busy !== undefined && (
				<>
					<Line />
					<Line>
						<Text tone="warn">{`${display.glyphs.waiting} ${busy}`}</Text>
					</Line>
				</>
			)}
		</>
	);
}

function cellsOf(
	of: (id: string) => WebhookRecord,
	health: WebhooksState['health'],
	now: {readonly glyphs: Glyphs; readonly nowMs: number},
): readonly TableCell[] {
	const last = (id: string) => lastDelivery(of(id), lastHealth(health.get(id)), now);
	const count = (figure: (known: WebhookDeliveries) => number, tone: Tone): TableCell['text'] => {
		return id => {
			const known = lastHealth(health.get(id));
			const value = known && figure(known);
			return {text: brief(value, now.glyphs.unknown), tone: value === undefined || value === 0 ? 'dim' : tone};
		};
	};
	return [
		{
			head: '  NAME',
			width: 14,
			align: 'left',
			text(id) {
				const {glyph, tone} = last(id);
				return (
					<>
						<Text tone={tone}>{glyph} </Text>
						<Text tone="text">{of(id).name}</Text>
					</>
				);
			},
		},
		{
			head: 'DELIVERS TO',
			width: 34,
			align: 'left',
			rank: 2,
			text: id => ({text: maskedUrl(of(id).webhookUrl), tone: 'dim'}),
		},
		{head: 'EVENTS', width: 22, align: 'left', rank: 1, text: id => ({text: of(id).events.join(' '), tone: 'text'})},
		{head: 'LAST', width: 8, align: 'left', text: last},
		{head: 'DONE', width: 5, align: 'right', rank: 3, text: count(({delivered}) => delivered, 'good')},
		{head: 'FAILED', width: 6, align: 'right', rank: 4, text: count(({failedAttempts}) => failedAttempts, 'warn')},
		{head: 'DEAD', width: 5, align: 'right', text: count(({deadLettersCount}) => deadLettersCount, 'bad')},
	];
}

/** When the last delivery or attempt was. A long silence is a warning, too. */
function lastDelivery(
	{createdAt}: WebhookRecord,
	health: WebhookDeliveries | undefined,
	{glyphs, nowMs}: {readonly glyphs: Glyphs; readonly nowMs: number},
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

function Empty({state: {list, unread}, frame: {readOnly, named}}: PartProps): ReactNode {
	const hint = readOnly
		? 'In read-only mode no webhook can be created.'
		: named('{webhooks.create} creates one: the service then posts each event to your URL.');
	const {text, isBad} = emptyText(list, `${unread > 0 ? '' : 'This API key has no webhook. '}${hint}`);
	return <Paragraph tone={isBad ? 'bad' : 'dim'} text={text} />;
}

/** The last line of the list: the work under way, else the failure, else the purpose of the marked webhook. */
function End({
	state: {list, busy, problem, health},
	marked,
}: {
	readonly state: WebhooksState;
	readonly marked: WebhookRecord | undefined;
}): ReactNode {
	const {waiting, cross} = useDisplay().glyphs;
	const failed = problem ?? (list.kind === 'failed' && marked ? list.problem : undefined);
	const known = marked && health.get(marked.id);
	const [tone, text]: readonly [Tone, string] =
		busy !== undefined
			? ['warn', `${waiting} ${busy}`]
			: failed
				? ['bad', `${cross} ${failed.what}: ${failed.why}`]
				: known?.kind === 'failed'
					? ['warn', `no delivery status: ${known.problem.why}`]
					: ['dim', marked ? purposeOf(marked) : ''];
	return text !== '' && <EndLine tone={tone}>{text}</EndLine>;
}

function purposeOf({events, chainIds, apiKey}: WebhookRecord): string {
	return `${events.join(' ')} on ${chainIds.join(' ')}, key ${maskedKey(apiKey)}`;
}

interface WebhookProps extends PartProps {
	readonly webhook: WebhookRecord;
}

/** Everything about one webhook. */
function Webhook({webhook, health, frame}: WebhookProps & {readonly health: WebhookHealth | undefined}): ReactNode {
	const {readOnly, named} = frame;
	const {unknown} = useDisplay().glyphs;
	const facts = {
		events: webhook.events.join(', '),
		chains: webhook.chainIds.join(', '),
		key: maskedKey(webhook.apiKey),
		created: dateTime(timeOf(webhook.createdAt), unknown),
	};
	const known = lastHealth(health);
	return (
		<>
			<Fact label="posts to" tone="strong">
				{maskedUrl(webhook.webhookUrl)}
			</Fact>
			<Facts facts={Object.entries(facts)} />
			<Fact label="id" tone="dim">
				{webhook.id}
			</Fact>
			<Section title="Filter" />
			{webhook.filters === null ? (
				<Paragraph tone="dim" text="None: every event is delivered." />
			) : (
				<Paragraph tone="text" text={filterLineOf(webhook.filters)} />
			)}
			{!readOnly && <Paragraph tone="dim" text={named('{webhooks.edit} changes it.')} />}
			<Section title="Deliveries" />
			{health?.kind === 'failed' && (
				<Paragraph tone="warn" text={`No delivery status: ${health.problem.what}: ${health.problem.why}`} />
			)}
			{known ? (
				<Deliveries webhook={webhook} known={known} frame={frame} />
			) : (
				health?.kind !== 'failed' && <Paragraph tone="dim" text="Loading" />
			)}
		</>
	);
}

function Deliveries({
	webhook,
	known,
	frame: {nowMs, readOnly, named},
}: Omit<WebhookProps, 'state'> & {readonly known: WebhookDeliveries}): ReactNode {
	const {glyphs} = useDisplay();
	const last = lastDelivery(webhook, known, {glyphs, nowMs});
	const {lastAttempt: attempt, deadLetters, deadLettersCount, dropped} = known;
	return (
		<>
			<Fact label="last" tone={last.tone}>
				{attempt === null || attempt === undefined
					? 'nothing was delivered yet'
					: `${attempt.success ? 'delivered' : 'failed'} ${last.text}: ${attempt.event}${attempt.status === null ? '' : `, status ${attempt.status}`}${attempt.reason === null ? '' : `, ${attempt.reason}`}`}
			</Fact>
			<Facts
				facts={[
					['delivered', grouped(known.delivered)],
					['failed', `${grouped(known.failedAttempts)} tries`],
					['waiting', grouped(known.pending)],
				]}
			/>
			<Fact label="dropped" tone={dropped > 0 ? 'warn' : 'text'}>
				{`${grouped(dropped)} (queue full)`}
			</Fact>
			<Section title={`Dead letters, ${grouped(deadLettersCount)}`} />
			{deadLetters.length === 0 && (
				<Paragraph tone="dim" text="None: everything was delivered, or is still being tried." />
			)}
			{deadLetters.map(({failedAt, event, attempts, status, reason}, at) => (
				<Paragraph
					// biome-ignore lint/suspicious/noArrayIndexKey: a letter is its place
					key={at}
					tone="text"
					text={`${dateTime(timeOf(failedAt), glyphs.unknown)}  ${event}  ${attempts} tries, ${status === null ? '' : `status ${status}, `}${reason}`}
				/>
			))}
			{deadLettersCount > 0 && !readOnly && (
				<>
					<Line />
					<Paragraph tone="dim" text={named('{webhooks.redeliver} puts them back into the queue.')} />
				</>
			)}
		</>
	);
}

/** The secret of a new webhook, which is shown once. */
function Secret({state: {secret}, frame: {named}}: PartProps): ReactNode {
	const {check} = useDisplay().glyphs;
	if (!secret) return null;
	return (
		<>
			<Paragraph tone="good" text={`${check} The webhook ${clean(secret.name, {maxCells: 40})} is there.`} />
			<Line />
			<Paragraph tone="text" text="Its deliveries are signed with this secret. It is shown now and never again:" />
			<Line />
			<Fact label="secret" tone="strong">
				{clean(secret.secret, {maxLength: 200})}
			</Fact>
			<Line />
			<Paragraph
				tone="dim"
				text={named(
					'{menu.copy} copies the secret. {menu.accept} or {menu.close} goes back, and the secret is not shown again.',
				)}
			/>
		</>
	);
}

/** The question before a webhook is deleted. */
function Removal({state: {answer}, webhook, frame: {named}}: WebhookProps): ReactNode {
	return (
		<>
			<Paragraph
				tone="warn"
				text="This webhook will be deleted, with what still waits to be delivered and its dead letters."
			/>
			<Line />
			<Fact label="name" tone="strong">
				{webhook.name}
			</Fact>
			<Fact label="to">{maskedUrl(webhook.webhookUrl)}</Fact>
			<Fact label="id" tone="dim">
				{webhook.id}
			</Fact>
			<Line />
			<Answers answer={answer === 'remove' ? 'sign' : 'cancel'} sign="Delete" />
			<Line />
			<Paragraph
				tone="dim"
				text={named('{webhooks.turn} chooses the other answer, {menu.accept} gives the marked one.')}
			/>
		</>
	);
}
