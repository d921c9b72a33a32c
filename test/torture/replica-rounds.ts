import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {setTimeout as pause} from 'node:timers/promises';
import {entryKey} from '../../source/contract/entry.ts';
import {startPostgres} from '../helpers/postgres.ts';
import {giveTokens, startRealNodes} from '../helpers/real-nodes.ts';
import {REPLICA_KEYS, type ReplicaSet, startReplicaSet} from '../helpers/replica-set.ts';
import {intentHash, newUser, USDC, waitFor} from '../service/chain/practice.ts';
import {randomBy} from './processes.ts';
import {countOnChains, Executes, type Sent} from './replica-executes.ts';
import {readMarketLog} from './replica-log.ts';
import {ReplicaSubscriber} from './replica-subscriber.ts';

export interface ReplicaRoundsOptions {
	readonly seconds: number;
	readonly seed: number;
	readonly subscribers: number;
	readonly executesPerS: number;
	readonly killEveryMs: number;
	readonly onLine?: (line: string) => void;
}

export interface ReplicaFigures {
	/** One figure a line. */
	readonly lines: readonly string[];
	/** What must not be: nothing may stand here. */
	readonly violations: readonly string[];
}

const REPLICAS = 3;
const USERS = 60;
const VIEW = {name: 'new', model: 'new', limit: 20};
/** Subscribers are back within this long after a kill. */
const BACK_MS = 3000;

/**
 * Three replicas, subscribers and transfers; a random replica is killed at an even pace and started again. Afterwards everything is
 * counted from what the replicas can't change: the chains, the market log, and what each subscriber saw.
 */
export async function replicaRounds(options: ReplicaRoundsOptions): Promise<ReplicaFigures> {
	const {seconds, seed, subscribers, executesPerS, killEveryMs, onLine = () => {}} = options;
	const random = randomBy(seed);
	const violations: string[] = [];
	const expect = (holds: boolean, otherwise: string): void => {
		if (!holds && violations.push(otherwise) <= 50) onLine(`VIOLATION ${otherwise}`);
	};
	const closing: (() => unknown)[] = [];
	try {
		const database = await startPostgres();
		closing.push(() => database.close());
		const nodes = await startRealNodes();
		closing.push(() => nodes.close());
		const users = Array.from({length: USERS}, newUser);
		for (const {address} of users) await giveTokens(nodes.base, address, 1000n * USDC);
		const hooks = await openReceiver();
		closing.push(() => hooks.close());
		const set = await startReplicaSet({
			replicas: REPLICAS,
			storeUrl: database.url,
			nodes,
			args: ['--seed', String(seed), '--allow-private-webhooks'],
		});
		closing.push(() => set.close());
		onLine('the replicas are ready');
		const alive = new Set(set.urls.map((_, n) => n));
		const executes = new Executes({
			nodes,
			users,
			urls: () => [...alive].map(n => set.urls[n]!),
			key: REPLICA_KEYS[0],
			random,
		});
		await executes.warmUp();
		await makeWebhook(set.urls[0]!, hooks.url);
		const readers = Array.from(
			{length: subscribers},
			(_, n) => new ReplicaSubscriber(set.urls, n, REPLICA_KEYS[n % REPLICA_KEYS.length]!, VIEW),
		);
		closing.push(() => readers.map(reader => reader.close()));
		await waitFor(() => readers.every(({isServed}) => isServed));
		onLine(`${readers.length} subscribers are served, ${executes.sent.length} accounts have their code`);

		const stop = new AbortController();
		const moving = executes.run(executesPerS, stop.signal);
		const kills = await killAround({set, alive, random, untilMs: performance.now() + seconds * 1000, killEveryMs});
		stop.abort();
		await moving;
		onLine(`${kills} kills, ${executes.sent.length} transfers`);
		await waitFor(() => readers.every(({isServed}) => isServed));
		// What came last is to arrive everywhere.
		await pause(2000);
		for (const reader of readers) reader.close();

		const ends = await endsOf(executes, set);
		await checkTransfers({executes, set, ends, expect, counts: await countOnChains(nodes)});
		await checkNonces(nodes, expect);
		const log = await readMarketLog(database);
		for (const problem of log.problems) expect(false, problem);
		for (const [n, reader] of readers.entries()) checkReader(n, reader, log.launches, expect);
		await checkHooks(hooks, log.launches, expect);
		const pages = await comparePages(set, expect);
		const gaps = readers.flatMap(({gapsMs}) => gapsMs).sort((a, b) => a - b);
		const delays = readers.flatMap(({delaysMs}) => delaysMs).sort((a, b) => a - b);
		const took = executes.sent.map(({tookMs}) => tookMs).sort((a, b) => a - b);
		const at = (sorted: readonly number[], part: number) =>
			`${Math.round(sorted[Math.floor(sorted.length * part)] ?? Number.NaN)} ms`;
		const sum = (of: (reader: ReplicaSubscriber) => number) => readers.reduce((total, reader) => total + of(reader), 0);
		return {
			violations,
			lines: [
				`${REPLICAS} replicas, ${kills} kills in ${seconds} s`,
				`${executes.sent.length} transfers, ${executes.sent.filter(isAccepted).length} accepted, ${executes.unquoted} without a quote; ends: ${tally(ends)}`,
				`execute: p50 ${at(took, 0.5)}, p99 ${at(took, 0.99)}`,
				`${gaps.length} connections lost; back after p50 ${at(gaps, 0.5)}, p99 ${at(gaps, 0.99)}, worst ${at(gaps, 0.9999)}`,
				`resumed ${sum(r => r.recovered)}, not recovered ${sum(r => r.notRecovered)}, ${sum(r => r.missed)} tokens came as missed`,
				`launch to frame: p50 ${at(delays, 0.5)}, p99 ${at(delays, 0.99)}; ${(sum(r => r.bytes) / 1e6).toFixed(0)} MB read`,
				`log: ${log.entries} entries, ${log.launches.length} launches; ${pages} equal pages at equal positions`,
				`webhooks: ${hooks.tokens.size} launches arrived in ${hooks.deliveries} deliveries of ${hooks.ids.size} ids`,
			],
		};
	} finally {
		for (const close of closing.reverse()) await close();
	}
}

