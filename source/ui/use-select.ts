import {useCallback, useSyncExternalStore} from 'react';
import type {Store} from '../store.ts';

/**
 * A value that a component draws, selected from the store. The selector must give a primitive or an object that is already in the
 * state: a new object for each call would never compare equal.
 */
export function useSelect<S, T>(store: Store<S>, select: (state: S) => T): T {
	const snapshot = useCallback(() => select(store.get()), [store, select]);
	return useSyncExternalStore(store.subscribe, snapshot, snapshot);
}
