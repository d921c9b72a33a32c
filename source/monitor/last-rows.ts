import {createHash} from 'node:crypto';
import {readFile, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {isDeepStrictEqual, promisify} from 'node:util';
import {gunzip, gzip} from 'node:zlib';
import {headerLine, readHeaderLine} from '../contract/recording.ts';
import {createRecordingDecoder} from '../contract/recording-decode.ts';
import {createRecordingEncoder} from '../contract/recording-encode.ts';
import {makeDirectory} from '../make-directory.ts';
import {putAside} from '../state-file.ts';
import type {Column} from './columns/column.ts';
import {isFollowed} from './columns/followed-views.ts';
import {headOf} from './select.ts';
import {viewRequest} from './session.ts';
import type {MonitorState} from './state.ts';
import {snapshotArrived} from './transitions/column.ts';
import {columnChanged} from './transitions/screen.ts';
import {VIEWS, type ViewName} from './views.ts';

/*
 * The rows of the columns at the end of the last run, so that the next start shows rows before the service responds. They
 * may be days old: they are dimmed like all old data, nothing can be signed on them, and the first response replaces them.
 * The file is a recording (contract/recording.ts) with one snapshot of each column.
 */

/** The rows of the columns and the request of each column. */
export interface LastRows {
	readonly views: Readonly<Record<string, unknown>>;
	readonly columns: readonly {
		readonly view: ViewName;
		readonly entries: Parameters<typeof snapshotArrived>[1];
		/** Time of the rows, local Unix ms. */
		readonly atMs: number;
	}[];
}

const MAX_BYTES = 32 * 1024 * 1024;

/** @param service its URL: rows of one service are never shown for another */
function fileIn(dataDir: string, service: string): string {
	const name = createHash('sha256').update(service).digest('hex').slice(0, 16);
	return join(dataDir, 'last-rows', `${name}.pulse`);
}

/** Writes the rows of the columns that have received rows. @throws the errors of the file system */
export async function saveLastRows(
	dataDir: string,
	service: string,
	columns: MonitorState['columns'],
	nowMs: number,
): Promise<void> {
	const ready = VIEWS.map(view => headOf(columns[view])).filter(({status}) => status.kind === 'ready');
	if (ready.length === 0) return;
	const encoder = createRecordingEncoder();
	const lines = ready
		.toSorted((a, b) => dataAt(a, nowMs) - dataAt(b, nowMs))
		.map(column => {
			const tokens = column.order.flatMap(key => column.rows.get(key)?.entry ?? []).slice(0, column.limit);
			return encoder.line({type: 'snapshot', view: column.view, atMs: dataAt(column, nowMs), tokens});
		});
	const views = Object.fromEntries(ready.map(column => [column.view, viewRequest(column)]));
	const text = [headerLine({atMs: Math.min(...ready.map(column => dataAt(column, nowMs))), views}), ...lines, ''].join(
		'\n',
	);
	const file = fileIn(dataDir, service);
	makeDirectory(join(file, '..'));
	await writeFile(`${file}.new`, await promisify(gzip)(text), {mode: 0o600});
	await rename(`${file}.new`, file);
}

function dataAt({dataAtMs}: Column, nowMs: number): number {
	return Math.min(dataAtMs ?? nowMs, nowMs);
}

/**
 * Reads the last rows of a service; undefined when there is no readable file.
 * @param onDamaged called when the file can't be read, with the name that it has now; undefined when it could not be renamed
 */
export async function loadLastRows(
	dataDir: string,
	service: string,
	onDamaged: (kept: string | undefined) => void = () => {},
): Promise<LastRows | undefined> {
	const file = fileIn(dataDir, service);
	try {
		const packed = await readFile(file);
		const text = (await promisify(gunzip)(packed, {maxOutputLength: MAX_BYTES})).toString('utf8');
		const [first = '', ...lines] = text.trimEnd().split('\n');
		const {views} = readHeaderLine(first);
		const decoder = createRecordingDecoder(Object.keys(views));
		const columns = lines.flatMap(line => {
			const event = decoder.event(line);
			const view = VIEWS.find(name => event?.type === 'snapshot' && event.view === name);
			return event?.type === 'snapshot' && view ? [{view, entries: event.tokens, atMs: event.atMs}] : [];
		});
		return {views, columns};
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onDamaged(putAside(file));
		return undefined;
	}
}

/**
 * Shows the rows in columns that have received none yet and whose request is the same. The columns stay in their loading
 * state, so that tokens of the first response count as known and raise no alert.
 */
export function lastRowsShown(state: MonitorState, {views, columns}: LastRows): MonitorState {
	return columns.reduce((next, {view, entries, atMs}) => {
		const column = next.columns[view];
		const isWaiting = column.status.kind !== 'ready' && column.dataAtMs === undefined;
		if (
			!isWaiting ||
			!isFollowed(next, view) ||
			atMs > next.nowMs ||
			!isDeepStrictEqual(plain(viewRequest(column)), views[view])
		)
			return next;
		const show = (waiting: Column): Column => ({
			...snapshotArrived(waiting, entries, atMs),
			status: waiting.status,
			orderedAtMs: 0,
		});
		return columnChanged(next, view, show);
	}, state);
}

/** The value as JSON gives it back. */
function plain(value: unknown): unknown {
	return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
