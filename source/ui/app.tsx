import {Box, Text} from 'ink';
import {type ReactNode, useCallback, useEffect, useLayoutEffect} from 'react';
import type {Mode} from '../monitor/mode.ts';
import {type MonitorState, topMode} from '../monitor/state.ts';
import {laidOut} from '../monitor/transitions/screen.ts';
import type {Store} from '../store.ts';
import {LiveRows} from '../terminal/live-rows.tsx';
import {useScreen} from '../terminal/screen-context.ts';
import {themeIn} from './color-overrides.ts';
import {menuContext} from './create-actions.ts';
import type {MenuMode} from './features/menu/mode.ts';
import {modeSpec} from './features.ts';
import {boundKeys} from './keymap/bound-keys.ts';
import {type Layout, MIN_SIZE} from './layout.ts';
import {Menu} from './modals/menu.tsx';
import {Modal} from './modals/modal.tsx';
import type {MoneyKind, MoneyState} from './money/money-state.ts';
import {MoneyWindow, type MoneyWindowProps} from './money/money-window.tsx';
import {REGION, type Renderer, type RenderOptions} from './renderer.ts';
import {type ScreensView, ScreenWindow, type ScreenWindowProps} from './screens/screen-window.tsx';
import type {ScreenKind} from './screens/screens-state.ts';
import type {Theme} from './theme.ts';
import {useSelect} from './use-select.ts';

export interface AppProps {
	readonly store: Store<MonitorState>;
	readonly renderer: Renderer;
	readonly rendering: RenderOptions;
	/** The money windows; none where nothing can be signed (tests of the list). */
	readonly money?: Money;
	/** The screens beside the columns. */
	readonly screens?: ScreensView;
}

/** What the money windows are drawn from. */
export interface Money {
	readonly money: Store<MoneyState>;
	readonly rows: () => MoneyWindowProps['rows'];
	readonly onDrawn: (what: string) => void;
	readonly onReach: (lines: number) => void;
	readonly onReveal: (kind: MoneyKind, line: number) => void;
	/** Called each second while a money window is open. */
	readonly onTick?: (kind: MoneyKind) => void;
}

/**
 * The whole screen. Ink lays out the regions and draws the modals; what ticks is in live regions, which are painted
 * without React when the store changes (render notes, "Ink over a LiveScreen").
 */
export function App({store, renderer, rendering, money, screens}: AppProps): ReactNode {
	const screen = useScreen();
	const layout = useSelect(
		store,
		useCallback((state: MonitorState) => renderer.layout(state), [renderer]),
	);
	const size = useSelect(store, selectSize);
	const theme = useSelect(store, themeIn);
	useRedrawWithoutScreen(store, screen === undefined);

	useLayoutEffect(() => store.apply(state => laidOut(state, layout.pageRows)), [store, layout]);
	useEffect(() => {
		if (screen === undefined) return;
		return store.subscribe(() => {
			for (const region of renderer.regions) screen.invalidate(region);
		});
	}, [screen, store, renderer]);

	const row = useCallback(
		(region: string) => (index: number) => renderer.lines(store.get(), region)[index] ?? [],
		[renderer, store],
	);

	if (layout.isTooSmall) {
		return (
			<Box width={size.columns} height={size.rows} overflow="hidden">
				<Text>{tooSmallText(store.get())}</Text>
			</Box>
		);
	}
	return (
		<Box
			flexDirection="column"
			width={size.columns}
			height={size.rows}
			overflow="hidden"
			{...(screen !== undefined && NO_FRAME)}
		>
			<LiveRows id={REGION.header} width={size.columns} count={1} row={row(REGION.header)} />
			<Body layout={layout} row={row} rendering={rendering} theme={theme} />
			<Modals store={store} rendering={rendering} money={money} screens={screens} />
			{/* Above the windows: what is said while one is open stands on its lower border. */}
			<LiveRows id={REGION.footer} width={size.columns} count={layout.footerRows} row={row(REGION.footer)} />
		</Box>
	);
}

/**
 * On a live screen nothing is left for Ink to draw: a box that takes no room in its frame makes that frame empty, which
 * saves turning a screen of blanks into cells and text, most of what a change of the layout would cost.
 */
const NO_FRAME = {position: 'absolute'} as const;

/** What a screen without room says, in as many words as it has cells for. */
function tooSmallText(state: MonitorState): string {
	const {size} = state;
	const least = modeSpec(topMode(state).kind).minSize ?? MIN_SIZE;
	const quit = boundKeys(state).keyOf('program.quit');
	const whole = `pulsetop needs ${least.columns}x${least.rows} cells here, this terminal has ${size.columns}x${size.rows}. Enlarge it, or press ${quit}.`;
	return whole.length <= size.columns * Math.max(size.rows - 1, 1) ? whole : `${least.columns}x${least.rows}, ${quit}`;
}

const selectSize = (state: MonitorState): MonitorState['size'] => state.size;
const selectMode = (state: MonitorState): Mode => topMode(state);
/** What the menu on top lists besides its own mode: the list changes while the menu is open. */
const selectListed = (state: MonitorState): unknown => {
	const mode = topMode(state);
	return modeSpec(mode.kind === 'menuNarrow' ? mode.menu.kind : mode.kind).menu?.source?.(state);
};
/** Where Ink draws by itself (tests, pipes), every change of the state is a new frame. */
function useRedrawWithoutScreen(store: Store<MonitorState>, isPlain: boolean): void {
	useSelect(
		store,
		useCallback((state: MonitorState) => (isPlain ? state : undefined), [isPlain]),
	);
}

