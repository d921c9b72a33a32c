import type {Client} from '../../client/client.ts';
import type {FeedRequest} from '../../client/feed/feed-events.ts';
import type {Config} from '../../config/config.ts';
import type {RiskThresholds} from '../../monitor/tokens/risk.ts';
import {PHASES, VIEWS} from '../../monitor/views.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {formatOf, screenWidth} from '../output/output.ts';
import {type PrintedList, printList} from '../output/print-list.ts';
import {tableText} from '../output/table.ts';
import type {OpenService} from '../service/open-service.ts';
import {withClient} from '../service/with-client.ts';
import {ENTRY_CSV, feedColumns} from './columns.ts';
import {followFeed} from './follow.ts';
import {type FeedRead, readViews, UNREAD_ROWS, type View} from './once.ts';
import {requestFor} from './view-request.ts';

/**
 * `pulsetop feed`: prints the views once, or (`--follow`) every change of them until it is interrupted.
 * @param open opens another service than the configured or the embedded one
 * @returns the exit code
 * @throws UsageError for a filter or a sort that can't be read; the errors of the client
 */
export async function feed(call: Call, open?: (config: Config) => Promise<OpenService>): Promise<number> {
	const {flags} = call;
	const config = await call.readConfig();
	const names = flags.has('view') ? VIEWS.filter(view => flags.all('view').includes(view)) : PHASES;
	const request: FeedRequest = {
		assetMode: true,
		views: Object.fromEntries(names.map(name => [name, requestFor(name, config, flags)])),
	};
	const isLive = flags.has('follow');
	const format = formatOf(flags);
	if (isLive && flags.has('format') && !format.startsWith('json'))
		throw new UsageError(`--follow and --format ${format} exclude each other`, 'Each change is one line of JSON.');
	const printFeed = async (client: Client) => {
		if (isLive) return followFeed(client, request);
		const read = await readViews(client, request, {totals: format === 'json'});
		await printViews(read, client.clock.nowMs(), config, flags);
		for (const note of notesOf(read)) process.stderr.write(`pulsetop: ${note}\n`);
	};
	await withClient(config, printFeed, {isLive, ...(open && {open})});
	return 0;
}

/** Sentences about rows that the views leave out. */
function notesOf({views, hasUnread}: FeedRead): readonly string[] {
	const here = 'was applied here, to the rows loaded, not to all tokens';
	const note = (isOf: (view: View) => boolean | undefined, text: (names: string) => string): readonly string[] => {
		const names = [...views].flatMap(([name, view]) => (isOf(view) ? [name] : []));
		return names.length === 0 ? [] : [text(names.join(', '))];
	};
	return [
		...(hasUnread ? [UNREAD_ROWS] : []),
		...note(
			({isLocal}) => isLocal,
			names => `the service does not filter ${names}: the filter ${here}`,
		),
		...note(
			({isUnsorted}) => isUnsorted,
			names => `the service does not sort ${names}: the sort ${here}`,
		),
		...note(
			({lacksFigure}) => lacksFigure,
			names => `no row of ${names} has the figure of the sort: their order says nothing`,
		),
	];
}

function printViews(read: FeedRead, nowMs: number, {ui, risk: thresholds}: Config, flags: Flags): Promise<void> {
	return printList(flags, feedOutput(read, nowMs, {width: screenWidth(), ascii: ui.ascii, thresholds}));
}

/** The views as each format needs them. @param options the width of the table in cells, undefined for no limit */
export function feedOutput(
	{views, hasUnread}: FeedRead,
	nowMs: number,
	options: {readonly width: number | undefined; readonly ascii: boolean; readonly thresholds: RiskThresholds},
): PrintedList<{view: string}> {
	const rows = [...views].flatMap(([view, {entries}]) => entries.map(entry => ({view, entry})));
	return {
		items: rows.map(({view, entry}) => ({view, ...entry})),
		table: () =>
			rows.length === 0
				? `No token ${hasUnread ? 'that can be read ' : ''}matches.\n`
				: tableText(feedColumns(nowMs, options), rows, options),
		document: {
			schema: 'pulsetop.feed/1',
			atMs: nowMs,
			views: Object.fromEntries([...views].map(viewAsJson)),
			...(hasUnread && {hasUnread}),
		},
		csv: {view: ({view}: {view: string}) => view, ...ENTRY_CSV},
	};
}

function viewAsJson([name, {entries, total, isLocal, isUnsorted}]: readonly [string, View]): readonly [string, object] {
	return [name, {total: total ?? null, ...(isLocal && {isLocal}), ...(isUnsorted && {isUnsorted}), tokens: entries}];
}
