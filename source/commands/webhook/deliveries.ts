import type {WebhookDeliveries} from '../../contract/webhook.ts';
import {timeOf} from '../../ui/features/prediction/prediction-state.ts';
import {dateTime} from '../../ui/format.ts';
import type {Call} from '../line/command.ts';
import {screenWidth} from '../output/output.ts';
import {membersCsv, printList} from '../output/print-list.ts';
import {type TableColumn, tableText} from '../output/table.ts';
import {assertMayAct} from '../trading/context.ts';
import {factsText} from '../trading/output.ts';
import {onlyOperand, withWebhooks} from './access.ts';

/**
 * `pulsetop webhook deliveries ID`: prints the delivery status and the dead letters of a webhook; `--redeliver` first puts
 * the dead letters back into the queue.
 * @throws UsageError, ReadOnly; the errors of the service, which may lack this route
 */
export async function webhookDeliveries({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const id = onlyOperand(operands, 'webhook');
	const limit = flags.wholeNumber('limit', {from: 1, to: 100}) ?? 20;
	const offset = flags.wholeNumber('offset', {from: 0, to: 1_000_000}) ?? 0;
	if (flags.has('redeliver')) assertMayAct(config, 'another delivery');
	const {data, redelivered} = await withWebhooks(config, async ({call, apiKey}) => {
		const revived = flags.has('redeliver') ? await call('webhookRedeliver', {params: {id}, body: {apiKey}}) : undefined;
		const response = await call('webhookDeliveries', {params: {id}, query: {apiKey, limit, offset}});
		return {...response, redelivered: revived?.count};
	});
	const {ascii} = config.ui;
	const {deadLetters} = data;
	const letters = () =>
		deadLetters.length === 0 ? '' : `\n${tableText(COLUMNS, deadLetters, {width: screenWidth(), ascii})}`;
	await printList(flags, {
		items: deadLetters,
		table: () => factsText(facts(data, redelivered)) + letters(),
		document: {
			schema: 'pulsetop.webhook-deliveries/1',
			...(redelivered !== undefined && {redelivered}),
			deliveries: data,
		},
		csv: CSV,
	});
	return 0;
}

function facts(
	{id, delivered, failedAttempts, pending, dropped, lastAttempt, deadLettersCount}: WebhookDeliveries,
	redelivered: number | undefined,
) {
	const {at, event, success, status, reason} = lastAttempt ?? {};
	const last =
		lastAttempt === null
			? 'nothing was delivered yet'
			: `${success ? 'delivered' : 'failed'} ${dateTime(timeOf(at))}: ${[event, status === null ? '' : `status ${status}`, reason].filter(Boolean).join(', ')}`;
	return [
		{label: 'webhook', text: id},
		...(redelivered === undefined ? [] : [{label: 'delivered again', text: `${redelivered} are back in the queue`}]),
		{label: 'last', text: last},
		{label: 'delivered', text: String(delivered)},
		{label: 'failed', text: `${failedAttempts} attempts`},
		{label: 'waiting', text: String(pending)},
		{label: 'dropped', text: `${dropped} (queue full)`},
		{label: 'dead letters', text: String(deadLettersCount)},
	];
}

type Letter = WebhookDeliveries['deadLetters'][number];

const COLUMNS: readonly TableColumn<Letter>[] = [
	{title: 'FAILED', cell: ({failedAt}) => dateTime(timeOf(failedAt))},
	{title: 'EVENT', cell: ({event}) => event},
	{title: 'ATTEMPTS', align: 'right', cell: ({attempts}) => String(attempts)},
	{title: 'STATUS', align: 'right', cell: ({status}) => (status === null ? '-' : String(status))},
	{title: 'REASON', cell: ({reason}) => reason, shrinksTo: 10},
	{title: 'ID', cell: ({id}) => id},
];

const CSV = membersCsv<Letter>('id', 'event', 'createdAt', 'failedAt', 'attempts', 'status', 'reason');
