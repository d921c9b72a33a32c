import {Box, Text} from 'ink';
import {type ReactNode, useCallback, useLayoutEffect, useMemo} from 'react';
import type {MenuMode, Mode, ScreenKind} from '../monitor/mode.ts';
import {type MonitorState, topMode} from '../monitor/state.ts';
import {laidOut} from '../monitor/transitions/screen.ts';
import type {Store} from '../store.ts';
import {LiveRows} from '../terminal/live-rows.tsx';
import {useScreen} from '../terminal/screen-context.ts';
import type {Row} from '../terminal/style.ts';
import {Column} from './columns/column.tsx';
import {menuContext} from './create-actions.ts';
import {DetailPane} from './detail/detail-pane.tsx';
import {Menu} from './features/menu/menu-window.tsx';
import {modeSpec} from './features.ts';
import {Footer} from './footer/footer.tsx';
import {Header} from './header/header.tsx';
import {boundKeys} from './keymap/bound-keys.ts';
import {type Layout, MIN_SIZE} from './layout.ts';
import {DisplayContext, useDisplay} from './live/lines.tsx';
import {Live, LiveContext} from './live/live.tsx';
import {ScreenSize} from './modals/screen-size.ts';
import type {MoneySource} from './money/money-modal.tsx';
import {hasSameWords} from './same-words.ts';
import type {RenderOptions, ScreenModel} from './screen-model.ts';
import {type ScreensView, ScreenWindow, type ScreenWindowProps} from './screens/screen-window.tsx';
import {useSelect} from './use-select.ts';
import {MoneyWindow, OwnWindow} from './windows.tsx';

export interface AppProps {
	readonly store: Store<MonitorState>;
	readonly model: ScreenModel;
	readonly rendering: RenderOptions;
	/** The money windows; none where nothing can be signed (tests of the list). */
	readonly money?: MoneySource;
	/** The screens beside the columns. */
	readonly screens?: ScreensView;
}

/** The whole screen. Ink lays out and commits the parts that come and go; parts that tick are `<Live>`. */
export function App({store, model, rendering, money, screens}: AppProps): ReactNode {
	const screen = useScreen();
	const layout = useSelect(store, model.layout);
	const size = useSelect(store, selectSize);
	const display = useSelect(
		store,
		useCallback((state: MonitorState) => model.of(state).display, [model]),
	);
	const source = useMemo(() => ({store, model}), [store, model]);

	useLayoutEffect(() => store.apply(state => laidOut(state, layout.pageRows)), [store, layout]);

	if (layout.isTooSmall) return <TooSmall store={store} />;
	return (
		<LiveContext value={source}>
			<DisplayContext value={display}>
				<Box
					flexDirection="column"
					width={size.columns}
					height={size.rows}
					overflow="hidden"
					{...(screen !== undefined && NO_FRAME)}
				>
					<Live id="header" width={size.columns} height={1} isSame={hasSameWords}>
						{model => <Header model={model} />}
					</Live>
					<Body layout={layout} />
					<ScreenSize value={size}>
						<Modals store={store} rendering={rendering} money={money} screens={screens} />
					</ScreenSize>
					{/* Above the windows: a notice over an open window covers the lower border of that window. */}
					<Live id="footer" width={size.columns} height={layout.footerRows} isSame={hasSameWords}>
						{model => <Footer model={model} />}
					</Live>
				</Box>
			</DisplayContext>
		</LiveContext>
	);
}

/**
 * On a live screen nothing is left for Ink to draw: a box that takes no room in its frame makes that frame empty, which
 * saves turning a screen of blanks into cells and text, most of what a change of the layout would cost.
 */
const NO_FRAME = {position: 'absolute'} as const;

/** The message of a screen without room, in as many words as it has cells for. */
function TooSmall({store}: Pick<AppProps, 'store'>): ReactNode {
	const size = useSelect(store, selectSize);
	const state = store.get();
	const least = modeSpec(topMode(state).kind).minSize ?? MIN_SIZE;
	const quit = boundKeys(state).keyOf('program.quit');
	const whole = `pulsetop needs ${least.columns}x${least.rows} cells here, this terminal has ${size.columns}x${size.rows}. Enlarge it, or press ${quit}.`;
	const hasRoom = whole.length <= size.columns * Math.max(size.rows - 1, 1);
	return (
		<Box width={size.columns} height={size.rows} overflow="hidden">
			<Text>{hasRoom ? whole : `${least.columns}x${least.rows}, ${quit}`}</Text>
		</Box>
	);
}

