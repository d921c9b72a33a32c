import type {Client} from '../client/client.ts';
import type {ServiceFacts} from '../client/http/health.ts';
import type {Store} from '../store.ts';
import type {MonitorState} from './state.ts';

/** What the marks for a market that is not real say. */
export const MARKET_LABELS: Readonly<
	Record<NonNullable<ServiceFacts['market']>, {readonly badge: string; readonly text: string}>
> = {
	simulated: {badge: 'SIMULATED', text: 'The service says that its market is simulated: every token is invented.'},
	recorded: {badge: 'RECORDED', text: 'The service says that its market is a recording: nothing in it is live.'},
};

/** Why there are no wallet labels to look up; undefined where there are. A recording holds what the feed brought, and no more. */
export function whyNoLabels({recording, market}: MonitorState['service']): string | undefined {
	return recording || market === 'recorded' ? 'a recording has no wallet labels' : undefined;
}

/**
 * Keeps in the state whether the service says that its market is invented. It is asked whenever a connection comes to stand:
 * behind the same address there may be another service then. A service that says nothing is taken for a real one.
 * @returns stops it
 */
export function watchMarketKind(store: Store<MonitorState>, client: Pick<Client, 'facts'>): () => void {
	let wasThere = false;
	let asked = 0;
	const abort = new AbortController();
	async function ask(): Promise<void> {
		const mine = ++asked;
		const facts = await client.facts({signal: abort.signal}).catch(() => undefined);
		if (facts === undefined || mine !== asked || abort.signal.aborted) return;
		store.apply(state => {
			if (state.service.market === facts.market) return state;
			const {market: _, ...service} = state.service;
			return {...state, service: {...service, ...(facts.market !== undefined && {market: facts.market})}};
		});
	}
	function look(): void {
		const phase = store.get().link?.phase;
		const isThere = phase === 'live' || phase === 'polling';
		if (isThere && !wasThere) void ask();
		wasThere = isThere;
	}
	look();
	const stop = store.subscribe(look);
	return () => {
		stop();
		abort.abort();
	};
}
