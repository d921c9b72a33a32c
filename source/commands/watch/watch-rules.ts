import {createClient} from '../../client/create-client.ts';
import {RemoteError} from '../../client/remote/remote-error.ts';
import type {AlertRule} from '../../monitor/alerts/alert-rules.ts';
import {watchAlerts} from '../../monitor/alerts/watch-alerts.ts';
import {initialState} from '../../monitor/initial-state.ts';
import {openSession} from '../../monitor/session.ts';
import type {MonitorState} from '../../monitor/state.ts';
import {RECORDING_ENDS} from '../../monitor/transitions/recording.ts';
import {VIEWS} from '../../monitor/views.ts';
import {createStore, type Store} from '../../store.ts';
import type {OpenService} from '../open-service.ts';
import type {Hit} from './hit.ts';

interface Watch {
	readonly rules: readonly AlertRule[];
	readonly service: OpenService;
	/** Resolves when the watch shall end. */
	readonly ending: Promise<void>;
	/** Tells the person what is no hit. */
	readonly say: (words: string) => void;
	/** Takes the tokens that came to match, the oldest first, and says whether more are wanted. */
	readonly onHits: (hits: readonly Hit[]) => 'more' | 'enough';
}

/** The most that a service gives of a view. */
const LIMIT = 100;
/** What a recording told last is on its way through service and store for at most so long. */
const LAST_MS = 1000;

/**
 * Watches the columns as the monitor does, but each asks the service only for what its rules want: so every token that the
 * service has is watched, and not only those that a screen would show. Returns when it shall end, when enough came, or at
 * the end of a recording.
 * @throws RemoteError when the service refuses the key or a rule
 */
export async function watchRules({rules, service, ending, say, onHits}: Watch): Promise<void> {
	const {promise: over, resolve: end, reject: fail} = Promise.withResolvers<void>();
	void ending.then(end);
	const store = createStore<MonitorState>(stateFor(rules));
	const stopAlerts = watchAlerts(store, alerts => {
		const {columns, skewMs} = store.get();
		const hits = alerts.flatMap(alert => {
			const token = columns[alert.view].rows.get(alert.key)?.entry;
			return token ? [{alert, token, atMs: Math.round(alert.atMs + skewMs)}] : [];
		});
		if (hits.length > 0 && onHits(hits) === 'enough') {
			stopAlerts();
			end();
		}
	});
	const stopTrouble = watchTrouble(store, {say, fail});
	const client = createClient(service.options);
	const session = openSession(store, client);
	followRecording(service, {say, end});
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

/** Columns that ask for what any of their rules wants. */
function stateFor(rules: readonly AlertRule[]): MonitorState {
	const columns = Object.fromEntries(
		VIEWS.map(view => {
			const lines = rules.filter(({where}) => where === 'all' || where === view).map(({line}) => `(${line})`);
			return [view, {filter: lines.join(' | '), limit: lines.length > 0 ? LIMIT : 1}];
		}),
	);
	const service = {label: '', embedded: false};
	return initialState({size: {columns: 80, rows: 24}, nowMs: Date.now(), service, theme: 'dark', columns, rules});
}

/** A refusal ends the watch; a service that can't be reached is told once, and waited for. */
function watchTrouble(
	store: Store<MonitorState>,
	{say, fail}: {say: (words: string) => void; fail: (error: Error) => void},
): () => void {
	let isOffline = false;
	return store.subscribe(() => {
		const {columns, link} = store.get();
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

function followRecording({playback}: OpenService, {say, end}: {say: (words: string) => void; end: () => void}): void {
	const look = (): void => {
		if (playback === undefined || playback.last.phase === 'playing') return;
		const {phase, reason} = playback.last;
		if (phase !== 'ended') say(`${RECORDING_ENDS[phase]}${reason === undefined ? '.' : `: ${reason}`}`);
		setTimeout(end, LAST_MS);
	};
	playback?.onChange(look);
	look();
}
