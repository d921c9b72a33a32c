import {Box} from 'ink';
import {type ReactNode, useEffect} from 'react';
import type {Mode, ScreenKind} from '../../monitor/mode.ts';
import type {Store} from '../../store.ts';
import {LiveRows} from '../../terminal/live-rows.tsx';
import type {Row} from '../../terminal/style.ts';
import {withKeys} from '../keymap/key-texts.ts';
import {Line, linesOf, Text, useDisplay} from '../live/lines.tsx';
import {Paragraph} from '../live/paragraph.tsx';
import {Spread} from '../live/spread.tsx';
import {useSelect} from '../use-select.ts';
import {screenHeight} from './list-lines.ts';
import type {ScreenActions} from './screen-actions.ts';
import type {ScreensState} from './screens-state.ts';

/** The state and actions that the screens are drawn from. */
export interface ScreensView extends Pick<ScreenActions, 'page' | 'command' | 'measured'> {
	readonly store: Store<ScreensState>;
}

export interface ScreenWindowProps {
	readonly kind: ScreenKind;
	readonly screens: ScreensView;
	readonly mode: Mode;
	readonly nowMs: number;
	readonly screen: {readonly columns: number; readonly rows: number};
	readonly readOnly: boolean;
}

/** A screen beside the columns: it covers them whole; header and hints stay. */
export function ScreenWindow({kind, screens, mode, nowMs, screen, readOnly}: ScreenWindowProps): ReactNode {
	useSelect(screens.store, selectAll);
	const display = useDisplay();
	const {columns: width} = screen;
	const height = screenHeight(screen);
	const input = mode.kind === 'screenInput' ? {field: mode.field, edit: mode.edit} : undefined;
	const named = (text: string): string => withKeys(text, display.keys, display.glyphs.subscripts === '', mode.kind);
	let reach = 0;
	const onReach = (lines: number): void => {
		reach = lines;
	};
	const page = screens.page(kind, {named, height, nowMs, readOnly, onReach, ...(input && {input})});
	const lines = linesOf(page ?? <Paragraph tone="dim" text="Loading" indent={1} />, display, width);
	const isFree = (lines[height - 1] ?? []).length === 0;
	const command = page === undefined || input !== undefined || !isFree ? undefined : screens.command(kind);
	const [last] = linesOf(
		command && <ShellLine command={command} copy={named('{board.command}: copy')} />,
		display,
		width,
	);
	const rows = (): readonly Row[] => (last ? [...lines.slice(0, height - 1), last] : lines);
	const {measured} = screens;
	useEffect(() => measured(reach), [measured, reach]);
	return (
		<Box position="absolute" left={0} top={1}>
			<LiveRows id="screen" width={width} count={height} rows={rows} />
		</Box>
	);
}

/** The command that prints the same data, in the last line where nothing else stands. */
function ShellLine({command, copy}: {readonly command: string; readonly copy: string}): ReactNode {
	return (
		<Line>
			<Spread left={<Text tone="faint"> {command}</Text>}>
				<Text tone="faint">{copy} </Text>
			</Spread>
		</Line>
	);
}

const selectAll = (state: ScreensState): ScreensState => state;
