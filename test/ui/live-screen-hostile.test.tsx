import {EventEmitter} from 'node:events';
import {Box, Text} from 'ink';
import type {ReactNode} from 'react';
import {describe, expect, test} from 'vitest';
import {LiveRows} from '../../source/terminal/live-rows.tsx';
import {LiveScreen} from '../../source/terminal/live-screen.ts';
import {enterSequence, leaveSequence} from '../../source/terminal/modes.ts';
import {renderLive} from '../../source/terminal/render-live.tsx';
import {clean, fitTo} from '../../source/text.ts';
import {HOSTILE_STRINGS} from '../fixtures/hostile-strings.ts';
import {fc} from '../helpers/properties.ts';
import {Emulator} from '../unit/terminal/emulator.ts';
import {foreignBytes} from '../unit/terminal/strict-bytes.ts';

const stdin = Object.assign(new EventEmitter(), {isTTY: true, read: () => null}) as unknown as NodeJS.ReadStream;
const NAME_CELLS = 12;

/** A hostile name between two cells of the program, as live rows and as Ink's text, raw and cleaned. */
function Names({names}: {readonly names: readonly string[]}): ReactNode {
	return (
		<Box flexDirection="column" width={60} height={names.length + 1} overflow="hidden">
			<Box>
				<LiveRows
					id="raw"
					width={NAME_CELLS + 4}
					count={names.length}
					rows={() => names.map(name => [{text: '<|'}, {text: name, style: {color: 'red'}}])}
				/>
				<LiveRows
					id="clean"
					width={NAME_CELLS + 4}
					count={names.length}
					rows={() => names.map(name => [{text: '<|'}, {text: fitTo(clean(name), NAME_CELLS)}, {text: '|>'}])}
				/>
				<Box flexDirection="column">
					{names.map((name, at) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: a name is its place
						<Box key={at} height={1} width={NAME_CELLS + 4} overflow="hidden">
							<Text wrap="truncate">{`!${name.slice(0, 200)}`}</Text>
						</Box>
					))}
				</Box>
			</Box>
			<Text>the last line</Text>
		</Box>
	);
}

/** Draws names, and checks the bytes and the cells around the names. */
async function drawNames(names: readonly string[], widths: 'ours' | 'old'): Promise<void> {
	const emulator = new Emulator(60, names.length + 1, widths);
	let titles = 0;
	emulator.terminal.onTitleChange(() => titles++);
	emulator.terminal.onBell(() => titles++);
	emulator.terminal.onData(() => titles++);
	const screen = new LiveScreen({stdout: emulator, depth: 'truecolor'});
	screen.enter();
	const {unmount} = renderLive(<Names names={names} />, {screen, stdin});
	screen.flush();
	// A second frame over the first, with every name elsewhere.
	screen.invalidate('raw');
	screen.flush();
	unmount();
	screen.restore();

	const bytes = emulator.bytes.replace(enterSequence({}), '').replace(leaveSequence({}), '');
	expect(foreignBytes(bytes)).toBe('');
	expect(titles).toBe(0);
	await emulator.settled();
}

const anyName = fc.oneof(
	fc.constantFrom(...Object.values(HOSTILE_STRINGS).map(name => name.slice(0, 300))),
	fc.string({unit: 'binary', maxLength: 40}),
	fc
		.array(
			fc.constantFrom(
				'\x1B',
				'[',
				']',
				'52;c;',
				'?1049l',
				';',
				'm',
				'H',
				'\x07',
				'\x9B',
				'\x90',
				'\u200D',
				'\uFE0F',
				'🚀',
				'́',
				'\u202E',
				'\r',
				'\n',
				'\t',
				'\x1B\\',
			),
			{maxLength: 20},
		)
		.map(parts => parts.join('')),
);

describe('whatever a stranger calls a token', () => {
	test('nothing reaches the terminal but what the painter makes', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(anyName, {minLength: 1, maxLength: 12}), fc.constantFrom('ours', 'old'), drawNames),
			{numRuns: 60, interruptAfterTimeLimit: 12_000},
		);
	});

	test.each(['ours', 'old'] as const)('its neighbours stay in place, on a terminal of %s widths', async widths => {
		const names = Object.values(HOSTILE_STRINGS);
		const emulator = new Emulator(60, names.length + 1, widths);
		const screen = new LiveScreen({stdout: emulator, depth: 'truecolor'});
		screen.enter();
		let shift = 0;
		const rotated = () => names.map((_, at) => names[(at + shift) % names.length]!);
		const raw = () => rotated().map(name => [{text: '<|'}, {text: name}]);
		const tidy = () => rotated().map(name => [{text: '<|'}, {text: fitTo(clean(name), NAME_CELLS)}, {text: '|>'}]);
		const {unmount} = renderLive(
			<Box width={60} height={names.length + 1}>
				<LiveRows id="raw" width={NAME_CELLS + 2} count={names.length} rows={raw} />
				<LiveRows id="tidy" width={NAME_CELLS + 4} count={names.length} rows={tidy} />
				<Text>end</Text>
			</Box>,
			{screen, stdin},
		);
		for (shift = 0; shift < names.length; shift += 7) {
			screen.invalidate('raw');
			screen.invalidate('tidy');
			screen.flush();
			await emulator.settled();
			for (const y of names.keys()) {
				const seen = emulator.cells(y).map(cell => cell.text);
				expect([y, seen[0], seen[1]]).toEqual([y, '<', '|']);
				const next = NAME_CELLS + 2;
				const name = rotated()[y];
				expect([y, name, seen[next], seen[next + 1]]).toEqual([y, name, '<', '|']);
				expect([y, name, seen[next + 14], seen[next + 15]]).toEqual([y, name, '|', '>']);
			}
			expect(emulator.line(0).endsWith('end')).toBe(true);
		}
		unmount();
		screen.restore();
	});
});
