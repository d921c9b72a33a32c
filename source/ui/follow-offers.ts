import type {Mode} from '../monitor/mode.ts';
import {type KeyHints, type MonitorState, topMode} from '../monitor/state.ts';
import type {Store} from '../store.ts';

/**
 * Keeps the hints of windows true: whenever a window, or what it shows, changes, it is asked anew which actions do
 * something in it.
 * @param hintsOf undefined where the table of keys says it all
 * @returns stops it
 */
export function followOffers(
	store: Store<MonitorState>,
	others: readonly Pick<Store<unknown>, 'subscribe'>[],
	hintsOf: (mode: Mode, state: MonitorState) => KeyHints | undefined,
): () => void {
	let asked: Mode | undefined;
	function offer(): void {
		const mode = topMode(store.get());
		asked = mode;
		store.apply(state => {
			const hints = hintsOf(mode, state);
			if (isSame(state.hints, hints)) return state;
			const {hints: _, ...rest} = state;
			return hints === undefined ? rest : {...rest, hints};
		});
	}
	const stops = others.map(other => other.subscribe(offer));
	stops.push(
		store.subscribe(() => {
			if (topMode(store.get()) !== asked) offer();
		}),
	);
	return () => {
		for (const stop of stops) stop();
	};
}

function isSame(a: KeyHints | undefined, b: KeyHints | undefined): boolean {
	if (a === undefined || b === undefined) return a === b;
	const names = Object.keys(b);
	return Object.keys(a).length === names.length && names.every(name => a[name] === b[name]);
}
