import {setTimeout as sleep} from 'node:timers/promises';
import {
	BRIDGE,
	type BridgeStatusRow,
	type ExecuteBody,
	type ExecuteResult,
	type Quote,
	type QuoteRequest,
} from '../../contract/bridge.ts';
import type {ChainSet} from '../chain/chain-set.ts';
import {chainKey} from '../chain/chains.ts';
import type {Database} from '../store/database.ts';
import {BRIDGE_FEE_BPS, MAX_TRADE_USD} from './amounts.ts';
import {bridgeable} from './assets.ts';
import {execute} from './execute.ts';
import {createIntentRunner, type RunnerOptions} from './intent-runner.ts';
import {createIntentBook, type Intent, type IntentBook} from './intents.ts';
import type {LaunchMarket} from './launch.ts';
import {openLaunches} from './launches.ts';
import {quote} from './quote.ts';
import {awaitEnd, statusRow, unknownRow} from './status.ts';

export interface BridgeOptions extends Partial<Pick<RunnerOptions, 'now' | 'log' | 'retryMs' | 'failureDelayMs'>> {
	readonly chains: ChainSet;
	readonly database: Database;
	/** The market whose launches are traded on practice chains. */
	readonly market?: LaunchMarket | undefined;
	/** How long the solver may take to answer an execute, in milliseconds; 30 s by the spec. */
	readonly solverMs?: number | undefined;
	/** How long /wait holds a request, in milliseconds; 30 s by the spec. */
	readonly waitMs?: number | undefined;
	/** Whether other processes work on the intents of the same store. */
	readonly isShared?: boolean | undefined;
	/** How long others wait for a worker that does not renew its lease, in milliseconds; default 10 s. */
	readonly leaseMs?: number | undefined;
}

/** A pair of chains that can be bridged (contract gaps 4.3). */
export interface Route {
	readonly originChainId: string;
	readonly destinationChainId: string;
	readonly estimatedTimeMs: number;
	readonly feeBps: number;
	readonly maxTradeUsd: number;
	readonly supportedTokens: string;
}

/** The bridge: quotes, sponsored executes, and the status of intents. */
export interface BridgeService {
	readonly book: IntentBook;
	/** @throws QuoteRefused, ChainUnavailable, StoreFailed */
	quote(request: QuoteRequest): Promise<Quote>;
	/** @throws ExecuteRefused */
	execute(body: ExecuteBody): Promise<ExecuteResult>;
	/** @param id intentId, on-chain id, deposit or fill hash */
	status(id: string): Promise<BridgeStatusRow>;
	/** As status, at the intent's end or after 30 s; an unknown id may become known meanwhile. */
	wait(id: string, options?: {waitMs?: number; signal?: AbortSignal}): Promise<BridgeStatusRow>;
	/** Pairs of chains that can be quoted now. */
	routes(): Promise<Route[]>;
	/** Stops working on intents; the next run continues them. */
	close(): Promise<void>;
}

/** Unused quotes are forgotten after a week: until then their steps may still be sent by hand. */
const KEEP_UNUSED_MS = 7 * 24 * 3600_000;

/** How often a waiting caller's unknown id is looked up: another process on the same store may have quoted it. */
const UNKNOWN_POLL_MS = 250;

/** How often the deposit of a waiting caller's intent is looked for, which the user may send directly. */
const DEPOSIT_POLL_MS = 1000;

/** Opens the bridge and resumes the intents of an earlier run. */
export async function createBridge(options: BridgeOptions): Promise<BridgeService> {
	const {
		chains,
		database,
		now = Date.now,
		log = () => {},
		solverMs,
		market,
		isShared,
		leaseMs,
		waitMs: longestWaitMs = BRIDGE.waitMs,
	} = options;
	const launches = market?.outside && (await openLaunches({chains, database, outside: market.outside, log}));
	const book = await createIntentBook(database, {now: options.now, isShared, leaseMs, log});
	const trader = launches?.trader;
	const runner = createIntentRunner({...options, book, now, log, trader});
	const lookedAtMs = new Map<string, number>();
	const close = async (): Promise<void> => {
		await runner.close();
		await book.close();
		await launches?.close();
	};
	try {
		await runner.recover();
	} catch (error) {
		// The caller retries, and has nothing that it could close.
		await close();
		throw error;
	}
	launches?.recover();
	book.forgetUnused(KEEP_UNUSED_MS);

	/**
	 * A quote's steps can be sent by hand, so an intent that was only quoted may have a deposit. Never starts a chain.
	 */
	const current = async (id: string): Promise<Intent | undefined> => {
		const intent = await book.lookUp(id);
		if (intent?.status !== null || chains.state(intent.originChainId).state !== 'ready') return intent;
		if (now() - (lookedAtMs.get(intent.intentId) ?? 0) < DEPOSIT_POLL_MS) return intent;
		if (lookedAtMs.size > 1000) lookedAtMs.clear();
		lookedAtMs.set(intent.intentId, now());
		await runner.lookForDeposit(intent.intentId).catch(error => log(`a deposit was not looked for: ${String(error)}`));
		return book.get(intent.intentId);
	};

	return {
		book,
		async quote(request) {
			const answer = await quote({chains, book, now, market}, request);
			if (request.signature !== undefined) runner.expectDeposit(answer.intentId);
			return answer;
		},
		execute: body => execute({chains, book, now, start: runner.start, watch: runner.watch, trader, solverMs}, body),
		async status(id) {
			const intent = await current(id);
			return intent === undefined ? unknownRow(id) : statusRow(intent);
		},
		async wait(id, waiting = {}) {
			const {waitMs = longestWaitMs, signal} = waiting;
			const untilMs = performance.now() + waitMs;
			let intent = await current(id);
			while (intent === undefined && performance.now() < untilMs && !signal?.aborted) {
				await sleep(UNKNOWN_POLL_MS, undefined, {ref: false, ...(signal && {signal})}).catch(() => {});
				intent = await current(id);
			}
			if (intent === undefined) return unknownRow(id);
			const leftMs = Math.max(0, untilMs - performance.now());
			return statusRow(await awaitEnd(book, intent.intentId, {waitMs: leftMs, signal}));
		},
		async routes() {
			const {infos} = chains;
			// A practice chain is started by a quote only; whether it can start is known before.
			const isServed = await Promise.all(
				infos.map(async ({id}) => {
					if (chains.outline(id).kind === 'external') await chains.ready(id).catch(() => {});
					return chains.state(id).state !== 'unavailable';
				}),
			);
			const served = infos.filter((_, at) => isServed[at]);
			return served.flatMap(origin =>
				served
					.filter(({id}) => id !== origin.id && chains.outline(id).kind === chains.outline(origin.id).kind)
					.map(destination => ({
						originChainId: chainKey(origin.id),
						destinationChainId: chainKey(destination.id),
						estimatedTimeMs: destination.fillTimeMs,
						feeBps: BRIDGE_FEE_BPS,
						maxTradeUsd: MAX_TRADE_USD,
						supportedTokens: bridgeable(launches !== undefined && chains.outline(origin.id).kind === 'embedded'),
					})),
			);
		},
		close,
	};
}
