import {mkdtemp, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {readAlertRule} from '../../../source/monitor/alerts/alert-rules.ts';
import {alertsRaised} from '../../../source/monitor/alerts/alert-transitions.ts';
import {initialState} from '../../../source/monitor/initial-state.ts';
import {lastRowsShown, loadLastRows, saveLastRows} from '../../../source/monitor/last-rows.ts';
import {freshness} from '../../../source/monitor/select.ts';
import type {MonitorState} from '../../../source/monitor/state.ts';
import {snapshotArrived} from '../../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../../source/monitor/transitions/screen.ts';
import {entryOf} from '../../helpers/entries.ts';
import {openTestMonitor} from '../../helpers/monitor-app.tsx';

const NOW = Date.UTC(2026, 0, 4, 12, 0, 0);
const SERVICE = 'https://api.example.com';
const size = {columns: 120, rows: 30};
const service = {label: 'api.example.com', embedded: false};
const pepe = entryOf('pepe', {symbol: 'PEPE', market_cap: 12_000, created_at: NOW - 60_000});
const frog = entryOf('frog', {symbol: 'FROG', market_cap: 5000, created_at: NOW - 90_000});

let dataDir: string;
beforeEach(async () => {
	dataDir = await mkdtemp(join(tmpdir(), 'pulsetop-last-rows-'));
});
afterEach(() => rm(dataDir, {recursive: true, force: true}));

const opened = (more: Partial<Parameters<typeof initialState>[0]> = {}): MonitorState =>
	initialState({size, nowMs: NOW + 3_600_000, service, theme: 'dark', ...more});

/** A monitor that was left with two tokens in its first column, and none in the others. */
async function leave(): Promise<void> {
	const state = columnChanged(opened(), 'new', column => snapshotArrived(column, [pepe, frog], NOW));
	await saveLastRows(dataDir, SERVICE, state.columns, NOW + 5000);
}

async function start(state = opened()): Promise<MonitorState> {
	const rows = await loadLastRows(dataDir, SERVICE);
	return rows ? lastRowsShown(state, rows) : state;
}

test('the last rows are shown with their age until the service responds', async () => {
	await leave();
	const {columns, nowMs} = await start();
	expect(columns.new.order.map(key => columns.new.rows.get(key)?.entry)).toEqual([pepe, frog]);
	expect(columns.new.status).toEqual({kind: 'loading'});
	expect(freshness(columns.new.dataAtMs, nowMs)).toBe('unusable');
	// A column that had no answer is not one without tokens.
	expect(columns.bonding.dataAtMs).toBeUndefined();
});

test('the title says of when the rows are, until the first answer', async () => {
	await leave();
	const monitor = openTestMonitor({size: {columns: 120, rows: 30}});
	const atMs = NOW + 3_600_000;
	const rows = await loadLastRows(dataDir, SERVICE);
	const shown = lastRowsShown(opened(), rows!).columns.new;
	monitor.store.apply(state => ({...state, nowMs: atMs, columns: {...state.columns, new: shown}}));
	const title = () => monitor.frame().split('\n')[1];
	expect(title()).toMatch(/NEW 2 .* from (\d\d:\d\d|\d{4}-\d\d-\d\d) /);
	monitor.store.apply(state => columnChanged(state, 'new', column => snapshotArrived(column, [pepe], atMs)));
	expect(title()).toMatch(/NEW 1 /);
	expect(title()).not.toContain('from');
});

test('the first answer replaces it and rings no alert', async () => {
	await leave();
	const rule = readAlertRule('mcap>1');
	if (!rule.ok) throw new Error(rule.problem);
	const before = await start(opened({rules: [rule.rule]}));
	const newer = entryOf('newer', {symbol: 'NEWER', market_cap: 9000, created_at: NOW});
	const after = columnChanged(before, 'new', column => snapshotArrived(column, [newer], NOW + 3_600_000));
	expect(alertsRaised(before, after, NOW + 3_600_000).alerts.recent).toEqual([]);
	expect(after.columns.new.order).toEqual([newer.key]);
	expect(after.columns.new.status).toEqual({kind: 'ready'});
});

test('it is not shown over an answer, for another question, or for another service', async () => {
	await leave();
	const answered = columnChanged(opened(), 'new', column => snapshotArrived(column, [frog], NOW + 3_600_000));
	expect((await start(answered)).columns.new.order).toEqual([frog.key]);
	const filtered = opened({columns: {new: {filter: 'mcap>50k'}}});
	expect((await start(filtered)).columns.new.order).toEqual([]);
	expect(await loadLastRows(dataDir, 'https://other.example.com')).toBeUndefined();
});

test('a damaged file counts as no file, and only its owner may read it', async () => {
	await leave();
	const [name] = await readdir(join(dataDir, 'last-rows'));
	const file = join(dataDir, 'last-rows', name!);
	if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
	const bytes = await readFile(file);
	for (const bad of [bytes.subarray(0, bytes.length / 2), Buffer.from('no gzip'), Buffer.alloc(0)]) {
		await writeFile(file, bad);
		expect(await loadLastRows(dataDir, SERVICE)).toBeUndefined();
	}
});

test('of columns without any answer nothing is kept', async () => {
	await saveLastRows(dataDir, SERVICE, opened().columns, NOW);
	expect(await readdir(dataDir)).toEqual([]);
});

test('each column gets its own rows back, the one that answered last too', async () => {
	const answered = [
		['bonded', [pepe], NOW + 2000],
		['new', [frog], NOW + 3000],
		['bonding', [pepe, frog], NOW + 1000],
	] as const;
	const left = answered.reduce(
		(state, [view, entries, atMs]) => columnChanged(state, view, column => snapshotArrived(column, entries, atMs)),
		opened(),
	);
	await saveLastRows(dataDir, SERVICE, left.columns, NOW + 5000);
	const {columns} = await start();
	for (const [view, entries, atMs] of answered) {
		expect([...columns[view].rows.keys()].toSorted(), view).toEqual(entries.map(({key}) => key).toSorted());
		expect(columns[view].dataAtMs, view).toBe(atMs);
	}
	expect(columns.trending.rows.size).toBe(0);
});

test('rows of the future, after a clock that was set back, are not shown', async () => {
	await leave();
	const at = async (nowMs: number) => (await start({...opened(), nowMs})).columns.new.order.length;
	expect([await at(NOW), await at(NOW - 1)]).toEqual([2, 0]);
});

test('a damaged file is put aside and named, a missing one is no damage', async () => {
	const damaged: (string | undefined)[] = [];
	const load = () => loadLastRows(dataDir, SERVICE, kept => void damaged.push(kept));
	await load();
	expect(damaged).toEqual([]);
	await leave();
	const [name] = await readdir(join(dataDir, 'last-rows'));
	await writeFile(join(dataDir, 'last-rows', name!), 'no gzip');
	await load();
	expect(damaged).toEqual([expect.stringContaining('.damaged-')]);
	await load();
	expect(damaged).toHaveLength(1);
});
