import type {ReactNode} from 'react';
import type {ScreenKind} from '../../monitor/mode.ts';
import type {KeyHints} from '../../monitor/state.ts';
import type {KeyEvent} from '../keymap/keys.ts';
import type {PageFrame} from './page.tsx';
import type {ScreenAction} from './screen.ts';

/** The actions of keys on all screens beside the columns; most are for the screen on top. */
export interface ScreenActions {
	open(kind: ScreenKind): void;
	/** Ends what open screens look up again and again: the program ends, or a viewer has left. */
	closeAll(): void;
	/** The page of a screen; undefined until its code is loaded. */
	page(kind: ScreenKind, frame: PageFrame): ReactNode;
	/** The command that prints the same in a shell; undefined where no command does. */
	command(kind: ScreenKind): string | undefined;
	/** Copies that command. */
	copyCommand(): void;
	hints(): KeyHints | undefined;
	/** @param reach how far the page that was drawn can be scrolled, lines */
	measured(reach: number): void;
	/** Click and wheel. They change no answer of a question. */
	mouse(event: Extract<KeyEvent, {kind: 'mouse'}>): void;
	move(by: 1 | -1): void;
	turnPage(by: 1 | -1): void;
	jump(to: 'first' | 'last'): void;
	accept(): void;
	back(): void;
	turn(by: 1 | -1): void;
	/** The next of the user's own lists: positions, trades, watch list, round. */
	turnTab(by: 1 | -1): void;
	refresh(): void;
	run(action: ScreenAction): void;
	acceptInput(): void;
	turnInput(by: 1 | -1): void;
	cancelInput(): void;
	/** Text pasted into a screen; a paste into the line of addresses is taken whole, however long it is. */
	paste(text: string): void;
}
