import {setTimeout as pause} from 'node:timers/promises';
import {explain} from '../../../errors.ts';
import {createSolanaNode, type SolanaNode} from '../../../rpc/solana/node.ts';
import type {CheckedCall, NodeCheck, VenueCount} from '../node-check.ts';
import {readLogs} from './invoke-stack.ts';
import {type LogsOfTransaction, openLogStream} from './log-stream.ts';
import {SOL_VAULT, SolPrice, USDC_VAULT} from './sol-price.ts';
import {MAINNET_GENESIS} from './solana-source.ts';
import {decodeEvent, SOLANA_VENUES, VENUE_OF_PROGRAM} from './venues/venues.ts';

/** How long the logs are listened to. */
const SAMPLE_MS = 6000;
const LATE_MS = 30_000;
const DEADLINE_MS = 10_000;
/** Calls that following makes by itself: prices, and accounts of new mints. */
const CALLS_PER_MINUTE = 32;

export interface SolanaCheckOptions {
	readonly url: string;
	readonly nowMs?: () => number;
	readonly sampleMs?: number;
}

/** Asks a node all that following Solana asks, and listens to the logs of the programs for a few seconds. */
export async function checkSolanaNode({
	url,
	nowMs = Date.now,
	sampleMs = SAMPLE_MS,
}: SolanaCheckOptions): Promise<NodeCheck> {
	const node = createSolanaNode(url, {deadlineMs: DEADLINE_MS});
	try {
		return await new SolanaChecker(node, nowMs).run(sampleMs);
	} finally {
		await node.close();
	}
}

class SolanaChecker {
	readonly #node: SolanaNode;
	readonly #nowMs: () => number;
	readonly #calls: CheckedCall[] = [];
	readonly #problems: string[] = [];
	#isUnusable = false;
	#hasAnswered = false;

	constructor(node: SolanaNode, nowMs: () => number) {
		this.#node = node;
		this.#nowMs = nowMs;
	}