const selectSize = (state: MonitorState): MonitorState['size'] => state.size;
const selectMode = (state: MonitorState): Mode => topMode(state);
/** The state behind the list of the menu on top: the list changes while the menu is open. */
const selectListed = (state: MonitorState): unknown => {
	const mode = topMode(state);
	return modeSpec(mode.kind === 'menuNarrow' ? mode.menu.kind : mode.kind).menu?.source?.(state);
};

/** The columns and, beside or instead of them, the detail pane; a rule stands between neighbours. */
function Body({layout}: {readonly layout: Layout}): ReactNode {
	const {bodyHeight: height, columns, detail} = layout;
	return (
		<Box height={height} flexShrink={0}>
			{columns.map(({view, width}, at) => [
				at > 0 && <Rule key={`rule.${view}`} id={`rule.${view}`} height={height} />,
				<Column key={view} view={view} width={width} layout={layout} />,
			])}
			{detail && !detail.isFull && <Rule id="rule.detail" height={height} />}
			{detail && <DetailPane width={detail.width} height={height} />}
		</Box>
	);
}

/** A line down the screen. */
function Rule({id, height}: {readonly id: string; readonly height: number}): ReactNode {
	const {glyphs, theme} = useDisplay();
	const rows = useCallback(
		() => Array<Row>(height).fill([{text: glyphs.rule, style: theme.tones.rule}]),
		[glyphs, theme, height],
	);
	return <LiveRows id={id} width={1} count={height} rows={rows} />;
}

/** The window over the screen: at most one, the top of the mode stack. */
function Modals({
	store,
	rendering,
	money,
	screens,
}: {
	readonly store: Store<MonitorState>;
	readonly rendering: RenderOptions;
	readonly money: MoneySource | undefined;
	readonly screens: ScreensView | undefined;
}): ReactNode {
	const mode = useSelect(store, selectMode);
	const size = useSelect(store, selectSize);
	useSelect(store, selectListed);
	useSelect(store, selectScope);
	useSelect(store, selectKnown);
	const {window, menu} = modeSpec(mode.kind);
	if (window === 'money') return money && <TickingMoney mode={mode} store={store} source={money} />;
	if (window === 'screen')
		return screens ? <TickingScreen mode={mode} store={store} screens={screens} screen={size} /> : null;
	if (window) return <OwnWindow mode={mode} />;
	if (menu === undefined) return null;
	// A menu that is narrowed looks as it does without the line.
	const {menu: spec = menu} = modeSpec(mode.kind === 'menuNarrow' ? mode.menu.kind : mode.kind);
	return (
		<Menu spec={spec} mode={mode as MenuMode} context={menuContext(store.get(), rendering.glyphs.subscripts === '')} />
	);
}

/** A screen beside the columns with the time, which ticks in it. */
function TickingScreen({
	store,
	...shared
}: Omit<ScreenWindowProps, 'kind' | 'nowMs' | 'readOnly'> & {readonly store: Store<MonitorState>}): ReactNode {
	const nowMs = useSelect(store, selectSecond) * 1000;
	const readOnly = useSelect(store, selectReadOnly);
	useSelect(store, selectPins);
	useSelect(store, selectWatched);
	const {mode} = shared;
	const kind = (mode.kind === 'screenInput' ? mode.screen : mode.kind) as ScreenKind;
	return <ScreenWindow {...shared} kind={kind} nowMs={nowMs} readOnly={readOnly} />;
}

/** The window of a money flow with the time, which ticks in it. */
function TickingMoney({
	mode,
	store,
	source,
}: {
	readonly mode: Mode;
	readonly store: Store<MonitorState>;
	readonly source: MoneySource;
}): ReactNode {
	const nowMs = useSelect(store, selectSecond) * 1000;
	return <MoneyWindow mode={mode} source={source} nowMs={nowMs} />;
}

const selectScope = (state: MonitorState): MonitorState['scope'] => state.scope;
const selectKnown = (state: MonitorState): MonitorState['known'] => state.known;
const selectReadOnly = (state: MonitorState): boolean => state.readOnly;
const selectPins = (state: MonitorState): MonitorState['pins'] => state.pins;
const selectWatched = (state: MonitorState): MonitorState['watchedPredictions'] => state.watchedPredictions;
const selectSecond = (state: MonitorState): number => Math.floor(state.nowMs / 1000);
