import type {Store} from '../../store.ts';
import type {MonitorState} from '../state.ts';
import type {Alert} from './alert-rules.ts';

/** Calls back with new alerts, the oldest first. @returns stops watching */
export function watchAlerts(store: Store<MonitorState>, onAlerts: (alerts: readonly Alert[]) => void): () => void {
	let last = store.get().alerts.recent;
	return store.subscribe(() => {
		const {recent} = store.get().alerts;
		if (recent === last) return;
		const known = new Set(last);
		last = recent;
		const fresh = recent.filter(alert => !known.has(alert)).toReversed();
		if (fresh.length > 0) onAlerts(fresh);
	});
}
