import {Box, Text} from 'ink';
import type {ReactNode} from 'react';
import {describe, expect, test} from 'vitest';
import {LiveRows} from '../../source/terminal/live-rows.tsx';
import {LiveScreen} from '../../source/terminal/live-screen.ts';
import {renderLive} from '../../source/terminal/render-live.tsx';
import type {Row, Style} from '../../source/terminal/style.ts';
import {drawn, renderPlain, stdin, turn} from '../helpers/ink-beside.tsx';
import {fc} from '../helpers/properties.ts';
import {Emulator} from '../unit/terminal/emulator.ts';

interface Pane {
	readonly title: string;
	readonly rows: readonly Row[];
	readonly isBordered: boolean;
	readonly isHidden: boolean;
	readonly width: number;
}

/** Rows over other rows. */
interface Modal {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly rows: readonly Row[];
}

interface ViewModel {
	readonly columns: number;
	readonly rows: number;
	readonly panes: readonly Pane[];
	readonly scroll: {readonly x: number; readonly y: number};
	readonly modals: readonly Modal[];
	/** Words of Ink's over everything, without blanks: where Ink leaves one, rows show. */
	readonly notes: ReadonlyArray<{readonly x: number; readonly y: number; readonly text: string}>;
}

function ModelView({model}: {readonly model: ViewModel}): ReactNode {
	return (
		<Box width={model.columns} height={model.rows} flexDirection="column" overflow="hidden">
			<Box flexShrink={0}>
				<Text color="cyan">header 猫</Text>
			</Box>
			<Box flexGrow={1} overflow="hidden" contentOffsetX={model.scroll.x} contentOffsetY={model.scroll.y}>
				{model.panes.map((pane, index) => (
					<Box
						// biome-ignore lint/suspicious/noArrayIndexKey: a pane is its place
						key={index}
						flexDirection="column"
						flexShrink={0}
						display={pane.isHidden ? 'none' : 'flex'}
						{...(pane.isBordered ? {borderStyle: 'round' as const, borderColor: 'gray'} : {})}
					>
						<Box flexShrink={0}>
							<Text bold>{pane.title}</Text>
						</Box>
						<LiveRows id={`pane${index}`} width={pane.width} count={pane.rows.length} rows={() => pane.rows} />
					</Box>
				))}
			</Box>
			{model.modals.map((modal, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a modal is its place
				<Box key={index} position="absolute" marginLeft={modal.x} marginTop={modal.y}>
					<LiveRows id={`modal${index}`} width={modal.width} count={modal.rows.length} rows={() => modal.rows} />
				</Box>
			))}
			{model.notes.map((note, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a note is its place
				<Box key={index} position="absolute" marginLeft={note.x} marginTop={note.y}>
					<Text wrap="truncate">{note.text}</Text>
				</Box>
			))}
		</Box>
	);
}

const text = fc.oneof(
	{weight: 3, arbitrary: fc.string({unit: fc.constantFrom(...'abcXYZ019 .%$'), maxLength: 12})},
	{
		weight: 2,
		arbitrary: fc
			.array(fc.constantFrom('猫', 'コ', '한', '🚀', '❤️', '👨‍👩‍👧', '🇯🇵', '1️⃣', 'é', 'ë', '─', '⣿', 'ש', 'a', ' '), {
				maxLength: 8,
			})
			.map(parts => parts.join('')),
	},
);
const color = fc.constantFrom('red', 'greenBright', '#ff8800', '#123456', 'ansi256(200)');
const style = fc.record(
	{
		color,
		backgroundColor: color,
		bold: fc.boolean(),
		dimColor: fc.boolean(),
		italic: fc.boolean(),
		underline: fc.boolean(),
		inverse: fc.boolean(),
		strikethrough: fc.boolean(),
	},
	{requiredKeys: []},
) as fc.Arbitrary<Style>;
const row: fc.Arbitrary<Row> = fc.array(fc.oneof(fc.record({text}), fc.record({text, style})), {maxLength: 5});
const pane: fc.Arbitrary<Pane> = fc.record({
	title: fc.constantFrom('new', 'bonding 猫', ''),
	rows: fc.array(row, {maxLength: 9}),
	isBordered: fc.boolean(),
	isHidden: fc.boolean().map(hidden => hidden && true),
	width: fc.integer({min: 1, max: 30}),
});
const modal: fc.Arbitrary<Modal> = fc.record({
	x: fc.integer({min: 0, max: 40}),
	y: fc.integer({min: 1, max: 10}),
	width: fc.integer({min: 1, max: 25}),
	rows: fc.array(row, {maxLength: 8}),
});
const anyModel: fc.Arbitrary<ViewModel> = fc.record({
	columns: fc.integer({min: 10, max: 70}),
	rows: fc.integer({min: 4, max: 16}),
	panes: fc.array(pane, {maxLength: 3}),
	scroll: fc.record({x: fc.integer({min: 0, max: 3}), y: fc.integer({min: 0, max: 3})}),
	modals: fc.array(modal, {maxLength: 2}),
	// One a line: where a text cuts a wide character of another, Ink leaves a blank, and rows show through what is blank.
	notes: fc.uniqueArray(
		fc.record({
			x: fc.integer({min: 0, max: 40}),
			y: fc.integer({min: 0, max: 10}),
			text: fc.constantFrom('NOTE', '猫', '🚀!', 'x'),
		}),
		{maxLength: 3, selector: ({y}) => y},
	),
});
/** Whatever Ink draws lies above all rows: what has modals over it has neither words nor borders of Ink's. */
const model = anyModel.map(({panes, modals, ...rest}) => ({
	...rest,
	modals,
	panes: modals.length === 0 ? panes : panes.map(pane => ({...pane, title: '', isBordered: false})),
}));

