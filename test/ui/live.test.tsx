import {render} from 'ink-testing-library';
import {Fragment, memo, type ReactNode} from 'react';
import {expect, onTestFinished, test} from 'vitest';
import {FIRST_LINK} from '../../source/client/feed/feed-events.ts';
import type {Entry} from '../../source/contract/entry.ts';
import {initialState} from '../../source/monitor/initial-state.ts';
import {PackedMoment} from '../../source/monitor/rewind/packed-moment.ts';
import type {MonitorState} from '../../source/monitor/state.ts';
import {changesArrived, cursorPlaced, snapshotArrived} from '../../source/monitor/transitions/column.ts';
import {columnChanged, detailOpened, modeEntered, ticked} from '../../source/monitor/transitions/screen.ts';
import {PHASES, type ViewName} from '../../source/monitor/views.ts';
import {createStore} from '../../source/store.ts';
import {LiveScreen} from '../../source/terminal/live-screen.ts';
import {renderLive} from '../../source/terminal/render-live.tsx';
import {App} from '../../source/ui/app.tsx';
import {glyphsFor} from '../../source/ui/glyphs.ts';
import {createLines, DisplayContext, Line, linesOf, Text, useDisplay} from '../../source/ui/live/lines.tsx';
import {createScreenModel} from '../../source/ui/screen-model.ts';
import {DISPLAY} from '../helpers/drawn-rows.tsx';
import {entryOf} from '../helpers/entries.ts';
import {drawn, renderPlain, stdin, turn} from '../helpers/ink-beside.tsx';
import {NOW_MS} from '../helpers/monitor-app.tsx';
import {fc} from '../helpers/properties.ts';
import {Emulator} from '../unit/terminal/emulator.ts';

/** Text whose width Ink and the program count alike; live-screen.test.tsx covers other text. */
const word = fc.constantFrom('', 'PEPE', 'été', '猫猫', '🚀 moon', 'A LONG NAME of many letters', 'x');
const number = (max: number) => fc.option(fc.double({min: 0, max, noNaN: true}), {nil: undefined});
const token = (bonded: boolean) =>
	fc.record({
		address: fc.integer({min: 1, max: 1e9}).map(n => `0x${n.toString(16)}`),
		symbol: fc.option(word, {nil: undefined}),
		name: fc.option(word, {nil: undefined}),
		ageMs: fc.integer({min: 0, max: 1e8}),
		market_cap: number(1e9),
		price_change_1h: number(1e4),
		volume_1h: number(1e7),
		bonding_percentage: number(100),
		top_10_holdings_percentage: number(100),
		dev_holdings_percentage: number(100),
		bonded: fc.constant(bonded),
	});

function entriesOf(tokens: readonly {readonly address: string; readonly ageMs: number}[]): Entry[] {
	return tokens.map(({address, ageMs, ...figures}) => {
		const known = Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined));
		const createdMs = NOW_MS - ageMs;
		return entryOf(address, {...known, created_at: createdMs, bonded_at: createdMs + ageMs / 2} as Partial<Entry>);
	});
}

/** Something that happens to a monitor. */
type Step = (state: MonitorState) => MonitorState;

const column = fc.constantFrom<ViewName>(...PHASES);
const step: fc.Arbitrary<Step> = fc.oneof(
	fc.integer({min: 50, max: 60_000}).map(
		(ms): Step =>
			state =>
				ticked(state, state.nowMs + ms),
	),
	fc.tuple(column, fc.array(token(false), {maxLength: 5})).map(([view, tokens]): Step => {
		return state => columnChanged(state, view, c => changesArrived(c, entriesOf(tokens), [], state.nowMs));
	}),
	fc.tuple(column, fc.nat(30)).map(([view, at]): Step => {
		return state => columnChanged(state, view, c => cursorPlaced(c, c.order[at % Math.max(c.order.length, 1)] ?? ''));
	}),
	fc.tuple(column, fc.nat(30)).map(([view, at]): Step => {
		return state => columnChanged(state, view, c => changesArrived(c, [], c.order.slice(at, at + 2), state.nowMs));
	}),
	column.map(
		(focus): Step =>
			state => ({...state, focus}),
	),
	column.map(
		(view): Step =>
			state => {
				const [row] = state.columns[view].rows.values();
				return row ? modeEntered(detailOpened(state, row.entry), {kind: 'detail'}) : state;
			},
	),
	fc.constantFrom('live', 'polling', 'offline', 'refused').map(
		(phase): Step =>
			state => ({...state, link: {...FIRST_LINK, phase} as NonNullable<MonitorState['link']>}),
	),
	fc.constantFrom('1', '12').map(
		(count): Step =>
			state => ({...state, count}),
	),
	fc.array(word, {maxLength: 5}).map((words): Step => {
		return state => ({...state, notice: {text: words.join(' '), tone: 'warn', atMs: state.nowMs}});
	}),
);

