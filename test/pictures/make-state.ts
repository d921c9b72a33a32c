import {writeFile} from 'node:fs/promises';
import {createClient} from '../../source/client/create-client.ts';
import {createRecording} from '../../source/commands/recording/recording-writer.ts';
import type {Entry} from '../../source/contract/entry.ts';
import {headerLine} from '../../source/contract/recording.ts';
import {createRecordingEncoder} from '../../source/contract/recording-encode.ts';
import {initialState} from '../../source/monitor/initial-state.ts';
import {createDetailLookups} from '../../source/monitor/requests/detail-lookups.ts';
import {openSession} from '../../source/monitor/session.ts';
import {detailOpened} from '../../source/monitor/transitions/screen.ts';
import {PHASES, type ViewName} from '../../source/monitor/views.ts';
import {createMarket} from '../../source/service/market/create-market.ts';
import {startService} from '../../source/service/server.ts';
import {createStore} from '../../source/store.ts';
import {until} from '../helpers/until.ts';
import {
	COLUMNS_FILE,
	DETAIL_FILE,
	DETAIL_INDEX,
	DETAIL_VIEW,
	PICTURE_MS,
	type PicturedDetail,
} from './picture-state.ts';

/*
 * Stores what the pictures of the README show: the columns of a simulated market at two moments, a second apart, and a token
 * opened. Run it when entries have new fields that the pictures should show: node test/pictures/make-state.ts
 */

/** More rows than a picture has lines. */
const ROWS = 20;

let nowMs = PICTURE_MS;
Date.now = () => nowMs;
const market = createMarket({seed: 12, nowMs: () => nowMs});
market.fill();
const service = await startService({market, apiKeys: ['key']});
const client = createClient({baseUrl: service.url, apiKey: 'key'});
const store = createStore(
	initialState({
		size: {columns: 120, rows: 34},
		nowMs,
		service: {label: 'simulated market', embedded: true},
		theme: 'dark',
	}),
);
const session = openSession(store, client);
const columnOf = (view: ViewName) => store.get().columns[view];
const shown = (view: ViewName): Entry[] =>
	columnOf(view)
		.order.slice(0, ROWS)
		.map(key => columnOf(view).rows.get(key)!.entry);
await until(() => PHASES.every(view => columnOf(view).rows.size >= ROWS && columnOf(view).total !== undefined));

const writer = await createRecording(COLUMNS_FILE, {replaces: true});
const encoder = createRecordingEncoder();
const write = (line: string | undefined): boolean => line !== undefined && writer.write(line);
const writeColumns = (): void => {
	for (const view of PHASES) write(encoder.line({type: 'snapshot', view, atMs: nowMs, tokens: shown(view)}));
};
write(headerLine({atMs: nowMs, views: Object.fromEntries(PHASES.map(view => [view, {model: view}]))}));
writeColumns();
const before = columnOf(DETAIL_VIEW).changedAtMs;
nowMs += 1000;
market.advance(nowMs);
await until(() => columnOf(DETAIL_VIEW).changedAtMs > before);
writeColumns();
write(encoder.line({type: 'end', atMs: nowMs}));
await writer.close();

const entry = shown(DETAIL_VIEW)[DETAIL_INDEX]!;
store.apply(state => detailOpened(state, entry));
const lookups = createDetailLookups(store, () => client);
lookups.open(entry, '24h');
const kinds = () => {
	const detail = store.get().detail;
	return [detail?.lookup, detail?.labels.kind, detail?.sparkline.kind];
};
await until(() => kinds().every(kind => kind === 'ready' || kind === 'found'));
const {entry: found, labels, sparkline} = store.get().detail!;
if (labels.kind !== 'ready' || sparkline.kind !== 'ready') throw new Error('not ready');
const detail: PicturedDetail = {
	totals: Object.fromEntries(PHASES.map(view => [view, columnOf(view).total!])),
	entry: found,
	labels: [...labels.value],
	sparkline: sparkline.value!,
};
await writeFile(DETAIL_FILE, `${JSON.stringify(detail, undefined, '\t')}\n`);
lookups.close();
session.close();
await client.close();
await service.close();