describe('the live screen', () => {
	test('shows what Ink alone would show, frame after frame', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(model, {minLength: 1, maxLength: 5}), async renderer => {
				const [first] = renderer;
				const emulator = new Emulator(first!.columns, first!.rows);
				const screen = new LiveScreen({stdout: emulator, depth: 'truecolor'});
				screen.enter();
				const live = renderLive(<ModelView model={first!} />, {screen, stdin});
				const plain = renderPlain(<ModelView model={first!} />, {columns: first!.columns, rows: first!.rows});
				try {
					for (const model of renderer) {
						if (emulator.columns !== model.columns || emulator.rows !== model.rows) {
							emulator.resize(model.columns, model.rows);
							Object.assign(plain.stdout, {columns: model.columns, rows: model.rows}).emit('resize');
						}
						live.rerender(<ModelView model={model} />);
						plain.rerender(<ModelView model={model} />);
						await turn();
						await emulator.settled();
						const wanted = await drawn(plain.frame(), model.columns, model.rows);
						expect(emulator.picture()).toBe(wanted.picture());
					}
				} finally {
					live.unmount();
					plain.unmount();
					screen.restore();
				}
			}),
			{numRuns: 25, interruptAfterTimeLimit: 12_000},
		);
	});

	test('reads a region that was invalidated, and writes the rows that are others', async () => {
		const emulator = new Emulator(20, 5);
		const screen = new LiveScreen({stdout: emulator, depth: 'truecolor'});
		screen.enter();
		let rows: Row[] = Array.from({length: 50}, (_, at) => [{text: `row ${at} v1`}]);
		let reads = 0;
		const read = (): readonly Row[] => {
			reads++;
			return rows;
		};
		const live = renderLive(
			<Box height={5} width={20} overflow="hidden" flexDirection="column">
				<Box flexShrink={0}>
					<LiveRows id="rows" width={20} count={50} rows={read} />
				</Box>
			</Box>,
			{screen, stdin},
		);
		await turn();
		expect(reads).toBe(1);
		rows = rows.map((row, at) => (at === 3 || at === 40 ? [{text: `row ${at} v2`}] : row));
		expect(screen.invalidate('nothing')).toBe(false);
		await turn();
		expect(reads).toBe(1);
		await emulator.settled();
		const {bytes} = emulator;
		expect(screen.invalidate('rows')).toBe(true);
		expect(screen.invalidate('rows')).toBe(true);
		await turn();
		expect(reads).toBe(2);
		await emulator.settled();
		expect(emulator.text()).toBe('row 0 v1\nrow 1 v1\nrow 2 v1\nrow 3 v2\nrow 4 v1');
		expect(emulator.bytes.slice(bytes.length)).not.toContain('row 2');
		rows = rows.slice(0, 2);
		screen.invalidate('rows');
		await turn();
		await emulator.settled();
		expect(emulator.text().trimEnd()).toBe('row 0 v1\nrow 1 v1');
		live.unmount();
		screen.restore();
	});

	test('shows nothing through a modal, and rows again when it closes, with or without colours', async () => {
		for (const style of [{}, {backgroundColor: 'blue'}] as const) {
			const emulator = new Emulator(20, 6);
			const screen = new LiveScreen({stdout: emulator, depth: 'none'});
			screen.enter();
			let version = 0;
			const rows = (): Row[] => Array.from({length: 6}, (_, at) => [{text: `${at}${version}`.repeat(10)}]);
			const modalRows = (): Row[] => [[{text: 'a b', style}]];
			const view = (isOpen: boolean): ReactNode => (
				<Box width={20} height={6}>
					<LiveRows id="rows" width={20} count={6} rows={rows} />
					{isOpen && (
						<Box position="absolute" marginLeft={5} marginTop={1}>
							<LiveRows id="modal" width={10} count={3} rows={modalRows} />
						</Box>
					)}
				</Box>
			);
			const live = renderLive(view(true), {screen, stdin});
			for (version = 1; version < 4; version++) {
				screen.invalidate('rows');
				await turn();
			}
			await emulator.settled();
			expect(emulator.line(1)).toBe('13131a b       31313');
			expect(emulator.line(2)).toBe('23232          32323');
			live.rerender(view(false));
			await turn();
			await emulator.settled();
			expect(emulator.line(1)).toBe('13'.repeat(10).replaceAll('3', '4'));
			live.unmount();
			screen.restore();
		}
	});

	test('keeps nothing of a modal that closes as the rows below it are hidden and become more', async () => {
		const emulator = new Emulator(20, 4);
		const screen = new LiveScreen({stdout: emulator, depth: 'none'});
		screen.enter();
		const view = (isOpen: boolean): ReactNode => (
			<Box width={20} height={4}>
				<Box display={isOpen ? 'flex' : 'none'}>
					<LiveRows id="rows" width={20} count={isOpen ? 1 : 2} rows={() => [[{text: 'below'}], [{text: 'below'}]]} />
				</Box>
				{isOpen && (
					<Box position="absolute" marginTop={1}>
						<LiveRows id="modal" width={10} count={1} rows={() => [[{text: 'above'}]]} />
					</Box>
				)}
			</Box>
		);
		const live = renderLive(view(true), {screen, stdin});
		await turn();
		await emulator.settled();
		expect(emulator.text().trim()).toBe('below\nabove');
		live.rerender(view(false));
		await turn();
		await emulator.settled();
		expect(emulator.text().trim()).toBe('');
		live.unmount();
		screen.restore();
	});
});
