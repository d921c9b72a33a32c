import {Box} from 'ink';
import {type ReactNode, useEffect} from 'react';
import type {Mode} from '../../monitor/mode.ts';
import type {Store} from '../../store.ts';
import {LiveRows} from '../../terminal/live-rows.tsx';
import type {Row} from '../../terminal/style.ts';
import type {Glyphs} from '../glyphs.ts';
import type {BoundKeys} from '../keymap/binding.ts';
import {withKeys} from '../keymap/key-texts.ts';
import type {Theme} from '../theme.ts';
import {useSelect} from '../use-select.ts';
import {spread, toned} from '../view-model.ts';
import {screenHeight} from './list-lines.ts';
import type {ScreenActions} from './screen-actions.ts';
import type {ScreenKind, ScreensState} from './screens-state.ts';

/** What the screens are drawn from. */
export interface ScreensView extends Pick<ScreenActions, 'rows' | 'command' | 'measured'> {
	readonly store: Store<ScreensState>;
}

export interface ScreenWindowProps {
	readonly kind: ScreenKind;
	readonly screens: ScreensView;
	readonly mode: Mode;
	/** The keys in force. */
	readonly keys: BoundKeys;
	readonly nowMs: number;
	readonly screen: {readonly columns: number; readonly rows: number};
	readonly theme: Theme;
	readonly glyphs: Glyphs;
	readonly readOnly: boolean;
	/** No marks of change that come and go. */
	readonly isStill: boolean;
}

/** A screen beside the columns: it covers them whole; header and hints stay. */
export function ScreenWindow({
	kind,
	screens,
	mode,
	keys,
	nowMs,
	screen,
	theme,
	glyphs,
	readOnly,
	isStill,
}: ScreenWindowProps): ReactNode {
	useSelect(screens.store, selectAll);
	const {columns: width} = screen;
	const height = screenHeight(screen);
	const input = mode.kind === 'screenInput' ? {field: mode.field, edit: mode.edit} : undefined;
	const named = (text: string): string => withKeys(text, keys, glyphs.subscripts === '', mode.kind);
	const canvas = {theme, glyphs, named, width, height, nowMs, readOnly, isStill, ...(input && {input})};
	let reach = 0;
	const onReach = (lines: number): void => {
		reach = lines;
	};
	const rows = screens.rows(kind, {...canvas, onReach});
	const lines = rows ?? [[{text: ' Loading', style: theme.tones.dim}]];
	const last = lines[height - 1];
	const isFree = last === undefined || last.length === 0;
	const rowAt = (at: number): Row =>
		at === height - 1 && isFree && rows !== undefined && input === undefined
			? shellLine(screens.command(kind), {theme, width, key: named('{board.command}: copy')})
			: (lines[at] ?? []);
	const {measured} = screens;
	useEffect(() => measured(reach), [measured, reach]);
	return (
		<Box position="absolute" left={0} top={1}>
			<LiveRows id="screen" width={width} count={height} row={rowAt} />
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

const selectAll = (state: ScreensState): ScreensState => state;
