import {onTestFinished} from 'vitest';
import {parsePulseBody} from '../../../source/contract/pulse-request.ts';
import type {EventLog} from '../../../source/service/log/event-log.ts';
import {type Market, ROW} from '../../../source/service/market/market.ts';
import {PulseEngine} from '../../../source/service/pulse/pulse-engine.ts';
import {
	openReplicaMarket,
	type ReplicaMarket,
	type ReplicaMarketOptions,
} from '../../../source/service/replicas/replica-market.ts';

/** Opens and starts the market of a replica; closed with the test. */
export async function openReplica(
	log: EventLog,
	options: Pick<ReplicaMarketOptions, 'sources' | 'startMs' | 'directory'> & {readonly faults?: string[]},
): Promise<ReplicaMarket> {
	const market = await openReplicaMarket({...options, log, fault: line => options.faults?.push(line)});
	onTestFinished(() => market.close());
	market.start();
	return market;
}

/** Waits until a market has an entry. */
export async function untilAt(market: ReplicaMarket, seq: number): Promise<void> {
	await market.untilApplied(seq, AbortSignal.timeout(60_000));
}

/** All that clients can see of a market, byte for byte: entries of all rows, prices, labels of holders, and pages of views. */
export function bytesOf(market: Market): Map<string, string> {
	const shown = new Map<string, string>();
	const {table} = market;
	const wallets = new Set<string>();
	for (let row = 0; row < table.length; row++) {
		if ((table.bits[row]! & ROW.live) === 0) continue;
		const entry = market.poolEntry(row, 50);
		const key = `${table.key(row)} in ${table.addresses(row).pool}`;
		shown.set(key, JSON.stringify(entry));
		shown.set(`${key}: prices`, JSON.stringify(market.priceHistory(table.key(row), 0)));
		const holders = (entry as {pair?: {holders_list?: {address: string}[]}}).pair?.holders_list ?? [];
		for (const {address} of holders) wallets.add(address);
	}
	const labels = market.walletLabels([...wallets].sort());
	for (const label of labels) shown.set(`wallet ${label.walletAddress}`, JSON.stringify(label));
	const pulse = new PulseEngine(market);
	for (const body of VIEWS) {
		for (const [n, view] of parsePulseBody(body).views.entries()) {
			const page = pulse.page(view).map(row => market.assetEntry(row));
			shown.set(`view ${JSON.stringify(body)} ${n}`, JSON.stringify(page));
		}
	}
	return new Map([...shown].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const VIEWS = [{assetMode: true}, {assetMode: false}];

/** Where two markets differ, byte for byte. */
export function differing(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
	const keys = new Set([...one.keys(), ...other.keys()]);
	return [...keys].flatMap(key =>
		one.get(key) === other.get(key) ? [] : [`${key}: ${fieldsOf(one.get(key), other.get(key))}`],
	);
}

function fieldsOf(one: string | undefined, other: string | undefined): string {
	if (one === undefined || other === undefined) return `only in the ${one === undefined ? 'second' : 'first'}`;
	let at = 0;
	while (one[at] === other[at]) at++;
	return `${one.slice(Math.max(0, at - 60), at + 40)} | ${other.slice(Math.max(0, at - 60), at + 40)}`;
}
