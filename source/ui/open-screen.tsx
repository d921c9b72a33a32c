import {collectCandles} from '../monitor/candles/collect-candles.ts';
import {type History, recordHistory} from '../monitor/rewind/history.ts';
import type {Moment} from '../monitor/rewind/moment.ts';
import {priceTrails} from '../monitor/rewind/price-trail.ts';
import type {MonitorState} from '../monitor/state.ts';
import {resized} from '../monitor/transitions/screen.ts';
import type {Store} from '../store.ts';
import {LiveScreen} from '../terminal/live-screen.ts';
import {renderLive} from '../terminal/render-live.tsx';
import type {Terminal} from '../terminal/terminal.ts';
import {App} from './app.tsx';
import {type AppOptions, createApp, type MonitorApp} from './create-app.ts';
import {glyphsFor} from './glyphs.ts';
import {listenToKeys} from './keymap/listen-to-keys.ts';
import type {RenderOptions} from './screen-model.ts';

/** Settings of the configuration that a screen is made with. */
export interface ScreenSettings {
	readonly mouse: boolean;
	readonly ambiguousWidth: string;
}

/**
 * Makes the screen of a terminal. Nothing is written before it is entered.
 * @param schedule runs a flush at the end of the turn, or in its turn among other screens
 */
export function createScreen(
	{output, capabilities}: Terminal,
	{mouse, ambiguousWidth}: ScreenSettings,
	schedule?: (flush: () => void) => void,
): LiveScreen {
	return new LiveScreen({
		stdout: output,
		depth: capabilities.depth,
		hasLinks: capabilities.hyperlinks,
		isAmbiguousWide: ambiguousWidth === 'wide',
		isAscii: !capabilities.unicode,
		// A program in between counts cells of its own for an emoji of several characters: what is right of the emoji would be garbled.
		hasClusters: capabilities.isDirect,
		// While a program takes the mouse, GNU screen holds Esc back until the next key.
		mouse: mouse && capabilities.multiplexer !== 'screen',
		ignoresUnknown: capabilities.ignoresUnknown,
		isPaced: true,
		...(schedule && {schedule, isShared: true}),
	});
}

export interface OpenScreenOptions {
	readonly terminal: Terminal;
	readonly screen: LiveScreen;
	readonly store: Store<MonitorState>;
	/** How many moments are kept for REWIND. */
	readonly maxMoments?: number;
	/** @param moments the last minutes of the columns, the oldest first */
	readonly app: (moments: () => readonly Moment[]) => Omit<AppOptions, 'store' | 'rendering' | 'drawn'>;
	/** A person pressed a key, used the mouse or pasted. */
	readonly onPerson?: () => void;
	/** The terminal reported its background. */
	readonly onBackground: (shade: 'dark' | 'light') => void;
}

/** The monitor on a terminal. */
export interface OpenScreen {
	readonly app: MonitorApp;
	readonly rendering: RenderOptions;
	/** Takes the terminal and draws. @returns rejects with an error of a component that was thrown while React rendered */
	enter(): Promise<void>;
	/** Gives the terminal back once it has answered every query, and stops what collects for the screen. Works at any time. */
	leave(): Promise<void>;
}

/** Puts the monitor on a terminal: keys are read from now on, and drawing begins with `enter`. */
export function openScreen({
	terminal,
	screen,
	store,
	maxMoments,
	app,
	onPerson,
	onBackground,
}: OpenScreenOptions): OpenScreen {
	const {input, capabilities} = terminal;
	const history: History = recordHistory(store, maxMoments === undefined ? {} : {maxMoments});
	const candles = collectCandles(store);
	const rendering: RenderOptions = {
		glyphs: glyphsFor(!capabilities.unicode),
		hasShades: capabilities.depth === 'truecolor' || capabilities.depth === '256',
		candles: candles.of,
		priceTrail: priceTrails(history.moments),
	};
	const made = createApp({store, rendering, drawn: () => screen.written(), ...app(history.moments)});
	let isLeaving = false;
	let drawing: ReturnType<typeof renderLive> | undefined;
	const stopKeys = listenToKeys(input, screen.pacer, (event, isTyped) => {
		if (isLeaving) return;
		if (event.kind === 'background') return onBackground(event.shade);
		onPerson?.();
		made.handle(event, isTyped);
	});
	const followSize = (): void => {
		store.apply(state => resized(state, {columns: screen.columns, rows: screen.rows}));
	};
	return {
		app: made,
		rendering,
		async enter() {
			screen.enter();
			drawing = renderLive(<App {...made.props} />, {screen, stdin: input as NodeJS.ReadStream});
			screen.on('resize', followSize);
			await drawing.waitUntilExit();
		},
		async leave() {
			isLeaving = true;
			made.close();
			drawing?.unmount();
			screen.restore();
			// The last bytes may contain a query: the terminal must not echo its response.
			await screen.quiet();
			stopKeys();
			screen.off('resize', followSize);
			history.stop();
			candles.stop();
		},
	};
}
