import {EventEmitter} from 'node:events';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {initialState} from '../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../source/monitor/state.ts';
import {snapshotArrived} from '../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../source/monitor/transitions/screen.ts';
import {createStore} from '../../source/store.ts';
import {LiveScreen} from '../../source/terminal/live-screen.ts';
import type {TerminalStream} from '../../source/terminal/output.ts';
import {renderLive} from '../../source/terminal/render-live.tsx';
import type {Row} from '../../source/terminal/style.ts';
import {App} from '../../source/ui/app.tsx';
import {glyphsFor} from '../../source/ui/glyphs.ts';
import {FromRows} from '../../source/ui/live/lines.tsx';
import {
	type BridgeWindow,
	type MoneyState,
	type MoneyStep,
	NO_TRANSFER,
	stepTaken,
	windowOpened,
} from '../../source/ui/money/money-state.ts';
import {createScreenModel} from '../../source/ui/screen-model.ts';
import {entryOf} from '../helpers/entries.ts';
import {stdin} from '../helpers/ink-beside.tsx';
import {Emulator} from '../unit/terminal/emulator.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

/** A terminal that takes a piece at a time, and is always a moment behind: frames come in pieces of two kB. */
class SlowTerminal extends EventEmitter implements TerminalStream {
	readonly isTTY = true;
	readonly emulator: Emulator;
	writableLength = 0;
	writes = 0;
	/** All that a person saw: the screen after each write, unless its marks still hold the frame back. */
	readonly seen: string[] = [];

	constructor(columns: number, rows: number) {
		super();
		this.emulator = new Emulator(columns, rows);
	}

	get columns(): number {
		return this.emulator.columns;
	}

	get rows(): number {
		return this.emulator.rows;
	}

	write(data: string, callback?: () => void): boolean {
		this.writes++;
		this.writableLength += data.length;
		this.emulator.terminal.write(data, () => {
			if (!this.emulator.terminal.modes.synchronizedOutputMode) this.seen.push(this.emulator.text());
			this.writableLength -= data.length;
			callback?.();
		});
		return false;
	}
}

/** As many lines as a step of a transfer has, each of them unlike those of the other steps. */
const HEIGHTS: Partial<Record<MoneyStep, number>> = {form: 6, review: 40, accept: 9, confirm: 12, status: 60};
const rowsOf = (step: MoneyStep): Row[] =>
	Array.from({length: HEIGHTS[step] ?? 1}, (_, at) => [{text: `${step} ${at} ${step.repeat(9)}`}]);

function open(size: {columns: number; rows: number}) {
	const store = createStore<MonitorState>(
		initialState({size, nowMs: NOW_MS, service: {label: 'simulated market', embedded: true}, theme: 'dark'}),
	);
	const fill = (turnover: number) => {
		for (const view of ['new', 'bonding', 'bonded'] as const) {
			const entries = Array.from({length: 50}, (_, n) =>
				entryOf(`0x${view}${n}`, {symbol: `T${n}${view}`, market_cap: turnover * (n + 1)}),
			);
			store.apply(state => columnChanged(state, view, column => snapshotArrived(column, entries, NOW_MS)));
		}
	};
	fill(1000);
	const money = createStore<MoneyState>({
		wallet: {mode: 'practice', status: 'unlocked'},
		bridge: windowOpened(NO_TRANSFER) as BridgeWindow,
	});
	const canvas = {glyphs: glyphsFor(false)};
	const terminal = new SlowTerminal(size.columns, size.rows);
	const screen = new LiveScreen({stdout: terminal, depth: 'truecolor', frameHoldMs: Number.POSITIVE_INFINITY});
	screen.enter();
	const props = {
		money,
		content: () => () => <FromRows rows={rowsOf(money.get().bridge!.step)} />,
		onDrawn() {},
		onReach: (reach: number) => money.apply(state => (state.reach === reach ? state : {...state, reach})),
		onReveal() {},
	};
	const app = renderLive(<App store={store} model={createScreenModel(canvas)} rendering={canvas} money={props} />, {
		screen,
		stdin,
	});
	/** The screen when all is drawn. */
	const settled = async (): Promise<string> => {
		for (let quiet = 0, length = -1; quiet < 3; ) {
			await screen.written();
			await terminal.emulator.settled();
			await new Promise(resolve => setImmediate(resolve));
			quiet = length === terminal.writes ? quiet + 1 : 0;
			length = terminal.writes;
		}
		return tidy(terminal.emulator.text());
	};
	const mode = (kind: 'bridge' | 'list') =>
		store.apply(state => ({...state, modes: kind === 'list' ? [{kind}] : [{kind: 'list'}, {kind}]}));
	const step = (to: MoneyStep) => money.apply(state => ({...state, bridge: stepTaken(state.bridge!, to)}));
	return {store, money, terminal, settled, mode, step, fill, end: () => app.unmount()};
}

/** Without the mark that goes when keys begin to count: it has a frame of its own, whenever its timer ends. */
function tidy(text: string): string {
	return text.replace(/ …(?= *║)/g, '  ');
}

/** The clock of the output stands still: a terminal that was slow once stays slow, however long a test takes. */
beforeEach(() => void vi.useFakeTimers({toFake: ['performance']}));
afterEach(() => void vi.useRealTimers());

test('a step that changes the height of a window is one frame, never half drawn on any slow terminal', async () => {
	const {terminal, settled, mode, step, end} = open({columns: 120, rows: 50});
	await settled();
	mode('bridge');
	step('form');
	let before = await settled();
	expect(before).toMatch(/form 5/);
	let maxPieces = 0;
	for (const to of ['review', 'accept', 'confirm', 'status', 'form', 'review', 'form'] as const) {
		terminal.seen.length = 0;
		const writes = terminal.writes;
		step(to);
		const after = await settled();
		expect(after).toMatch(new RegExp(`${to} ${Math.min(HEIGHTS[to]! - 1, 44)}`));
		maxPieces = Math.max(maxPieces, terminal.writes - writes);
		const states = new Set(terminal.seen.map(tidy));
		for (const state of states) expect([before, after]).toContain(state);
		before = after;
	}
	expect(maxPieces).toBeGreaterThan(2);
	end();
});

test('the mark of a window whose keys do not count yet is no part of what the frames are compared by', () => {
	expect(tidy('  T0new  ║  PRACTICE MONEY  Bridge …     ║  1h')).toBe('  T0new  ║  PRACTICE MONEY  Bridge       ║  1h');
	expect(tidy('  T43bon… SOL  │')).toBe('  T43bon… SOL  │');
});

test('a window is as tall as what it shows, and what changes below it stays still and without colour', async () => {
	const {terminal, settled, mode, step, fill, end} = open({columns: 160, rows: 45});
	const list = await settled();
	expect(list).toContain('T0new');
	mode('bridge');
	step('form');
	const shown = await settled();
	const bottom = shown.split('\n').findIndex(line => line.includes('╚'));
	expect(bottom).toBeGreaterThan(8);
	expect(bottom).toBeLessThan(20);
	const colours = new Set(
		Array.from({length: 20}, (_, y) => terminal.emulator.cells(bottom + 2 + y))
			.flat()
			.filter(({text}) => text.trim() !== '' && text !== '│')
			.map(({look}) => look),
	);
	expect(colours.size).toBe(1);
	terminal.seen.length = 0;
	fill(987_654);
	expect(await settled()).toBe(shown);
	mode('list');
	expect(await settled()).not.toBe(list);
	end();
});