type Expect = (holds: boolean, otherwise: string) => void;

interface Kills {
	readonly set: ReplicaSet;
	/** Numbers of the replicas that run. */
	readonly alive: Set<number>;
	readonly random: () => number;
	readonly untilMs: number;
	readonly killEveryMs: number;
}

/** Kills a random replica again and again; each is started again at once. Returns how many were killed. */
async function killAround({set, alive, random, untilMs, killEveryMs}: Kills): Promise<number> {
	let kills = 0;
	for (;;) {
		const nextMs = performance.now() + killEveryMs;
		if (nextMs > untilMs) break;
		const n = [...alive][Math.floor(random() * alive.size)]!;
		alive.delete(n);
		await set.end(n, 'SIGKILL');
		kills++;
		await set.start(n);
		alive.add(n);
		await pause(Math.max(0, nextMs - performance.now()));
	}
	return kills;
}

function isAccepted({answers}: Sent): boolean {
	return answers.includes(200);
}

/** The last status of each transfer, which all replicas have to agree about. */
async function endsOf(executes: Executes, set: ReplicaSet): Promise<Map<string, string>> {
	const ends = new Map<string, string>();
	const open = new Set(executes.sent.map(({intentId}) => intentId));
	await waitFor(async () => {
		for (const intentId of open) {
			const status = await executes.status(set.urls[0]!, intentId);
			ends.set(intentId, status);
			if (['settled', 'failed', 'refunded'].includes(status)) open.delete(intentId);
		}
		// A transfer whose execute never reached a replica stays a quote.
		return [...open].every(id =>
			executes.sent.some(one => one.intentId === id && !one.answers.some(a => a !== undefined && a < 500)),
		);
	}).catch(() => {});
	return ends;
}

