import {createClient} from '../../client/create-client.ts';
import {RemoteError} from '../../client/remote/remote-error.ts';
import type {AlertRule} from '../../monitor/alerts/alert-rules.ts';
import {anyOf} from '../../monitor/alerts/alert-transitions.ts';
import {watchAlerts} from '../../monitor/alerts/watch-alerts.ts';
import {initialState} from '../../monitor/initial-state.ts';
import {lossText} from '../../monitor/resumed.ts';
import {openSession} from '../../monitor/session.ts';
import type {MonitorState} from '../../monitor/state.ts';
import {VIEWS} from '../../monitor/views.ts';
import {steadyNow} from '../../steady-clock.ts';
import {createStore, type Store} from '../../store.ts';
import type {OpenService} from '../service/open-service.ts';
import type {Watch} from './hit.ts';

interface LiveWatch extends Watch {
	readonly service: OpenService;
}

/** The largest window of a service. */
const LIMIT = 100;

/**
 * Watches the views with the rules as their filters: so the rules see every token of the service, and not only those that a
 * screen would show. Returns when `ending` resolves, or after enough hits.
 * @throws RemoteError when the service refuses the key or a rule
 */
export async function watchRules({rules, service, ending, say, onHits}: LiveWatch): Promise<void> {
	const {promise: over, resolve: end, reject: fail} = Promise.withResolvers<void>();
	void ending.then(end);
	const store = createStore<MonitorState>(stateFor(rules));
	const stopAlerts = watchAlerts(store, alerts => {
		const {skewMs} = store.get();
		const hits = alerts.flatMap(alert =>
			alert.entry ? [{alert, token: alert.entry, atMs: Math.round(alert.atMs + skewMs)}] : [],
		);
		if (hits.length > 0 && onHits(hits) === 'enough') {
			stopAlerts();
			end();
		}
	});
	const stopTrouble = watchTrouble(store, {say, fail});
	const client = createClient(service.options);
	const session = openSession(store, client);
	try {
		await over;
	} finally {
		stopAlerts();
		stopTrouble();
		session.close();
		store.close();
		await client.close();
	}
}

/** A state whose columns filter by any of their rules. */
function stateFor(rules: readonly AlertRule[]): MonitorState {
	const columns = Object.fromEntries(
		VIEWS.map(view => {
			const its = rules.filter(({where}) => where === 'all' || where === view);
			return [view, {filter: anyOf(its), limit: its.length > 0 ? LIMIT : 1}];
		}),
	);
	const service = {label: '', embedded: false};
	return initialState({size: {columns: 80, rows: 24}, nowMs: steadyNow(), service, theme: 'dark', columns, rules});
}

/** A refusal ends the watch; an unreachable service is reported once, and waited for. */
function watchTrouble(
	store: Store<MonitorState>,
	{say, fail}: {say: (text: string) => void; fail: (error: Error) => void},
): () => void {
	let isOffline = false;
	let {lastLoss: said} = store.get();
	return store.subscribe(() => {
		const {columns, link, lastLoss} = store.get();
		if (lastLoss && lastLoss !== said) say(`${lossText(lastLoss)}.`);
		said = lastLoss;
		for (const view of VIEWS) {
			const {status} = columns[view];
			if (status.kind === 'failed' && status.problem.next === 'fix-input') fail(new RemoteError(status.problem));
		}
		if (link?.phase === 'refused' && link.error) fail(link.error);
		const wasOffline = isOffline;
		isOffline = link?.phase === 'offline';
		if (isOffline && !wasOffline) say(`${link?.error?.message ?? 'The service does not answer'}; trying again.`);
		if (wasOffline && link?.phase === 'live') say('the service answers again.');
	});
}
