import type {WebhookRecord} from '../../contract/webhook.ts';
import {filterLineOf} from '../../monitor/webhooks/webhook-filter-line.ts';
import {maskedKey, maskedUrl} from '../../monitor/webhooks/webhook-key.ts';
import {clean} from '../../text.ts';
import type {Flags} from '../line/flags.ts';
import {screenWidth} from '../output/output.ts';
import {type PrintedList, printList} from '../output/print-list.ts';
import {type TableColumn, tableText} from '../output/table.ts';

/** A webhook for output: its key, and user and query of its address, are masked. */
export function recordDocument({id, name, webhookUrl, events, chainIds, apiKey, createdAt, filters}: WebhookRecord) {
	return {
		id: clean(id),
		name: clean(name),
		url: clean(maskedUrl(webhookUrl)),
		events: events.map(event => clean(event)),
		chainIds: chainIds.map(chainId => clean(chainId)),
		key: maskedKey(apiKey),
		createdAt: clean(createdAt),
		filter: filters === null ? '' : clean(filterLineOf(filters)),
		filters,
	};
}

export type RecordDocument = ReturnType<typeof recordDocument>;

/**
 * Prints webhooks in the format of the flags.
 * @param document the JSON document of the command
 * @param empty the text for no webhooks
 */
export async function printRecords(
	flags: Flags,
	records: readonly RecordDocument[],
	{document, ascii, empty}: {document: object; ascii: boolean; empty: string},
): Promise<void> {
	await printList(flags, {
		items: records,
		table: () => (records.length === 0 ? empty : tableText(COLUMNS, records, {width: screenWidth(), ascii})),
		document,
		csv: CSV,
	});
}

const COLUMNS: readonly TableColumn<RecordDocument>[] = [
	{title: 'NAME', cell: ({name}) => name, shrinksTo: 8},
	{title: 'DELIVERS TO', cell: ({url}) => url, shrinksTo: 12},
	{title: 'EVENTS', cell: ({events}) => events.join(' '), shrinksTo: 6},
	{title: 'CHAINS', cell: ({chainIds}) => chainIds.join(' '), shrinksTo: 8},
	{title: 'FILTER', cell: ({filter}) => filter, shrinksTo: 6},
	{title: 'KEY', cell: ({key}) => key},
	{title: 'ID', cell: ({id}) => id},
];

const CSV: PrintedList<RecordDocument>['csv'] = {
	id: ({id}) => id,
	name: ({name}) => name,
	url: ({url}) => url,
	events: ({events}) => events.join(' '),
	chains: ({chainIds}) => chainIds.join(' '),
	filter: ({filter}) => filter,
	key: ({key}) => key,
	created_at: ({createdAt}) => createdAt,
};
