import type {Client} from '../client/client.ts';
import type {ServiceFacts} from '../client/http/health.ts';
import {steadyNow} from '../steady-clock.ts';
import type {Store} from '../store.ts';
import {coverageRead} from './following.ts';
import type {MonitorState} from './state.ts';

/** Badge and sentence for a market that is not real. */
export const MARKET_LABELS: Readonly<
	Record<NonNullable<ServiceFacts['market']>, {readonly badge: string; readonly text: string}>
> = {
	simulated: {badge: 'SIMULATED', text: 'The service says that its market is simulated: every token is invented.'},
	recorded: {badge: 'RECORDED', text: 'The service says that its market is a recording: nothing in it is live.'},
};

/** Why wallet labels cannot be looked up; undefined when they can. A recording holds only what the feed sent. */
export function whyNoLabels({recording, market}: MonitorState['service']): string | undefined {
	return recording || market === 'recorded' ? 'a recording has no wallet labels' : undefined;
}

/** How often the coverage of followed chains is read, ms. */
const COVERAGE_EVERY_MS = 1000;

/**
 * Keeps `service.market` of the state current: simulated, recorded, or undefined for a real market. A service that does not report
 * the kind counts as real. The kind is read after each connect, since another service may run at the address by then.
 * For a service that follows chains, `service.follow` is read again and again.
 * @returns stops the updates
 */
export function watchMarketKind(store: Store<MonitorState>, client: Pick<Client, 'facts'>): () => void {
	let wasConnected = false;
	let requests = 0;
	const abort = new AbortController();
	let again: NodeJS.Timeout | undefined;
	async function read(): Promise<void> {
		clearTimeout(again);
		const request = ++requests;
		const facts = await client.facts({signal: abort.signal}).catch(() => undefined);
		if (request !== requests || abort.signal.aborted) return;
		if (facts?.follow || store.get().service.follow) again = setTimeout(read, COVERAGE_EVERY_MS).unref();
		if (facts === undefined) return;
		const {follow} = facts;
		if (follow) store.apply(state => coverageRead(state, follow, steadyNow()));
		store.apply(state => {
			if (state.service.market === facts.market) return state;
			const {market: _, ...service} = state.service;
			return {...state, service: {...service, ...(facts.market !== undefined && {market: facts.market})}};
		});
	}
	function follow(): void {
		const phase = store.get().link?.phase;
		const isConnected = phase === 'live' || phase === 'polling';
		if (isConnected && !wasConnected) void read();
		wasConnected = isConnected;
	}
	follow();
	const stop = store.subscribe(follow);
	return () => {
		stop();
		clearTimeout(again);
		abort.abort();
	};
}
