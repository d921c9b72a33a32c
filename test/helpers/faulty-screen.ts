import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {age, compact} from '../../source/ui/format.ts';
import type {Fault} from '../chaos/fault.ts';
import {type Figures, openFaultyService, VIEWS, type ViewName} from './faulty-service.ts';
import {PATIENCE_MS} from './patience.ts';
import {CLI} from './program.ts';
import {openPty} from './pty.ts';
import type {Screen} from './screen.ts';

/** The built program in a terminal, reading a service through a proxy with faults. */
export interface FaultyScreen {
	/** Turns faults on for a while, and until each has struck. */
	suffer(faults: readonly Fault[], forMs: number): Promise<void>;
	/**
	 * Milliseconds from now until the screen says that it is live and shows in each column what the service says, row by row.
	 * @throws Error when that takes longer than it may
	 */
	untilRight(withinMs: number): Promise<number>;
	close(): Promise<void>;
}

/** Three columns, with room for every token in each. */
const SIZE = {columns: 200, rows: 60};
/** Below the header, the titles and the headings. */
const FIRST_ROW = 3;
const RULE = '│';
/** What a row shows: mark, symbol, chain, and these figures in one line. */
const CONFIG = VIEWS.map(view => `[columns.${view}]\nfields = ["age", "mcap", "holders"]\n`).join('');
const ROW = /^..(?<symbol>T\d+) +[A-Z]+ +(?<age>\S+) +(?<cap>\S+) +(?<holders>\S+)/;

/** @param syncMs the service's time between two full views of a subscription; its default is a minute */
export async function openFaultyScreen({syncMs}: {syncMs?: number} = {}): Promise<FaultyScreen> {
	const service = await openFaultyService(syncMs === undefined ? {} : {syncMs});
	const {proxy, apiKey} = service;
	const home = await mkdtemp(join(tmpdir(), 'pulsetop-faulty-'));
	const config = join(home, 'rows.toml');
	await writeFile(config, CONFIG);
	const pty = await openPty({...SIZE, args: [CLI, '--base-url', proxy.url, '--api-key', apiKey, '--config', config]});

	async function untilRight(withinMs: number): Promise<number> {
		const startedMs = performance.now();
		const truth = await service.truth();
		await pty.waitFor(
			screen => isLive(screen) && VIEWS.every((_, at) => showsAll(columnOf(screen, at), inOneColumn(truth, at))),
			withinMs,
		);
		return performance.now() - startedMs;
	}

	await untilRight(PATIENCE_MS);
	return {
		suffer: service.suffer,
		untilRight,
		async close() {
			pty.kill();
			await pty.exit;
			pty.screen.dispose();
			await rm(home, {recursive: true, force: true});
			await service.close();
		},
	};
}

/** The tokens of a view that stand in its column: in BONDING from 30 % of their curve on, and before where NEW lists none. */
function inOneColumn(truth: Readonly<Record<ViewName, readonly Figures[]>>, at: number): readonly Figures[] {
	const view = VIEWS[at]!;
	const keys = (name: ViewName) => new Set(truth[name].map(({key}) => key));
	const [launched, bonding, bonded] = [keys('new'), keys('bonding'), keys('bonded')];
	const isLate = (token: Figures) =>
		bonding.has(token.key) && (token.bonding_percentage >= 30 || !launched.has(token.key));
	if (view === 'bonded') return truth.bonded;
	return truth[view].filter(token => !bonded.has(token.key) && isLate(token) === (view === 'bonding'));
}

function isLive(screen: Screen): boolean {
	return screen.row(0).includes('● live');
}

/** The rows of tokens in a column, from the left. */
function columnOf(screen: Screen, at: number): string[] {
	const lines = Array.from({length: screen.rows - FIRST_ROW - 1}, (_, y) => screen.row(FIRST_ROW + y));
	return lines.map(line => line.split(RULE)[at] ?? '').filter(row => /^..T\d/.test(row));
}

function showsAll(rows: readonly string[], wanted: readonly Figures[]): boolean {
	return rows.length === wanted.length && rows.every((row, at) => shows(row, wanted[at]!));
}

function shows(row: string, {symbol, market_cap, holders_count, created_at}: Figures): boolean {
	const shown = ROW.exec(row)?.groups;
	if (shown === undefined) return false;
	// An age is drawn when it changes: a second more or less is right.
	const ages = [-2, -1, 0, 1].map(s => age(Date.now() + s * 1000 - created_at));
	return (
		shown['symbol'] === symbol &&
		shown['cap'] === compact(market_cap) &&
		shown['holders'] === compact(holders_count) &&
		ages.includes(shown['age']!)
	);
}
