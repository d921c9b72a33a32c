import {Box} from 'ink';
import {type ReactNode, useEffect} from 'react';
import type {BoardKind} from '../../monitor/boards/board.ts';
import {boardHeight} from '../../monitor/boards/board.ts';
import type {Mode} from '../../monitor/mode.ts';
import type {Store} from '../../store.ts';
import {LiveRows} from '../../terminal/live-rows.tsx';
import type {Row} from '../../terminal/style.ts';
import type {BoundKeys} from '../keymap/binding.ts';
import {withKeys} from '../keymap/key-texts.ts';
import {spread, toned} from '../scene.ts';
import type {BoardsState} from '../screens/screens-state.ts';
import {boardCommand} from '../shell-commands.ts';
import type {Signs} from '../signs.ts';
import type {Theme} from '../theme.ts';
import {useSelect} from '../use-select.ts';
import type {Boards} from './boards.ts';

export interface BoardWindowProps {
	readonly kind: BoardKind;
	readonly store: Store<BoardsState>;
	/** The lines; undefined until the boards are loaded. */
	readonly rows: Boards['rows'] | undefined;
	readonly mode: Mode;
	/** The keys in force. */
	readonly keys: BoundKeys;
	readonly nowMs: number;
	readonly screen: {readonly columns: number; readonly rows: number};
	readonly theme: Theme;
	readonly signs: Signs;
	/** Told how far the page can be scrolled, whenever that changes. */
	readonly onReach: (lines: number) => void;
	/** Keys of the watched markets. */
	readonly watched: Iterable<string>;
	readonly readOnly: boolean;
	/** No marks of change that come and go. */
	readonly isStill: boolean;
}

/** A board: it covers the columns, and nothing of them shows through; header and hints of the screen stay. */
export function BoardWindow({
	kind,
	store,
	rows,
	mode,
	keys,
	onReach,
	watched,
	nowMs,
	screen,
	theme,
	signs,
	readOnly,
	isStill,
}: BoardWindowProps): ReactNode {
	useSelect(store, selectAll);
	const {columns: width} = screen;
	const height = boardHeight(screen);
	const input = mode.kind === 'boardInput' ? {field: mode.field, edit: mode.edit} : undefined;
	const named = (text: string): string => withKeys(text, keys, signs.subscripts === '', mode.kind);
	const look = {theme, signs, named, width, height, nowMs, readOnly, isStill, ...(input && {input})};
	let reach = 0;
	const measured = (lines: number): void => {
		reach = lines;
	};
	const lines = rows?.(kind, {...look, onReach: measured}) ?? [[{text: ' Loading', style: theme.tones.dim}]];
	const last = lines[height - 1];
	const isFree = last === undefined || last.length === 0;
	const rowAt = (at: number): Row =>
		at === height - 1 && isFree && rows !== undefined
			? shellLine(boardCommand(kind, store.get(), watched), {theme, width, key: named('{board.command}: copy')})
			: (lines[at] ?? []);
	useEffect(() => onReach(reach), [onReach, reach]);
	return (
		<Box position="absolute" left={0} top={1}>
			<LiveRows id="board" width={width} count={height} row={rowAt} />
		</Box>
	);
}

/** The command that prints the same data, in the last line where nothing else stands. */
function shellLine(
	command: string | undefined,
	{theme, width, key}: {readonly theme: Theme; readonly width: number; readonly key: string},
): Row {
	if (command === undefined) return [];
	return spread([toned({theme}, 'faint', ` ${command}`)], [toned({theme}, 'faint', `${key} `)], width);
}

const selectAll = (state: BoardsState): BoardsState => state;