test('a live screen and Ink show the same cells, whatever happens', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom([80, 24], [120, 30], [160, 45], [45, 12]),
			fc.boolean(),
			fc.tuple(...PHASES.map(view => fc.array(token(view === 'bonded'), {maxLength: 12}))),
			fc.array(step, {maxLength: 8}),
			async ([columns, rows], ascii, tokens, steps) => {
				const size = {columns: columns!, rows: rows!};
				const start = initialState({size, nowMs: NOW_MS, service: {label: 'here', embedded: true}, theme: 'dark'});
				const filled = PHASES.reduce(
					(state, view, at) => columnChanged(state, view, c => snapshotArrived(c, entriesOf(tokens[at]!), NOW_MS)),
					start,
				);
				const store = createStore(filled);
				const rendering = {glyphs: glyphsFor(ascii), hasShades: true};
				const app = () => <App store={store} model={createScreenModel(rendering)} rendering={rendering} />;
				const emulator = new Emulator(size.columns, size.rows);
				const screen = new LiveScreen({stdout: emulator, depth: 'truecolor'});
				screen.enter();
				const live = renderLive(app(), {screen, stdin});
				const plain = renderPlain(app(), size);
				try {
					for (const happens of [(state: MonitorState) => state, ...steps]) {
						store.apply(happens);
						await turn();
						await emulator.settled();
						const wanted = await drawn(plain.frame(), size.columns, size.rows);
						expect(emulator.picture()).toBe(wanted.picture());
					}
				} finally {
					live.unmount();
					plain.unmount();
					screen.restore();
				}
			},
		),
		{numRuns: 12, interruptAfterTimeLimit: 12_000},
	);
});

function Word({children}: {readonly children: string}): ReactNode {
	return <Text tone="warn">{children}</Text>;
}

function Both(): ReactNode {
	return (
		<>
			<Line>
				plain <Word>one</Word>
				{false}
				{undefined}
				{[<Word key="a">two</Word>, <Text key="b">{3}</Text>]}
			</Line>
			{null}
			<Fragment key="rest">
				<Line />
			</Fragment>
		</>
	);
}

test('ticks, figures and moves of the cursor bring no commit of React, a window at most two', async () => {
	const size = {columns: 160, rows: 45};
	const start = initialState({size, nowMs: NOW_MS, service: {label: 'here', embedded: true}, theme: 'dark'});
	const tokens = Array.from({length: 40}, (_, n) => entryOf(`0x${n}`, {symbol: `T${n}`, market_cap: 1000 * n}));
	const store = createStore(columnChanged(start, 'new', c => snapshotArrived(c, tokens, NOW_MS)));
	const rendering = {glyphs: glyphsFor(false)};
	const screen = new LiveScreen({stdout: new Emulator(size.columns, size.rows), depth: 'truecolor'});
	screen.enter();
	const app = <App store={store} model={createScreenModel(rendering)} rendering={rendering} />;
	const {unmount} = renderLive(app, {screen, stdin});
	onTestFinished(() => {
		unmount();
		screen.restore();
	});
	await turn();
	const {inkFrames, frames} = screen.counters;
	for (let n = 0; n < 100; n++) {
		store.apply(state => ticked(state, state.nowMs + 1000));
		store.apply(state => columnChanged(state, 'new', c => changesArrived(c, [tokens[n % 40]!], [], state.nowMs)));
		store.apply(state => columnChanged(state, 'new', c => cursorPlaced(c, tokens[n % 20]!.key)));
		await turn();
	}
	expect(screen.counters.inkFrames).toBe(inkFrames);
	expect(screen.counters.frames).toBeGreaterThan(frames + 90);
	store.apply(state => modeEntered(state, {kind: 'bridge'}));
	await turn();
	expect(screen.counters.inkFrames).toBeLessThanOrEqual(inkFrames + 2);
});

