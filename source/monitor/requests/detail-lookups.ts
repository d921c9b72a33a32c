import type {Client} from '../../client/client.ts';
import type {Feed} from '../../client/feed/feed-events.ts';
import type {Entry} from '../../contract/entry.ts';
import {explain} from '../../errors.ts';
import {steadyNow} from '../../steady-clock.ts';
import type {Store} from '../../store.ts';
import {whyNoLabels} from '../market-kind.ts';
import type {Detail, Labels, Loadable, MonitorState, TimeFrame} from '../state.ts';
import {detailed} from '../transitions/feed.ts';
import {detailChanged} from '../transitions/screen.ts';

/** For how many holders labels are requested. */
const LABELLED_HOLDERS = 15;
/** The cursor may move over many tokens with the pane open: look-ups wait until it rests, ms. */
const REST_MS = 150;
/** How often the sparkline of the open token is refreshed, ms. */
const SPARKLINE_EVERY_MS = 15_000;
/** How long labels are not requested again after a failure, ms. */
const LABELS_RETRY_MS = 10_000;

/** The requests of the detail pane beside the feed: the whole entry, wallet labels, the sparkline. */
export interface DetailLookups {
	/** The pane shows this token now. */
	open(entry: Entry, timeFrame: TimeFrame): void;
	setTimeFrame(timeFrame: TimeFrame): void;
	close(): void;
}

/** @param client undefined before the service is up */
export function createDetailLookups(store: Store<MonitorState>, client: () => Client | undefined): DetailLookups {
	let current: Entry | undefined;
	let frame: TimeFrame = '24h';
	let watch: Feed | undefined;
	let rest: NodeJS.Timeout | undefined;
	let again: NodeJS.Timeout | undefined;
	let labelled: ReadonlySet<string> = new Set();
	let labelsRetryAtMs = 0;

	function change(key: string, change: (detail: Detail) => Detail): void {
		store.apply(state => detailChanged(state, key, change));
	}

	function stop(): void {
		clearTimeout(rest);
		clearInterval(again);
		watch?.close();
		watch = undefined;
		current = undefined;
		labelled = new Set();
		labelsRetryAtMs = 0;
	}

	function start(entry: Entry): void {
		const service = client();
		if (!service) return;
		const {key} = entry;
		change(key, detail => ({...detail, lookup: 'loading'}));
		watch = service.watchToken({chainId: entry.chain_id, address: entry.address}, found => {
			if (!found) return change(key, detail => ({...detail, lookup: 'missing'}));
			change(key, detail => ({
				...detail,
				entry: detailed(found, detail.entry),
				entryAtMs: steadyNow(),
				lookup: 'found',
			}));
			const {detail} = store.get();
			if (detail?.key === key) lookUpLabels(service, detail.entry);
		});
		lookUpLabels(service, entry);
		lookUpSparkline(service, entry);
		again = setInterval(() => lookUpSparkline(service, entry), SPARKLINE_EVERY_MS);
		again.unref();
	}

	function lookUpLabels(service: Client, entry: Entry): void {
		if (whyNoLabels(store.get().service) !== undefined) return;
		const holders = (entry.holders ?? []).slice(0, LABELLED_HOLDERS).map(holder => holder.address);
		const wallets = [...new Set([...(entry.deployer === undefined ? [] : [entry.deployer]), ...holders])];
		// Holders change places with every trade: only a new wallet is a reason for a request.
		if (wallets.every(wallet => labelled.has(wallet)) || steadyNow() < labelsRetryAtMs) return;
		labelled = new Set(wallets);
		const {key} = entry;
		change(key, detail => ({...detail, labels: loading(detail.labels)}));
		service.labels(wallets, {token: entry.address}).then(
			labels => change(key, detail => ({...detail, labels: ready(new Map([...known(detail.labels), ...labels]))})),
			(error: unknown) => {
				labelled = new Set();
				labelsRetryAtMs = steadyNow() + LABELS_RETRY_MS;
				change(key, detail => ({...detail, labels: failed(detail.labels, error)}));
			},
		);
	}

	function lookUpSparkline(service: Client, entry: Entry): void {
		const {key} = entry;
		const requested = frame;
		change(key, detail => ({...detail, sparkline: loading(detail.sparkline)}));
		service.sparkline({asset: entry.address, blockchain: entry.chain_id, timeFrame: requested}).then(
			line => requested === frame && change(key, detail => ({...detail, sparkline: ready(line)})),
			(error: unknown) =>
				requested === frame && change(key, detail => ({...detail, sparkline: failed(detail.sparkline, error)})),
		);
	}

	return {
		open(entry, timeFrame) {
			frame = timeFrame;
			if (current?.key === entry.key) return;
			stop();
			current = entry;
			rest = setTimeout(() => start(entry), REST_MS);
		},
		setTimeFrame(timeFrame) {
			frame = timeFrame;
			const service = client();
			if (current && service) {
				change(current.key, detail => ({...detail, timeFrame, sparkline: {kind: 'loading'}}));
				lookUpSparkline(service, current);
			}
		},
		close: stop,
	};
}

/** The labels received so far, also during a look-up. */
function known(labels: Detail['labels']): ReadonlyMap<string, Labels> {
	return (labels.kind === 'ready' ? labels.value : labels.kind === 'idle' ? undefined : labels.last) ?? new Map();
}

function loading<T>(was: Loadable<T>): Loadable<T> {
	const last = was.kind === 'ready' ? was.value : was.kind === 'idle' ? undefined : was.last;
	return last === undefined ? {kind: 'loading'} : {kind: 'loading', last};
}

function ready<T>(value: T): Loadable<T> {
	return {kind: 'ready', value, atMs: steadyNow()};
}

function failed<T>(was: Loadable<T>, error: unknown): Loadable<T> {
	const last = was.kind === 'ready' ? was.value : was.kind === 'idle' ? undefined : was.last;
	const problem = explain(error);
	return last === undefined ? {kind: 'failed', problem} : {kind: 'failed', problem, last};
}
