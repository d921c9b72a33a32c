import {rmSync, writeFileSync} from 'node:fs';
import {Box, render, Text, useInput} from 'ink';
import {memo, type ReactNode, useState, useSyncExternalStore} from 'react';
import {LiveRows, RowText} from '../../source/terminal/live-rows.tsx';
import {LiveScreen} from '../../source/terminal/live-screen.ts';
import {renderLive} from '../../source/terminal/render-live.tsx';
import type {Row} from '../../source/terminal/style.ts';
import {DisplayContext, FromRows, FromSpans} from '../../source/ui/live/lines.tsx';
import {Modal} from '../../source/ui/modals/modal.tsx';
import {ScreenSize} from '../../source/ui/modals/screen-size.ts';
import {THEMES} from '../../source/ui/theme.ts';
import {DISPLAY} from '../helpers/drawn-rows.tsx';
import {byHand} from './render-by-hand.ts';
import {Model, PANE_WIDTH, PANES, ROWS} from './render-model.ts';

/*
 * One contender of render.bench.ts, in a terminal and a process of its own: a phase of quiet load (CPU and bytes), then a
 * phase of heavy load with keys. The figures go into the file that is named by the second argument.
 */

export interface Figures {
	readonly frames: number;
	readonly cpuMs: number;
	readonly bytes: number;
	readonly writes: number;
	readonly rssMB: number;
	/** When the answer to each key was given to the terminal, in ms since the epoch. */
	readonly answeredAtMs: readonly number[];
	/** How long each opening and closing of a modal took, up to its last byte. */
	readonly modalMs: readonly number[];
}

/** A way to draw the model. */
interface Contender {
	start(): void;
	/** Draws what changed in the last tenth of a second. */
	tick(): void;
	/** Draws the cursor's two rows. */
	moved(from: number, to: number): void;
	stop(): void;
}

const SIZE = {columns: 200, rows: 60} as const;
const FPS = 10;
const QUIET = {ms: 2500, updatesPerSecond: 200};
const HEAVY = {ms: 1800, updatesPerSecond: 2000};
const [, , name = 'live', file = ''] = process.argv;

const model = new Model();
let keys = 0;
const answeredAtMs: number[] = [];
let bytes = 0;
let writes = 0;
let lastWriteMs = 0;
const write = process.stdout.write.bind(process.stdout) as (...parameters: unknown[]) => boolean;
process.stdout.write = (...parameters: unknown[]): boolean => {
	const isTaken = write(...parameters);
	lastWriteMs = performance.now();
	bytes += Buffer.byteLength(String(parameters[0]));
	writes++;
	while (answeredAtMs.length < keys) answeredAtMs.push(performance.timeOrigin + performance.now());
	return isTaken;
};

function headline(): string {
	return `pulsetop  ${String(model.updates).padStart(7)} updates  cursor ${String(model.cursor).padStart(2)}`;
}

function pressed(input: string): void {
	for (const _ of input) {
		keys++;
		const from = model.cursor;
		model.cursor = (from + 1) % ROWS;
		contender.moved(from, model.cursor);
	}
}

interface FrameProps {
	/** Of a pane, -1 for the first line. */
	readonly rows: (pane: number) => ReactNode;
	readonly title: (pane: number) => ReactNode;
	readonly modal: ReactNode;
	/** Nothing of it is drawn by Ink. */
	readonly isLive?: boolean;
}

function Frame({rows, title, modal, isLive = false}: FrameProps): ReactNode {
	useInput(pressed);
	const [isOpen, open] = useState(false);
	openModal = open;
	return (
		<Box flexDirection="column" width={SIZE.columns} height={SIZE.rows} position={isLive ? 'absolute' : 'relative'}>
			{rows(-1)}
			<Box>
				{PANES.map((name, pane) => (
					<Box key={name} flexDirection="column" width={PANE_WIDTH}>
						{title(pane)}
						{rows(pane)}
					</Box>
				))}
			</Box>
			{isOpen && modal}
		</Box>
	);
}

let openModal: ((isOpen: boolean) => void) | undefined;

const MODAL = {width: 100, height: 30} as const;
const MODAL_LINES = Array.from({length: MODAL.height - 2}, (_, at): Row => {
	return [{text: `a line of the modal, number ${at}`, style: {color: at % 2 === 0 ? 'cyan' : 'gray'}}];
});

async function toggleModals(): Promise<number[]> {
	const took: number[] = [];
	for (let count = 0; openModal !== undefined && count < 12; count++) {
		const startMs = performance.now();
		lastWriteMs = 0;
		openModal(count % 2 === 0);
		await new Promise(resolve => setTimeout(resolve, 50));
		took.push(lastWriteMs - startMs);
	}
	return took;
}

let version = 0;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

function changed(): void {
	version++;
	for (const listener of listeners) listener();
}

/** A window as one would write it with Ink. */
function InkModal(): ReactNode {
	return (
		<Box
			position="absolute"
			left={(SIZE.columns - MODAL.width) / 2}
			top={(SIZE.rows - MODAL.height) / 2}
			{...MODAL}
			backgroundColor={THEMES.dark.modal.background}
			borderStyle="round"
			flexDirection="column"
		>
			{MODAL_LINES.map((row, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
				<RowText key={at} row={row} width={MODAL.width - 2} />
			))}
		</Box>
	);
}

function titleOf(pane: number): () => Row {
	return () => [{text: PANES[pane]!, style: {bold: true, color: '#58a6ff'}}];
}

