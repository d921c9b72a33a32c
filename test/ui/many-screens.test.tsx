import {PassThrough} from 'node:stream';
import {expect, onTestFinished, test} from 'vitest';
import type {Client} from '../../source/client/client.ts';
import type {Entry} from '../../source/contract/entry.ts';
import {initialState} from '../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../source/monitor/state.ts';
import {snapshotArrived} from '../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../source/monitor/transitions/screen.ts';
import {createStore} from '../../source/store.ts';
import {glyphsFor} from '../../source/ui/glyphs.ts';
import {createScreen, openScreen} from '../../source/ui/open-screen.tsx';
import {entryOf} from '../helpers/entries.ts';
import {turn} from '../helpers/ink-beside.tsx';
import {NOW_MS} from '../helpers/monitor-app.tsx';
import {fc} from '../helpers/properties.ts';
import {Emulator} from '../unit/terminal/emulator.ts';

const UNICODE = glyphsFor(false);
const CAPABILITIES = {
	isTTY: true,
	depth: 'none',
	unicode: true,
	hyperlinks: false,
	ignoresUnknown: false,
	clipboard: 'osc52',
	overSsh: true,
	isDirect: false,
	multiplexer: undefined,
} as const;

/** A monitor on an emulated terminal, without a service. */
function openOne(columns: number, entries: readonly Entry[], client?: Client) {
	const output = new Emulator(columns, 24);
	const input = Object.assign(new PassThrough(), {isTTY: true});
	// Answers of the terminal come among the keys.
	output.terminal.onData(answer => input.write(answer));
	const terminal = {input, output, capabilities: CAPABILITIES};
	const screen = createScreen(terminal, {mouse: false, ambiguousWidth: 'narrow'});
	const store = createStore<MonitorState>(
		initialState({
			size: {columns, rows: 24},
			nowMs: NOW_MS,
			service: {label: 'simulated market', embedded: true},
			theme: 'dark',
			readOnly: true,
			visit: {viewers: 2},
		}),
	);
	const open = openScreen({
		terminal,
		screen,
		store,
		app: moments => ({
			effects: {
				client: () => client,
				session: () => undefined,
				copy: async () => 'copied.',
				openPage: async () => 'remote',
				saveChoices() {},
				moments,
				suspend() {},
				redraw: () => screen.retake(),
				quit() {},
				nowMs: () => NOW_MS,
			},
			apiKey: () => undefined,
		}),
		onBackground() {},
	});
	const drawn = open.enter();
	store.apply(state => columnChanged(state, 'new', column => snapshotArrived(column, entries, NOW_MS)));
	return {
		press: (keys: string) => input.write(keys),
		/** What the terminal shows once everything is drawn. */
		text: async () => {
			await turn();
			await screen.shown();
			await output.settled();
			return output.text();
		},
		state: store.get,
		close: async () => {
			await open.leave();
			await drawn;
		},
	};
}

/** As many tokens in both, and the same first one: only their names differ, and one is a copy of another. */
const YOUNG = {created_at: NOW_MS - 5000};
const ONE = [
	entryOf('0x1', {symbol: 'PEPE', market_cap: 9e6, ...YOUNG}),
	entryOf('0x3', {symbol: 'PEPE', market_cap: 1000, created_at: NOW_MS - 9000}),
];
const OTHER = [
	entryOf('0x1', {symbol: 'WIF', market_cap: 1000, ...YOUNG}),
	entryOf('0x4', {symbol: 'CAT', market_cap: 1000, created_at: NOW_MS - 9000}),
];
test('a copy is marked on the screen that has its original, whatever another screen shows', async () => {
	const other = openOne(120, OTHER);
	const one = openOne(120, ONE);
	onTestFinished(() => Promise.all([one.close(), other.close()]).then(() => undefined));
	expect(await other.text()).not.toContain(UNICODE.alike);
	expect(await one.text()).toContain(`${UNICODE.alike}PEPE`);
	expect(await other.text()).not.toContain(UNICODE.alike);
});

const keys = fc.array(fc.constantFrom('j', 'k', '\t', '\r', '?', 'V', 'v', 's', 'f', 'a', 'g', 'G', ':', '1', '/'), {
	maxLength: 12,
});

test('two screens of one process show under any keys what each shows alone', async () => {
	await fc.assert(
		fc.asyncProperty(keys, keys, async (first, second) => {
			const alone = await Promise.all(
				(
					[
						[90, ONE, first],
						[120, OTHER, second],
					] as const
				).map(async ([columns, entries, pressed]) => {
					const one = openOne(columns, entries);
					for (const key of pressed) one.press(key);
					const text = await one.text();
					await one.close();
					return text;
				}),
			);
			const one = openOne(90, ONE);
			const other = openOne(120, OTHER);
			onTestFinished(() => Promise.all([one.close(), other.close()]).then(() => undefined));
			for (let at = 0; at < Math.max(first.length, second.length); at++) {
				if (first[at] !== undefined) one.press(first[at]!);
				if (second[at] !== undefined) other.press(second[at]!);
			}
			expect([await one.text(), await other.text()]).toEqual(alone);
			await Promise.all([one.close(), other.close()]);
		}),
		{numRuns: 40},
	);
});

test('a screen that is left ends what its opened token looks up', async () => {
	const pending = new Promise<never>(() => {});
	const [watched, closed]: [string[], string[]] = [[], []];
	const client = {
		clock: {nowMs: () => NOW_MS, skewMs: 0},
		watchToken: ({address}: {address: string}) => {
			watched.push(address);
			return {close: () => closed.push(address)};
		},
		fetchToken: () => pending,
		labels: () => pending,
		sparkline: () => pending,
		call: () => pending,
		fetchPage: () => pending,
	} as unknown as Client;
	const one = openOne(120, ONE, client);
	one.press('j');
	one.press('\r');
	await expect.poll(one.text).toMatch(/PEPE/);
	await expect.poll(() => watched).toEqual(['0x1']);
	expect(closed).toEqual([]);
	await one.close();
	await expect.poll(() => closed).toEqual(['0x1']);
});