test('in REWIND, where the state stands still, the line above the hints ticks with the present', async () => {
	const size = {columns: 120, rows: 30};
	const start = initialState({size, nowMs: NOW_MS, service: {label: 'here', embedded: true}, theme: 'dark'});
	const moments = [new PackedMoment(NOW_MS, 0, start.columns, undefined)];
	const store = createStore(modeEntered(start, {kind: 'rewind', moments, at: 0}));
	const rendering = {glyphs: glyphsFor(false)};
	const emulator = new Emulator(size.columns, size.rows);
	const screen = new LiveScreen({stdout: emulator, depth: 'none'});
	screen.enter();
	const app = <App store={store} model={createScreenModel(rendering)} rendering={rendering} />;
	const {unmount} = renderLive(app, {screen, stdin});
	onTestFinished(() => {
		unmount();
		screen.restore();
	});
	for (const seconds of [0, 9, 10]) {
		store.apply(state => ticked(state, NOW_MS + seconds * 1000));
		await turn();
		await emulator.settled();
		expect(emulator.text()).toContain(` ${seconds}s ago`);
	}
});

test('components can be nested, repeated and left out, in lines and in text', () => {
	expect(linesOf(<Both />, DISPLAY, 80)).toEqual([
		[
			{text: 'plain '},
			{text: 'one', style: DISPLAY.theme.tones.warn},
			{text: 'two', style: DISPLAY.theme.tones.warn},
			{text: '3'},
		],
		[],
	]);
});

test('a band covers the whole line, a change of look all that is on it', () => {
	const {theme} = DISPLAY;
	const [line] = linesOf(
		<Line band={theme.cursor} restyle={style => ({...style, dimColor: true})}>
			<Text tone="warn">ab</Text>c
		</Line>,
		DISPLAY,
		8,
	);
	expect(line!.map(({text}) => text).join('')).toBe('abc     ');
	expect(line!.every(({style}) => style?.backgroundColor === theme.cursor)).toBe(true);
	expect(line!.map(({style}) => style?.dimColor ?? false)).toEqual([true, true, false]);
});

let calls = 0;
const Kept = memo(function Kept({label}: {readonly label: string}): ReactNode {
	calls++;
	const {glyphs} = useDisplay();
	return (
		<Line>
			{label}
			{glyphs.cursor}
		</Line>
	);
});

test('the lines of a memo component are the same objects until a prop, the display or its key is another one', () => {
	calls = 0;
	const lines = createLines();
	const draw = (labels: Readonly<Record<string, string>>, display = DISPLAY, width = 80) =>
		lines(
			Object.entries(labels).map(([key, label]) => <Kept key={key} label={label} />),
			display,
			width,
		);
	const first = draw({a: 'one', b: 'two'});
	const second = draw({b: 'two', a: 'one'});
	expect([second[1] === first[0], second[0] === first[1], calls]).toEqual([true, true, 2]);
	expect(draw({a: 'other', b: 'two'})[0]![0]!.text).toBe('other');
	expect(calls).toBe(3);
	const ascii = {...DISPLAY, glyphs: glyphsFor(true)};
	expect(draw({a: 'other'}, ascii)[0]![1]!.text).toBe(glyphsFor(true).cursor);
	expect(calls).toBe(4);
	draw({a: 'other'}, ascii, 81);
	expect(calls).toBe(5);
	// Lines of elements that went are let go.
	draw({}, ascii, 81);
	draw({a: 'other'}, ascii, 81);
	expect(calls).toBe(6);
});

test('anything but lines and pure components is refused, under its name', () => {
	const Box = 'ink-box' as unknown as () => ReactNode;
	expect(() => linesOf(<Box />, DISPLAY, 80)).toThrow(/<ink-box> can't be drawn here/);
	expect(() => linesOf('loose text', DISPLAY, 80)).toThrow(/not a row.*loose text/);
	expect(() => useDisplay()).toThrow();
});

test('Ink renders a pure component by itself, where it is told how things look', () => {
	const {lastFrame, unmount} = render(
		<DisplayContext value={DISPLAY}>
			<Text tone="warn">alone</Text>
		</DisplayContext>,
	);
	onTestFinished(unmount);
	expect(lastFrame()).toContain('alone');
});
