import type {RealNodes} from '../helpers/real-nodes.ts';
import {REPLICA_KEYS, type ReplicaSet} from '../helpers/replica-set.ts';
import {intentHash, waitFor} from '../service/chain/practice.ts';
import type {countOnChains, Executes, Sent} from './replica-executes.ts';
import type {LaunchReceiver} from './replica-hooks.ts';
import type {PerpRequests} from './replica-perp.ts';
import type {ReplicaSubscriber} from './replica-subscriber.ts';

/** Subscribers are back within this long after a kill. */
const BACK_MS = 3000;

/** Notes a violation when something does not hold. */
export type Expect = (holds: boolean, otherwise: string) => void;

export function isAccepted({answers}: Sent): boolean {
	return answers.includes(200);
}

/** The last status of each transfer, which all replicas have to agree about. */
export async function endsOf(executes: Executes, set: ReplicaSet): Promise<Map<string, string>> {
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

export async function checkTransfers({
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

/** A signature counts at most once, whichever replicas get it. */
export function checkPerp({answers}: PerpRequests, expect: Expect): void {
	const known = ['taken', 'used', 'away', 'cut'];
	for (const both of answers) {
		const text = both.join(' and ');
		expect(both.filter(answer => answer === 'taken').length <= 1, `a signature was taken twice: ${text}`);
		expect(
			both.every(answer => known.includes(answer)),
			`another answer to a signature: ${text}`,
		);
	}
	expect(
		answers.some(both => both.includes('taken')),
		'no signature was taken',
	);
}

/** Nothing waits for a number that is missing. */
export async function checkNonces(
	{base, arbitrum}: Pick<RealNodes, 'base' | 'arbitrum'>,
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
export function checkReader(
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

export async function checkHooks(
	hooks: LaunchReceiver,
	launches: readonly {readonly seq: number; readonly key: string}[],
	expect: Expect,
): Promise<void> {
	const first = launches.findIndex(({key}) => hooks.tokens.has(key));
	expect(first >= 0, 'no webhook has arrived');
	const due = launches.slice(Math.max(0, first));
	await waitFor(() => due.every(({key}) => hooks.tokens.has(key))).catch(() => {});
	for (const problem of hooks.problems) expect(false, problem);
	const missing = due.filter(({key}) => !hooks.tokens.has(key));
	expect(
		missing.length === 0,
		`${missing.length} of ${due.length} launches came to no webhook, such as ${missing[0]?.key}`,
	);
}

/** Replicas that stand at the same position give the same page. Returns how many pages were compared. */
export async function comparePages({urls}: ReplicaSet, expect: Expect): Promise<number> {
	let compared = 0;
	for (let round = 0; round < 400 && compared < 10; round++) {
		const pages = (await Promise.all(urls.map(url => pageOf(url).catch(() => undefined)))).filter(
			page => page !== undefined,
		);
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
