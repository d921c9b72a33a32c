import {writeFileSync} from 'node:fs';
import {Box, render, Text, useInput} from 'ink';
import {memo, type ReactNode, useState, useSyncExternalStore} from 'react';
import {LiveRows, RowText} from '../../source/terminal/live-rows.tsx';
import {LiveScreen} from '../../source/terminal/live-screen.ts';
import {Opaque} from '../../source/terminal/opaque.tsx';
import {renderLive} from '../../source/terminal/render-live.tsx';
import type {Row} from '../../source/terminal/style.ts';
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

function Frame({children}: {readonly children: (pane: number) => ReactNode}): ReactNode {
	useInput(pressed);
	const [isOpen, open] = useState(false);
	openModal = open;
	return (
		<Box flexDirection="column" width={200} height={60}>
			{children(-1)}
			<Box>
				{PANES.map((title, pane) => (
					<Box key={title} flexDirection="column" width={PANE_WIDTH}>
						<Text bold color="#58a6ff">
							{title}
						</Text>
						{children(pane)}
					</Box>
				))}
			</Box>
			{isOpen && <Modal />}
		</Box>
	);
}

let openModal: ((isOpen: boolean) => void) | undefined;

function Modal(): ReactNode {
	return (
		<Opaque position="absolute" left={50} top={15} width={100} height={30} borderStyle="round" flexDirection="column">
			{Array.from({length: 28}, (_, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
				<Text key={at} color={at % 2 === 0 ? 'cyan' : 'gray'}>{`a line of the modal, number ${at}`}</Text>
			))}
		</Opaque>
	);
}

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
		const rowOf = PANES.map((_, pane) => (at: number) => model.row(pane, at));
		const headRow = (): Row => [{text: headline()}];
		return {
			start: () => {
				screen.enter();
				renderLive(
					<Frame>
						{pane =>
							pane < 0 ? (
								<LiveRows id="head" width={PANE_WIDTH} count={1} row={headRow} />
							) : (
								<LiveRows id={PANES[pane]!} width={PANE_WIDTH} count={ROWS} row={rowOf[pane]!} />
							)
						}
					</Frame>,
					{screen},
				);
			},
			tick: () => {
				for (const at of model.changed) screen.invalidate(PANES[Math.floor(at / ROWS)]!, at % ROWS);
				screen.invalidate('head');
			},
			moved: (from, to) => {
				screen.invalidate('new', from);
				screen.invalidate('new', to);
				screen.invalidate('head');
			},
			stop: () => screen.restore(),
		};
	},

	/** Ink as one would write it: one Text a row, rows memoised, incremental rendering. */
	ink: () => {
		return {
			start: () => {
				render(<Frame>{pane => <Pane pane={pane} />}</Frame>, {
					incrementalRendering: true,
					alternateScreen: true,
					exitOnCtrlC: false,
					patchConsole: false,
					interactive: true,
				});
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
const modalMs = await toggleModals();
contender.stop();
const figures: Figures = {...quiet, answeredAtMs, modalMs};
writeFileSync(file, JSON.stringify(figures));
process.exit();
