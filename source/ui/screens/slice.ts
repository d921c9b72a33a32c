import type {Store} from '../../store.ts';
import type {BoardsState} from './screens-state.ts';

/** The part of the state that belongs to one screen. */
export interface Slice<S> {
	get(): S;
	/** Applied and drawn at once, as after a keypress. */
	change(transition: (state: S) => S): void;
	/** Applied with the next frame, as changes of a feed. */
	later(transition: (state: S) => S): void;
	/** How far the page that was drawn last can be scrolled, lines. */
	reach(): number;
}

export function sliceOf<K extends Exclude<keyof BoardsState, 'reach'>>(
	store: Store<BoardsState>,
	kind: K,
): Slice<BoardsState[K]> {
	const transitionOf =
		(transition: (state: BoardsState[K]) => BoardsState[K]) =>
		(all: BoardsState): BoardsState => {
			const next = transition(all[kind]);
			return next === all[kind] ? all : {...all, [kind]: next};
		};
	return {
		get: () => store.get()[kind],
		change: transition => store.apply(transitionOf(transition)),
		later: transition => store.later(transitionOf(transition)),
		reach: () => store.get().reach ?? 0,
	};
}
