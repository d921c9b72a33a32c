import {explain} from '../../errors.ts';
import type {MonitorActions} from '../../monitor/actions.ts';
import {BOARDS, type Board, type BoardInput, type BoardKind, type BoardVerb} from '../../monitor/boards/board.ts';
import {type MonitorState, topMode} from '../../monitor/state.ts';
import type {Store} from '../../store.ts';
import type {KeyEvent} from '../keymap/keys.ts';
import type {BoardsState} from '../screens/screens-state.ts';
import {boardCommand} from '../shell-commands.ts';
import type {Boards} from './boards.ts';

/** The screen's first line, the board's title and the names of its cells stand above the first line of its list. */
const FIRST_LINE_Y = 3;
/** Lines that one notch of the wheel moves. */
const NOTCH = 3;

/** What the keys of the screens do. What is behind them is loaded when one is first opened. */
export type BoardActions = ReturnType<typeof createBoardActions>;

export interface BoardActionsOptions {
	readonly store: Store<MonitorState>;
	readonly boards: Store<BoardsState>;
	readonly actions: MonitorActions;
	readonly load: (input: (kind: BoardKind) => BoardInput) => Promise<Boards>;
}

export function createBoardActions({store, boards, actions, load}: BoardActionsOptions) {
	let loaded: Boards | undefined;

	/** The board that has the keyboard, with what is typed in it. */
	function top(): {board: Board; field?: string; text: string} | undefined {
		const mode = topMode(store.get());
		if (mode.kind === 'boardInput') {
			const board = loaded?.[mode.board];
			return board && {board, field: mode.field, text: mode.edit.text};
		}
		const kind = BOARDS.find(known => known === mode.kind);
		const board = kind && loaded?.[kind];
		return board && {board, text: ''};
	}

	const inputOf = (board: BoardKind): BoardInput => ({
		open(field, text, cursor = text.length) {
			const mode = {kind: 'boardInput', board, field, edit: {text, cursor}} as const;
			const {kind} = topMode(store.get());
			if (kind === 'boardInput') actions.changeMode(() => mode);
			else if (kind === board) actions.enterMode(mode);
		},
		close() {
			const mode = topMode(store.get());
			if (mode.kind === 'boardInput' && mode.board === board) actions.leaveMode();
		},
	});

	async function open(kind: BoardKind): Promise<void> {
		actions.enterMode({kind});
		try {
			loaded ??= await load(inputOf);
			if (topMode(store.get()).kind === kind) loaded[kind].open();
		} catch (error) {
			const {what, why} = explain(error);
			if (topMode(store.get()).kind === kind) actions.leaveMode();
			actions.tell(`${what}: ${why}`, 'bad');
		}
	}

	return {
		openBoard: (kind: BoardKind) => void open(kind),
		/** What the window needs to draw its lines; undefined until it is loaded. */
		boardRows: (): Boards['rows'] | undefined => loaded?.rows,
		/** How far the page can be scrolled, lines. */
		boardReach: (reach: number) => boards.apply(state => (state.reach === reach ? state : {...state, reach})),
		boardMove: (by: 1 | -1) => top()?.board.move(by),
		/** Click and wheel. No window that moves money is a board, and no question hears them. */
		boardMouse: ({action, y}: Extract<KeyEvent, {kind: 'mouse'}>) => {
			const board = top()?.board;
			if (action === 'press') board?.click(y - FIRST_LINE_Y);
			else board?.scroll(action === 'wheelDown' ? NOTCH : -NOTCH);
		},
		/** Copies the command that prints the same in a shell. */
		copyBoardCommand: () => {
			const {kind} = topMode(store.get());
			const board = BOARDS.find(name => name === kind);
			const command = board && boardCommand(board, boards.get(), store.get().markets.keys());
			if (command === undefined) actions.tell('No command prints this screen.', 'warn');
			else actions.copyText(command, command);
		},
		boardPage: (by: 1 | -1) => top()?.board.page(by),
		boardJump: (to: 'first' | 'last') => top()?.board.jump(to),
		boardAccept: () => top()?.board.accept(),
		boardBack: () => {
			const at = top();
			if (at?.board.back()) return;
			at?.board.close();
			actions.leaveMode();
		},
		boardTurn: (by: 1 | -1) => top()?.board.turn(by),
		boardRefresh: () => top()?.board.refresh(),
		boardRun: (verb: BoardVerb) => top()?.board.run(verb),
		boardAcceptInput: () => {
			const at = top();
			if (at?.field !== undefined) at.board.acceptInput(at.field, at.text);
		},
		boardTurnInput: (by: 1 | -1) => {
			const at = top();
			if (at?.field !== undefined) at.board.turnInput(at.field, at.text, by);
		},
		boardCancelInput: () => {
			const at = top();
			actions.leaveMode();
			at?.board.cancelInput();
		},
		/** Text pasted into a board; a paste into the line of addresses is taken whole, however long it is. */
		boardPaste: (pasted: string) => {
			const at = top();
			if (at?.field === 'addresses') actions.leaveMode();
			at?.board.paste(pasted);
		},
	};
}
