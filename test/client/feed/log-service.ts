import {PerverseServer, type Subscribed} from '../perverse-server.ts';

/** Makes a perverse server say positions of a market log, as a replica does. */
export interface LogService {
	readonly server: PerverseServer;
	/** What the next full views say besides their rows; `recovered` and `missed` only to a subscription that resumes. */
	says: {at?: string; stale?: number; recovered?: boolean; missed?: Record<string, {data: readonly object[]}>};
	/** `resume` of each subscription so far; undefined for one without. */
	readonly resumes: readonly (string | undefined)[];
	/** Sends a frame without views, which says whether the market is stale. */
	heartbeat(facts: {at: string; stale?: number}): void;
	stop(): Promise<void>;
}

export async function startLogService(): Promise<LogService> {
	const server = await PerverseServer.start();
	const payloads = () =>
		server.frames.filter(({type}) => type === 'pulse-v2').map(({payload}) => payload as {resume?: string});
	const service: LogService = {
		server,
		says: {},
		get resumes() {
			return payloads().map(({resume}) => resume);
		},
		heartbeat(facts) {
			for (const subscription of server.subscriptions)
				server.sendTo(subscription, {type: 'update', payload: {}, ...facts});
		},
		stop: () => server.stop(),
	};
	server.stream = {
		onSubscribe: subscription => {
			server.sendTo(subscription, {event: 'subscribed', type: 'pulse-v2'});
			server.sendTo(subscription, initOf(service, subscription, payloads().at(-1)?.resume !== undefined));
		},
	};
	return service;
}

function initOf({server, says}: LogService, {wanted, view}: Subscribed, resumes: boolean): object {
	const {recovered, missed, ...always} = says;
	const data = server.rows(wanted).map(tokenOf);
	return {
		type: 'init',
		payload: {[view]: {data}},
		...always,
		...(resumes && recovered !== undefined && {recovered}),
		...(resumes && recovered && {missed: missed ?? {[view]: {data: []}}}),
	};
}

/** A token as it travels. */
export function tokenOf(row: {readonly address: string; readonly market_cap: number}): object {
	return {chainId: 'evm:8453', symbol: row.address, ...row};
}
