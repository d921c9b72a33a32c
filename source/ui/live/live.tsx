import {Box} from 'ink';
import {createContext, type ReactNode, use, useCallback, useEffect, useRef, useState} from 'react';
import type {MonitorState} from '../../monitor/state.ts';
import type {Store} from '../../store.ts';
import {LiveRows} from '../../terminal/live-rows.tsx';
import {useScreen} from '../../terminal/screen-context.ts';
import type {Row} from '../../terminal/style.ts';
import type {ScreenModel} from '../screen-model.ts';
import {useSelect} from '../use-select.ts';
import type {ViewModel} from '../view-model.ts';
import {createLines, Width} from './lines.tsx';

/** The store and the model that `<Live>` draws from. */
export interface LiveSource {
	readonly store: Store<MonitorState>;
	readonly model: ScreenModel;
}
export const LiveContext = createContext<LiveSource | undefined>(undefined);

export interface LiveProps {
	/** A name that is unique on the screen. */
	readonly id: string;
	/** Cells, and lines. */
	readonly width: number;
	readonly height: number;
	/** While a money window is open this part stands still, without colours. */
	readonly isBelow?: boolean;
	/** Whether the part shows the same in two models; without it each model is drawn. */
	readonly isSame?: (a: ViewModel, b: ViewModel) => boolean;
	/** The components that give its lines: pure ones, see lines.tsx. */
	readonly children: (model: ViewModel) => ReactNode;
}

/**
 * A part of the screen that ticks. On a live screen its lines are made when a frame is written, without a commit of React;
 * without one Ink renders the same components at each change of the state.
 */
export function Live({id, width, height, isBelow = false, isSame, children}: LiveProps): ReactNode {
	const {store, model} = use(LiveContext)!;
	const screen = useScreen();
	const drawn = useRef<{
		readonly model: ViewModel;
		readonly children: unknown;
		readonly width: number;
		readonly lines: readonly Row[];
	}>(undefined);
	const [linesOf] = useState(createLines);
	useSelect(
		store,
		useCallback((state: MonitorState) => (screen === undefined ? state : undefined), [screen]),
	);
	useEffect(
		() => (screen === undefined ? undefined : store.subscribe(() => screen.invalidate(id))),
		[screen, store, id],
	);

	const shown = (): ViewModel => (isBelow ? model.below(store.get()) : model.of(store.get()));
	const rows = (): readonly Row[] => {
		const now = shown();
		const before = drawn.current;
		const isDrawn = before?.children === children && before.width === width;
		if (!isDrawn || (before.model !== now && !isSame?.(before.model, now))) {
			const fresh = linesOf(children(now), now.display, width);
			drawn.current = {
				model: now,
				children,
				width,
				lines: now.isStillLife ? fresh.map(line => faded(line, now)) : fresh,
			};
		}
		return drawn.current!.lines;
	};
	if (screen !== undefined) return <LiveRows id={id} width={width} count={height} rows={rows} />;
	const now = shown();
	return (
		<Box width={width} height={height} flexDirection="column" overflow="hidden">
			{now.isStillLife ? (
				<LiveRows id={id} width={width} count={height} rows={rows} />
			) : (
				<>
					{/* Lines that the components leave out are blank, not absent. */}
					<Box position="absolute">
						<LiveRows id={id} width={width} count={height} rows={blank} />
					</Box>
					<Width value={width}>{children(now)}</Width>
				</>
			)}
		</Box>
	);
}

const NO_ROWS: readonly Row[] = [];
const blank = (): readonly Row[] => NO_ROWS;

/** A line without its colours. */
function faded(line: Row, {theme}: ViewModel): Row {
	return line.map(({text}) => ({text, style: theme.tones.faint}));
}