async function checkTransfers({
	executes,
	set,
	ends,
	expect,
	counts: {deposits, fills},
}: {
	readonly executes: Executes;
	readonly set: ReplicaSet;
	readonly ends: ReadonlyMap<string, string>;
	readonly expect: Expect;
	readonly counts: Awaited<ReturnType<typeof countOnChains>>;
}): Promise<void> {
	for (const one of executes.sent) {
		const {intentId, answers} = one;
		const hash = intentHash(intentId);
		const [deposited, filled] = [deposits.get(hash) ?? 0, fills.get(hash) ?? 0];
		const end = ends.get(intentId);
		const name = `${intentId} (answers ${answers.map(answer => answer ?? 'cut').join(' and ')}, ends ${end})`;
		expect(answers.filter(answer => answer === 200).length <= 1, `${name} was accepted twice`);
		expect(
			answers.every(answer => answer === undefined || [200, 409, 503, 504].includes(answer)),
			`${name}: another answer`,
		);
		expect(deposited <= 1 && filled <= 1, `${name}: ${deposited} deposits, ${filled} fills`);
		if (isAccepted(one))
			expect(deposited === 1 && filled === 1, `${name} was accepted: ${deposited} deposits, ${filled} fills`);
		if (end === 'settled') expect(deposited === 1 && filled === 1, `${name}: ${deposited} deposits, ${filled} fills`);
		if (end === 'failed') expect(filled === 0, `${name}: it has failed and was paid`);
		expect(end !== 'pending' || deposited === 0, `${name}: deposited and still pending`);
	}
	for (const one of executes.sent.filter(({intentId}) => deposits.has(intentHash(intentId))).slice(-20)) {
		for (const url of set.urls) {
			const again = await executes.again(url, one);
			expect(again === 409, `${one.intentId} again: ${again}`);
		}
	}
}

/** Nothing waits for a number that is missing. */
async function checkNonces(
	{base, arbitrum}: Awaited<ReturnType<typeof startRealNodes>>,
	expect: Expect,
): Promise<void> {
	for (const chain of [base, arbitrum]) {
		const {address} = chain.accounts.sponsor;
		const isEven = async () => {
			const count = (block: string) => chain.rpc.call<string>('eth_getTransactionCount', [address, block]);
			const {queued, pending} = await chain.rpc.call<{queued: string; pending: string}>('txpool_status');
			return (await count('latest')) === (await count('pending')) && Number(queued) + Number(pending) === 0;
		};
		expect(await waitFor(isEven).catch(() => false), `transactions wait on evm:${chain.info.id}: a nonce is missing`);
	}
}

/** Each launch between the first and the last position of a subscriber came to it. */
function checkReader(
	n: number,
	{tokens, from, at, gapsMs, notRecovered}: ReplicaSubscriber,
	launches: readonly {readonly seq: number; readonly key: string}[],
	expect: Expect,
): void {
	const seqOf = (position: string | undefined) => Number(position?.split('.')[1]);
	const missing = launches.filter(({seq, key}) => seq > seqOf(from) && seq <= seqOf(at) && !tokens.has(key));
	expect(
		missing.length === 0,
		`subscriber ${n} misses ${missing.length} launches, such as ${missing[0]?.key} of entry ${missing[0]?.seq}`,
	);
	expect(notRecovered === 0, `subscriber ${n} was not recovered ${notRecovered} times`);
	const longest = Math.max(0, ...gapsMs);
	expect(longest <= BACK_MS, `subscriber ${n} was back after ${Math.round(longest)} ms`);
	expect(seqOf(at) > seqOf(from), `subscriber ${n} has no positions`);
}

interface Receiver {
	readonly url: string;
	readonly tokens: ReadonlySet<string>;
	/** Delivery ids, and the token of each. */
	readonly ids: ReadonlyMap<string, string>;
	readonly deliveries: number;
	close(): Promise<void>;
}

