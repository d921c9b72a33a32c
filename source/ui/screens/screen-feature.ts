import type {ReactNode} from 'react';
import type {ScreenKind} from '../../monitor/mode.ts';
import type {KeyHints, MonitorState} from '../../monitor/state.ts';
import {type Context, feature, type ModeSpec, type MouseEvent, type ScrollStep, type SectionSpec} from '../feature.ts';
import type {BindingSpec} from '../keymap/binding.ts';
import type {PageFrame} from './page.tsx';
import type {Screen, ScreenContext} from './screen.ts';
import type {ScreenActions} from './screen-actions.ts';
import type {Slice} from './slice.ts';

/** The code of a screen that is loaded when the screen is first opened. */
export interface ScreenCode<State = object> {
	create(slice: Slice<State>, context: ScreenContext): Screen;
	/** The lines of the screen, as many as it has rows: a pure component. */
	Page(props: PageProps<State>): ReactNode;
}

/** Props of a page. */
export interface PageProps<State> {
	readonly state: State;
	readonly monitor: MonitorState;
	readonly frame: PageFrame;
}

/** A screen beside the columns: it covers them, with lists and keys of its own. The feed goes on below. */
export interface ScreenSpec<State = object, Name extends ScreenKind = ScreenKind> {
	/** The name of the screen, and of its mode. */
	readonly name: Name;
	readonly initial: State;
	load(): Promise<ScreenCode<State>>;
	/** The actions that do something as things stand, with another label where the text is not empty. */
	hints(state: State, monitor: MonitorState, reach: number): KeyHints;
	/** The same for a line that is typed. */
	inputHints?(state: State): KeyHints;
	/** The command that prints the same in a shell; undefined where no command does. */
	command(state: State, monitor: MonitorState): string | undefined;
	/** The section of the help with its keys. */
	readonly help: string;
	readonly sections?: Readonly<Record<string, SectionSpec>>;
	readonly bindings: readonly BindingSpec<ScreenActions>[];
	readonly remove?: ModeSpec<unknown, ScreenActions>['remove'];
}

/** The least size of a terminal for a screen, cells. */
export const MIN_SIZE = {columns: 40, rows: 12} as const;

/** The feature of a screen beside the columns. */
export function screenFeature<State, const Name extends ScreenKind>(screen: ScreenSpec<State, Name>) {
	const {name, help, sections = {}, bindings, remove} = screen;
	const mode = {
		help,
		coversColumns: true,
		minSize: MIN_SIZE,
		window: 'screen',
		accepts: 'open',
		cancels: 'back',
		open: (a: ScreenActions) => a.accept(),
		close: (a: ScreenActions) => a.back(),
		copy: {run: (a: ScreenActions) => a.run('copy')},
		...(remove && {remove}),
		hints: (_: unknown, __: MonitorState, a: ScreenActions) => a.hints(),
		scroll: ({lines, pages, to}: ScrollStep, a: ScreenActions) =>
			to ? a.jump(to) : pages ? a.turnPage(pages > 0 ? 1 : -1) : a.move(lines! > 0 ? 1 : -1),
		mouse: (event: MouseEvent, a: ScreenActions) => a.mouse(event),
		paste(text: string, _: unknown, a: ScreenActions) {
			a.paste(text);
			return true;
		},
	} as const;
	const spec = feature({name, actions: actionsOf, modes: {[name]: mode}, help: sections, bindings});
	return {...spec, screen};
}

/** Absent in the plain mode, which has no keys. */
export function actionsOf({screens}: Context): ScreenActions {
	return screens!;
}