	async run(sampleMs: number): Promise<NodeCheck> {
		const genesis = await this.#ask(
			'getGenesisHash',
			[],
			hash => `chain ${hash === MAINNET_GENESIS ? 'Solana' : 'unknown'}`,
		);
		const isMainnet = genesis === MAINNET_GENESIS;
		if (genesis === undefined) this.#fail('it does not answer');
		else if (!isMainnet) this.#fail("it is not a node of Solana's main network");
		const found = {chain: isMainnet ? 'solana' : null, ...(isMainnet ? await this.#look(sampleMs) : BLANK)};
		return {
			host: this.#node.host,
			hasAnswered: this.#hasAnswered,
			chainNumber: null,
			safe: null,
			calls: this.#calls,
			range: null,
			logsHaveTimes: null,
			...found,
			verdict: this.#isUnusable ? 'unusable' : this.#problems.length > 0 ? 'poor' : 'good',
			problems: this.#problems,
		};
	}

	async #look(sampleMs: number): Promise<typeof BLANK> {
		const slot = slotOf(await this.#ask('getSlot', [{commitment: 'confirmed'}], answer => `slot ${answer}`));
		const finalized = slotOf(
			await this.#ask('getSlot', [{commitment: 'finalized'}], answer => `slot ${answer}`, 'getSlot "finalized"'),
		);
		const second = slot === null ? undefined : await this.#ask('getBlockTime', [slot], () => 'the time of a block');
		const head = slot === null || !Number.isSafeInteger(second) ? null : this.#head(slot, Number(second) * 1000);
		await this.#price();
		const heard = await this.#listen(sampleMs);
		return {...BLANK, head, finalized, ...heard};
	}

	#head(number: number, timeMs: number): NonNullable<NodeCheck['head']> {
		const ageMs = this.#nowMs() - timeMs;
		if (Math.abs(ageMs) > LATE_MS) {
			const seconds = Math.round(Math.abs(ageMs) / 1000);
			this.#problems.push(
				ageMs > 0
					? `its newest block is ${seconds} s old: it lags, or the chain stands still`
					: `its newest block is ${seconds} s in the future: check the clock of this machine`,
			);
		}
		return {number, ageMs};
	}

	async #price(): Promise<void> {
		const price = new SolPrice(this.#nowMs);
		const params = [[SOL_VAULT, USDC_VAULT], {encoding: 'base64', commitment: 'confirmed'}];
		const answer = await this.#ask('getMultipleAccounts', params, () => 'accounts of a pool of SOL and USDC');
		if (answer === undefined) {
			this.#problems.push('it gives no accounts: after a lost connection the state of tokens stays unknown');
			return;
		}
		await price.refresh(this.#node).catch(() => {});
		const usd = price.usd();
		if (usd === null) this.#problems.push('the pool gives no price of SOL: set [follow.solana] sol_usd');
		else this.#note('price of SOL', true, `${usd.toFixed(2)} US dollars`, null);
	}

	/** Counts what the programs write, as following would. */
	async #listen(sampleMs: number): Promise<Pick<NodeCheck, 'sample' | 'load'>> {
		const counts = new Map(
			SOLANA_VENUES.map(venue => [venue.program, {known: 0, skipped: 0, unknown: 0, slots: new Set<number>()}]),
		);
		const slots: number[] = [];
		const startMs = performance.now();
		const stream = openLogStream(this.#node, [...counts.keys()], {
			logs: logs => {
				slots.push(logs.slot);
				count(counts, logs);
			},
			slot: () => {},
		});
		try {
			await stream.ready;
			this.#note('logsSubscribe', true, `${counts.size} programs, one subscription each`, performance.now() - startMs);
		} catch (error) {
			this.#note('logsSubscribe', false, explain(error).why, performance.now() - startMs);
			this.#fail('it sends no logs, which everything is read from: an address for websockets is needed');
			return {sample: null, load: null};
		}
		const before = this.#node.traffic.bytesPerSecond;
		await Promise.race([pause(sampleMs), stream.ended]);
		stream.close();
		if (slots.length === 0) {
			this.#problems.push(
				`it sent no logs in ${Math.round(sampleMs / 1000)} s, though the programs are busy at all times`,
			);
			return {sample: null, load: null};
		}
		const venues = SOLANA_VENUES.map((venue): VenueCount => {
			const {known, skipped, unknown, slots: odd} = counts.get(venue.program)!;
			return {venue: venue.id, name: venue.name, known, skipped, unknown, blocksWithUnknown: odd.size};
		});
		const strange = venues.filter(({unknown}) => unknown > 0).map(({name}) => name);
		if (strange.length > 0)
			this.#problems.push(`${strange.join(' and ')} wrote events that this version does not know in full`);
		return {
			sample: {fromBlock: Math.min(...slots), toBlock: Math.max(...slots), venues},
			load: {
				callsPerMinute: CALLS_PER_MINUTE,
				bytesPerSecond: Math.max(before, this.#node.traffic.bytesPerSecond),
			},
		};
	}

	async #ask(
		method: string,
		params: readonly unknown[],
		words: (answer: unknown) => string,
		name = method,
	): Promise<unknown> {
		const startMs = performance.now();
		try {
			const answer = await this.#node.call(method, params);
			this.#note(name, true, words(answer), performance.now() - startMs);
			return answer;
		} catch (error) {
			this.#note(name, false, explain(error).why, performance.now() - startMs);
			return undefined;
		}
	}

	#note(name: string, works: boolean, words: string, ms: number | null): void {
		this.#hasAnswered ||= works;
		this.#calls.push({name, works, words, ms: ms === null ? null : Math.round(ms)});
	}

	#fail(problem: string): void {
		this.#isUnusable = true;
		this.#problems.push(problem);
	}
}

const BLANK: Pick<NodeCheck, 'head' | 'blockMs' | 'finalized' | 'sample' | 'load'> = {
	head: null,
	blockMs: null,
	finalized: null,
	sample: null,
	load: null,
};

interface Counts {
	known: number;
	skipped: number;
	unknown: number;
	readonly slots: Set<number>;
}

function count(counts: ReadonlyMap<string, Counts>, {slot, isFailed, lines, program: of}: LogsOfTransaction): void {
	if (isFailed) return;
	for (const {program, data} of readLogs(lines, new Set([of])).events) {
		const venue = VENUE_OF_PROGRAM.get(program)!;
		const counted = counts.get(program)!;
		const decoded = attempt(() => decodeEvent(venue, Buffer.from(data, 'base64')));
		if (decoded === undefined) counted.skipped++;
		else if (decoded === null || decoded.extra > 0) {
			counted.unknown++;
			counted.slots.add(slot);
		} else counted.known++;
	}
}

function attempt<Value>(read: () => Value): Value | null {
	try {
		return read();
	} catch {
		return null;
	}
}

function slotOf(answer: unknown): number | null {
	return Number.isSafeInteger(answer) ? (answer as number) : null;
}