interface TokenRowProps {
	readonly pane: number;
	readonly at: number;
	readonly version: number;
	readonly isCursor: boolean;
}

const TokenRow = memo(({pane, at}: TokenRowProps) => <RowText row={model.row(pane, at)} width={PANE_WIDTH} />);

function Pane({pane}: {readonly pane: number}): ReactNode {
	useSyncExternalStore(subscribe, () => version);
	if (pane < 0) return <Text>{headline()}</Text>;
	return model.panes[pane]!.map((token, at) => (
		<TokenRow
			key={token.symbol}
			pane={pane}
			at={at}
			version={token.version}
			isCursor={pane === 0 && at === model.cursor}
		/>
	));
}

const contenders: Readonly<Record<string, () => Contender>> = {
	/** The updates alone. */
	nothing: () => ({start: () => process.stdin.setRawMode(true).resume(), tick() {}, moved() {}, stop() {}}),

	/** Cells compared and written by hand. */
	bound: () => {
		const rows = (pane: number, at: number): Row => model.row(pane, at);
		const hand = byHand(rows, data => process.stdout.write(data));
		return {
			start: () => {
				process.stdin.setRawMode(true).on('data', data => pressed(String(data)));
				hand.all();
			},
			tick: () => hand.rows(model.changed, headline()),
			moved: (from, to) => hand.rows(new Set([from, to]), headline()),
			stop() {},
		};
	},

	/** Ours. */
	live: () => {
		const screen = new LiveScreen({stdout: process.stdout, depth: 'truecolor'});
		const rowsOf = PANES.map((_, pane) => Array.from({length: ROWS}, (_, at) => model.row(pane, at)));
		const headRow = (): Row[] => [[{text: headline()}]];
		const changed = (pane: number, at: number): void => {
			rowsOf[pane]![at] = model.row(pane, at);
			screen.invalidate(PANES[pane]!);
		};
		return {
			start: () => {
				screen.enter();
				renderLive(
					<Frame
						isLive
						rows={pane =>
							pane < 0 ? (
								<LiveRows id="head" width={PANE_WIDTH} count={1} rows={headRow} />
							) : (
								<LiveRows id={PANES[pane]!} width={PANE_WIDTH} count={ROWS} rows={() => rowsOf[pane]!} />
							)
						}
						title={pane => <LiveRows id={`title${pane}`} width={PANE_WIDTH} count={1} rows={() => [titleOf(pane)()]} />}
						modal={
							<DisplayContext value={DISPLAY}>
								<ScreenSize value={SIZE}>
									<Modal title={<FromSpans spans={MODAL_LINES[0]!} />} {...MODAL}>
										<FromRows rows={MODAL_LINES.slice(1)} />
									</Modal>
								</ScreenSize>
							</DisplayContext>
						}
					/>,
					{screen},
				);
			},
			tick: () => {
				for (const at of model.changed) changed(Math.floor(at / ROWS), at % ROWS);
				screen.invalidate('head');
			},
			moved: (from, to) => {
				changed(0, from);
				changed(0, to);
				screen.invalidate('head');
			},
			stop: () => screen.restore(),
		};
	},

	/** Ink as one would write it: one Text a row, rows memoised, incremental rendering. */
	ink: () => {
		return {
			start: () => {
				render(
					<Frame
						rows={pane => <Pane pane={pane} />}
						title={pane => <RowText row={titleOf(pane)()} width={PANE_WIDTH} />}
						modal={<InkModal />}
					/>,
					{
						incrementalRendering: true,
						alternateScreen: true,
						exitOnCtrlC: false,
						patchConsole: false,
						interactive: true,
					},
				);
			},
			tick: changed,
			moved: changed,
			stop() {},
		};
	},
};

async function phase({ms, updatesPerSecond}: {ms: number; updatesPerSecond: number}): Promise<number> {
	let ticks = 0;
	const startMs = performance.now();
	while (performance.now() - startMs < ms) {
		ticks++;
		const due = startMs + ticks * (1000 / FPS);
		// The updates come spread over the tenth of a second, as from a socket.
		for (let part = 0; part < 5; part++) {
			for (let count = updatesPerSecond / FPS / 5; count > 0; count--) model.update();
			await new Promise(resolve => setTimeout(resolve, Math.max(0, (due - performance.now()) / (5 - part))));
		}
		contender.tick();
		model.changed.clear();
	}
	await new Promise(resolve => setTimeout(resolve, 100));
	return ticks;
}

const contender = contenders[name]!();
contender.start();
await new Promise(resolve => setTimeout(resolve, 300));
bytes = 0;
writes = 0;
const before = process.cpuUsage();
const frames = await phase(QUIET);
const {user, system} = process.cpuUsage(before);
const quiet = {frames, cpuMs: (user + system) / 1000, bytes, writes, rssMB: process.memoryUsage.rss() / 1e6};
// From here on the parent presses keys.
writeFileSync(`${file}.heavy`, '');
await phase(name === 'nothing' ? {...HEAVY, ms: 0} : HEAVY);
// A key that came while a window opens would be taken for its last byte.
rmSync(`${file}.heavy`);
await new Promise(resolve => setTimeout(resolve, 200));
const modalMs = await toggleModals();
contender.stop();
const figures: Figures = {...quiet, answeredAtMs, modalMs};
writeFileSync(file, JSON.stringify(figures));
process.exit();
