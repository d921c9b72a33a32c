import type {ScreenKind} from '../../monitor/mode.ts';
import type {Store} from '../../store.ts';
import type {ScreensState} from './screens-state.ts';

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

/** The slice of one screen in the store of all screens. */
export function sliceOf(store: Store<ScreensState>, kind: ScreenKind): Slice<object> {
	const transitionOf =
		(transition: (state: object) => object) =>
		(all: ScreensState): ScreensState => {
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
