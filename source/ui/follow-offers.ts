import type {Mode} from '../monitor/mode.ts';
import {type MonitorState, type Offers, topMode} from '../monitor/state.ts';
import type {Store} from '../store.ts';

/**
 * Keeps the hints of windows true: whenever a window, or what it shows, changes, it is asked anew which actions do
 * something in it.
 * @param offersOf undefined where the table of keys says it all
 * @returns stops it
 */
export function followOffers(
	store: Store<MonitorState>,
	others: readonly Pick<Store<unknown>, 'subscribe'>[],
	offersOf: (mode: Mode, state: MonitorState) => Offers | undefined,
): () => void {
	let asked: Mode | undefined;
	function offer(): void {
		const mode = topMode(store.get());
		asked = mode;
		store.apply(state => {
			const offers = offersOf(mode, state);
			if (isSame(state.offers, offers)) return state;
			const {offers: _, ...rest} = state;
			return offers === undefined ? rest : {...rest, offers};
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

function isSame(a: Offers | undefined, b: Offers | undefined): boolean {
	if (a === undefined || b === undefined) return a === b;
	const names = Object.keys(b);
	return Object.keys(a).length === names.length && names.every(name => a[name] === b[name]);
}
