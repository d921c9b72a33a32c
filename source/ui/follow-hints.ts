import type {Mode} from '../monitor/mode.ts';
import {type KeyHints, type MonitorState, topMode} from '../monitor/state.ts';
import type {Store} from '../store.ts';

/**
 * Computes the hints of the mode on top again whenever the mode, or what its window shows, changes.
 * @param others what windows show beside the state of the monitor
 * @param hintsOf gives undefined for the hints of the table of keys
 * @returns stops the updates
 */
export function followHints(
	store: Store<MonitorState>,
	others: readonly Pick<Store<unknown>, 'subscribe'>[],
	hintsOf: (mode: Mode, state: MonitorState) => KeyHints | undefined,
): () => void {
	let current: Mode | undefined;
	function update(): void {
		const mode = topMode(store.get());
		current = mode;
		store.apply(state => {
			const hints = hintsOf(mode, state);
			if (isSame(state.hints, hints)) return state;
			const {hints: _, ...rest} = state;
			return hints === undefined ? rest : {...rest, hints};
		});
	}
	const stops = others.map(other => other.subscribe(update));
	stops.push(
		store.subscribe(() => {
			if (topMode(store.get()) !== current) update();
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