interface BodyProps {
	readonly layout: Layout;
	readonly row: (region: string) => (index: number) => ReturnType<Renderer['lines']>[number];
	readonly rendering: RenderOptions;
	readonly theme: Theme;
}

/** The columns and, beside or instead of them, the detail pane; a rule stands between neighbours. */
function Body({layout, row, rendering, theme}: BodyProps): ReactNode {
	const rule = (id: string): ReactNode => (
		<LiveRows
			key={id}
			id={id}
			width={1}
			count={layout.bodyHeight}
			row={() => [{text: rendering.glyphs.rule, style: theme.tones.rule}]}
		/>
	);
	return (
		<Box height={layout.bodyHeight} flexShrink={0}>
			{layout.columns.map(({view, width}, at) => [
				at > 0 && rule(`rule.${at}`),
				<Box key={view} flexDirection="column" width={width} flexShrink={0}>
					<LiveRows id={REGION.title(view)} width={width} count={layout.titleRows} row={row(REGION.title(view))} />
					<LiveRows id={REGION.rows(view)} width={width} count={layout.rowsHeight} row={row(REGION.rows(view))} />
				</Box>,
			])}
			{layout.detail && !layout.detail.isFull && rule('rule.detail')}
			{layout.detail && (
				<LiveRows id={REGION.detail} width={layout.detail.width} count={layout.bodyHeight} row={row(REGION.detail)} />
			)}
		</Box>
	);
}

/** What lies over the screen: at most one window, the top of the mode stack. */
function Modals({
	store,
	rendering,
	money,
	screens,
}: {
	readonly store: Store<MonitorState>;
	readonly rendering: RenderOptions;
	readonly money: Money | undefined;
	readonly screens: ScreensView | undefined;
}): ReactNode {
	const mode = useSelect(store, selectMode);
	const size = useSelect(store, selectSize);
	const theme = useSelect(store, themeIn);
	const isStill = useSelect(store, selectStill);
	useSelect(store, selectListed);
	useSelect(store, selectScope);
	useSelect(store, selectKnown);
	const shared = {screen: size, theme, glyphs: rendering.glyphs};
	const {window, menu} = modeSpec(mode.kind);
	if (window === 'money')
		return money ? (
			<TickingMoney
				kind={mode.kind as MoneyKind}
				target={mode.kind === 'trade' ? mode.target : undefined}
				store={store}
				money={money}
				{...shared}
			/>
		) : null;
	if (window === 'screen')
		return screens ? <TickingScreen mode={mode} store={store} screens={screens} isStill={isStill} {...shared} /> : null;
	if (window) {
		const keys = boundKeys(store.get());
		return <Modal {...window(mode, {...shared, keys}, undefined)} {...shared} />;
	}
	if (menu === undefined) return null;
	// A menu that is narrowed looks as it does without the line.
	const {menu: spec = menu} = modeSpec(mode.kind === 'menuNarrow' ? mode.menu.kind : mode.kind);
	return (
		<Menu
			spec={spec}
			mode={mode as MenuMode}
			context={menuContext(store.get(), rendering.glyphs.subscripts === '')}
			{...shared}
		/>
	);
}

/** A screen beside the columns with the time, which ticks in it. */
function TickingScreen({
	store,
	...shared
}: Omit<ScreenWindowProps, 'kind' | 'keys' | 'nowMs' | 'readOnly'> & {readonly store: Store<MonitorState>}): ReactNode {
	const nowMs = useSelect(store, selectSecond) * 1000;
	const readOnly = useSelect(store, selectReadOnly);
	useSelect(store, selectPins);
	useSelect(store, selectWatched);
	const {mode} = shared;
	const kind = (mode.kind === 'screenInput' ? mode.screen : mode.kind) as ScreenKind;
	return <ScreenWindow {...shared} kind={kind} keys={boundKeys(store.get())} nowMs={nowMs} readOnly={readOnly} />;
}

/** The money window with the time, which ticks in it. */
function TickingMoney({
	store,
	money,
	...shared
}: Omit<MoneyWindowProps, 'money' | 'rows' | 'nowMs' | 'onDrawn' | 'onReach' | 'onReveal'> & {
	readonly store: Store<MonitorState>;
	readonly money: Money;
}): ReactNode {
	const nowMs = useSelect(store, selectSecond) * 1000;
	const {onDrawn, onReach, onReveal, onTick} = money;
	const {kind} = shared;
	// biome-ignore lint/correctness/useExhaustiveDependencies: the time is what it is called for
	useEffect(() => onTick?.(kind), [nowMs, kind, onTick]);
	return <MoneyWindow {...shared} {...{nowMs, onDrawn, onReach, onReveal}} money={money.money} rows={money.rows()} />;
}

const selectScope = (state: MonitorState): MonitorState['scope'] => state.scope;
const selectKnown = (state: MonitorState): MonitorState['known'] => state.known;
const selectStill = (state: MonitorState): boolean => state.display.isStill;
const selectReadOnly = (state: MonitorState): boolean => state.readOnly;
const selectPins = (state: MonitorState): MonitorState['pins'] => state.pins;
const selectWatched = (state: MonitorState): MonitorState['watchedPredictions'] => state.watchedPredictions;
const selectSecond = (state: MonitorState): number => Math.floor(state.nowMs / 1000);
