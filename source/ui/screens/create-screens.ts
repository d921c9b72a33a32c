import {createElement, type ReactNode} from 'react';
import {explain} from '../../errors.ts';
import type {MonitorActions} from '../../monitor/actions.ts';
import type {ScreenKind} from '../../monitor/mode.ts';
import {type MonitorState, topMode} from '../../monitor/state.ts';
import type {Store} from '../../store.ts';
import {NOTCH} from '../keymap/keys.ts';
import {screenHints} from './hints.ts';
import {OWN_TABS, ownTab, TAB_SCREENS} from './own-tabs.ts';
import type {PageFrame} from './page.tsx';
import type {Screen, ScreenAction, ScreenContext, ScreenInput} from './screen.ts';
import type {ScreenActions} from './screen-actions.ts';
import type {ScreenCode, ScreenSpec} from './screen-feature.ts';
import type {ScreensState} from './screens-state.ts';
import {sliceOf} from './slice.ts';

/** The first line of the terminal, the title of the screen and the names of its cells stand above the first line of its list. */
const FIRST_LINE_Y = 3;

export interface ScreensOptions {
	readonly store: Store<MonitorState>;
	readonly screens: Store<ScreensState>;
	readonly specs: readonly ScreenSpec[];
	readonly actions: MonitorActions;
	readonly apiKey: ScreenContext['apiKey'];
	/** Resolves when the empty screen is on the terminal: code is loaded after that, which takes longer than a frame. */
	readonly shown: () => Promise<void>;
	readonly positions?: ScreenContext['positions'];
	readonly sell?: ScreenContext['sell'];
	readonly journalFiles?: ScreenContext['journalFiles'];
}

interface Loaded {
	readonly screen: Screen;
	readonly Page: ScreenCode['Page'];
}

/** The state of each screen before it is first opened. */
export function initialScreens(specs: readonly ScreenSpec[]): ScreensState {
	return Object.fromEntries(specs.map(({name, initial}) => [name, initial])) as unknown as ScreensState;
}

/** A screen is loaded when it is first opened. */
export function createScreens({
	store,
	screens,
	specs,
	actions,
	apiKey,
	shown,
	positions,
	sell,
	journalFiles,
}: ScreensOptions): ScreenActions {
	const loaded = new Map<ScreenKind, Loaded>();

	function specOf(kind: string): ScreenSpec | undefined {
		return specs.find(({name}) => name === kind);
	}

	/** The screen that has the keyboard, with the typed text in it. */
	function top(): {readonly screen: Screen; readonly field?: string; readonly text: string} | undefined {
		const mode = topMode(store.get());
		if (mode.kind === 'screenInput') {
			const screen = loaded.get(mode.screen)?.screen;
			return screen && {screen, field: mode.field, text: mode.edit.text};
		}
		const kind = specOf(mode.kind)?.name;
		const screen = kind && loaded.get(kind)?.screen;
		return screen && {screen, text: ''};
	}

	const inputOf = (screen: ScreenKind): ScreenInput => ({
		open(field, text, cursor = text.length) {
			const mode = {kind: 'screenInput', screen, field, edit: {text, cursor}} as const;
			const {kind} = topMode(store.get());
			if (kind === 'screenInput') actions.changeMode(() => mode);
			else if (kind === screen) actions.enterMode(mode);
		},
		close() {
			const mode = topMode(store.get());
			if (mode.kind === 'screenInput' && mode.screen === screen) actions.leaveMode();
		},
	});

	async function load(spec: ScreenSpec): Promise<Loaded> {
		await shown();
		const {create, Page} = await spec.load();
		const screen = create(sliceOf(screens, spec.name), {
			monitor: store,
			client: actions.client,
			apiKey,
			input: inputOf(spec.name),
			notify: actions.notify,
			copy: actions.copyText,
			openToken: actions.openDetailOf,
			save: actions.saveChoices,
			nowMs: actions.nowMs,
			...(positions && {positions}),
			...(sell && {sell}),
			...(journalFiles && {journalFiles}),
		});
		return {screen, Page};
	}

	async function open(kind: ScreenKind): Promise<void> {
		actions.enterMode({kind});
		try {
			const ready = loaded.get(kind) ?? (await load(specOf(kind)!));
			if (!loaded.has(kind)) loaded.set(kind, ready);
			if (topMode(store.get()).kind === kind) loaded.get(kind)!.screen.open();
		} catch (error) {
			const {what, why} = explain(error);
			if (topMode(store.get()).kind === kind) actions.leaveMode();
			actions.notify(`${what}: ${why}`, 'bad');
		}
	}

	/** Leaves the screen on top, whatever it shows. */
	function leave(): void {
		top()?.screen.close();
		actions.leaveMode();
	}

	return {
		open: (kind: ScreenKind) => void open(kind),
		closeAll: () => {
			for (const {screen} of loaded.values()) screen.close();
		},
		turnTab(by) {
			const {kind} = topMode(store.get());
			const shown = ownTab(kind, screens.get());
			if (shown === undefined) return;
			const next = OWN_TABS.at((OWN_TABS.indexOf(shown) + by) % OWN_TABS.length)!;
			const to = TAB_SCREENS[next];
			// Positions and trades are two lists of one screen, which opens with the positions.
			if (to === TAB_SCREENS[shown]) return top()?.screen.turn(by);
			if (shown === 'trades') top()?.screen.turn(by);
			leave();
			void open(to).then(() => {
				if (next === 'trades' && topMode(store.get()).kind === to) top()?.screen.turn(by);
			});
		},
		page(kind: ScreenKind, frame: PageFrame): ReactNode {
			const Page = loaded.get(kind)?.Page;
			return Page && createElement(Page, {state: screens.get()[kind], monitor: store.get(), frame});
		},
		command: (kind: ScreenKind) => specOf(kind)?.command(screens.get()[kind], store.get()),
		hints: () => screenHints(specs, topMode(store.get()), screens.get(), store.get()),
		measured: (reach: number) => screens.apply(state => (state.reach === reach ? state : {...state, reach})),
		move: (by: 1 | -1) => top()?.screen.move(by),
		mouse({action, y}) {
			const screen = top()?.screen;
			if (action === 'press') screen?.click(y - FIRST_LINE_Y);
			else screen?.scroll(action === 'wheelDown' ? NOTCH : -NOTCH);
		},
		copyCommand() {
			const spec = specOf(topMode(store.get()).kind);
			const command = spec?.command(screens.get()[spec.name], store.get());
			if (command === undefined) actions.notify('No command prints this screen.', 'warn');
			else actions.copyText(command, command);
		},
		turnPage: (by: 1 | -1) => top()?.screen.page(by),
		jump: (to: 'first' | 'last') => top()?.screen.jump(to),
		accept: () => top()?.screen.accept(),
		back() {
			const screen = top()?.screen;
			if (!screen?.back()) leave();
		},
		turn: (by: 1 | -1) => top()?.screen.turn(by),
		refresh: () => top()?.screen.refresh(),
		run: (action: ScreenAction) => top()?.screen.run(action),
		acceptInput() {
			const at = top();
			if (at?.field !== undefined) at.screen.acceptInput(at.field, at.text);
		},
		turnInput(by: 1 | -1) {
			const at = top();
			if (at?.field !== undefined) at.screen.turnInput(at.field, at.text, by);
		},
		cancelInput() {
			const at = top();
			actions.leaveMode();
			at?.screen.cancelInput();
		},
		paste(text: string) {
			const at = top();
			if (at?.field === 'addresses') actions.leaveMode();
			at?.screen.paste(text);
		},
	};
}