/** A target of webhooks that keeps which launches have arrived. */
async function openReceiver(): Promise<Receiver> {
	const ids = new Map<string, string>();
	const tokens = new Set<string>();
	let deliveries = 0;
	const server = createServer(async (request, response) => {
		let text = '';
		for await (const chunk of request) text += chunk;
		const body = JSON.parse(text) as {data?: {token?: {address?: string; chainId?: string}}};
		deliveries++;
		ids.set(String(request.headers['x-webhook-delivery']), text);
		const key = keyIn(body);
		if (key !== undefined) tokens.add(key);
		response.writeHead(200).end();
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
		tokens,
		ids,
		get deliveries() {
			return deliveries;
		},
		async close() {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
}

/** The token that a body names, wherever it does. */
function keyIn(body: unknown): string | undefined {
	if (typeof body !== 'object' || body === null) return undefined;
	const {chainId, tokenAddress, address} = body as Record<string, unknown>;
	const token = tokenAddress ?? address;
	if (typeof chainId === 'string' && typeof token === 'string') return entryKey(chainId, token);
	for (const value of Object.values(body)) {
		const key = keyIn(value);
		if (key !== undefined) return key;
	}
	return undefined;
}

async function makeWebhook(url: string, target: string): Promise<void> {
	const chainIds = ['solana:solana', 'evm:8453', 'evm:56', 'evm:42161', 'evm:137', 'evm:4663'];
	const body = {name: 'launches', chainIds, events: ['launchpad'], apiKey: REPLICA_KEYS[0], url: target};
	const answer = await fetch(`${url}/api/1/webhook`, {
		method: 'POST',
		headers: {authorization: REPLICA_KEYS[0], 'content-type': 'application/json'},
		body: JSON.stringify(body),
	});
	if (!answer.ok) throw new Error(`no webhook: ${answer.status} ${await answer.text()}`);
}

async function checkHooks(
	hooks: Receiver,
	launches: readonly {readonly seq: number; readonly key: string}[],
	expect: Expect,
): Promise<void> {
	const first = launches.findIndex(({key}) => hooks.tokens.has(key));
	expect(first >= 0, 'no webhook has arrived');
	const due = launches.slice(Math.max(0, first));
	await waitFor(() => due.every(({key}) => hooks.tokens.has(key))).catch(() => {});
	const missing = due.filter(({key}) => !hooks.tokens.has(key));
	expect(
		missing.length === 0,
		`${missing.length} of ${due.length} launches came to no webhook, such as ${missing[0]?.key}`,
	);
}

/** Replicas that stand at the same position give the same page. Returns how many pages were compared. */
async function comparePages({urls}: ReplicaSet, expect: Expect): Promise<number> {
	let compared = 0;
	for (let round = 0; round < 400 && compared < 10; round++) {
		const pages = await Promise.all(urls.map(pageOf));
		for (const page of pages.slice(1)) {
			const same = pages.find(other => other !== page && other.at === page.at);
			if (same === undefined) continue;
			compared++;
			expect(same.text === page.text, `two pages differ at ${page.at}`);
		}
	}
	expect(compared > 0, 'no two replicas stood at the same position');
	return compared;
}

async function pageOf(url: string): Promise<{readonly at: string | null; readonly text: string}> {
	const views = ['new', 'bonding', 'bonded'].map(model => ({name: model, model, limit: 50}));
	const answer = await fetch(`${url}/api/2/pulse`, {
		method: 'POST',
		headers: {authorization: REPLICA_KEYS[1], 'content-type': 'application/json'},
		body: JSON.stringify({assetMode: true, views}),
	});
	return {at: answer.headers.get('pulsetop-at'), text: await answer.text()};
}

function tally(ends: ReadonlyMap<string, string>): string {
	const counts = new Map<string, number>();
	for (const end of ends.values()) counts.set(end, (counts.get(end) ?? 0) + 1);
	return [...counts].map(([end, count]) => `${count} ${end}`).join(', ');
}
