import {setTimeout as sleep} from 'node:timers/promises';
import {type Address, encodeEventTopics, formatLog, getAddress, type Hash, type RpcLog, toHex} from 'viem';
import {reasonOf} from '../../errors.ts';
import type {RpcCall} from '../../rpc/json-rpc.ts';
import {MarketVenue, Token} from '../chain/artifacts.generated.ts';
import type {Chain, ChainSet} from '../chain/chain-set.ts';
import {isKnown, mineNow, receiptOf} from '../chain/receipt.ts';
import {type Outgoing, type Persist, SendRejected} from '../chain/sender.ts';
import {
	closePoolCalls,
	placeMarketToken,
	readPool,
	setPoolCalls,
	type VenueTrade,
	venueTradesIn,
} from '../chain/venue.ts';
import {type Hold, isUntradable, type OutsideMarket, TradeImpossible} from '../market/outside.ts';
import {BRIDGED_DECIMALS} from './amounts.ts';
import {fromRaw, type Launch, launchKey, launchOf} from './launch.ts';
import {whyNotTraded} from './launch-quote.ts';
import type {PracticeToken, PracticeTokens} from './practice-tokens.ts';

/** A transaction that trades a launch in the venue. */
export interface LaunchTrade {
	readonly chain: Chain;
	readonly role: 'solver' | 'sponsor';
	readonly token: Address;
	readonly outgoing: Outgoing;
	/** Why the transaction is not worth sending with these reserves; undefined: it is. */
	readonly refuses: (launch: Launch) => string | undefined;
}

/** Makes trades of launches: in the market and on a chain, once in both. */
export interface LaunchTrader {
	/**
	 * As Sender.send. The market holds the token from before the transaction is sent until the market has its effect, or
	 * until it is clear that the transaction takes longer; the effect follows then.
	 * @throws SendRejected when nothing was sent, also because the token is not traded now; SendUncertain
	 */
	send(trade: LaunchTrade, persist: Persist): Promise<Hash>;
	/**
	 * Brings the trades of an earlier run into the market, and tries again until they are there. Starts the chains that have such a
	 * trade.
	 */
	recover(): Promise<void>;
}

export interface LaunchTraderOptions {
	readonly chains: ChainSet;
	readonly outside: OutsideMarket;
	readonly tokens: PracticeTokens;
	readonly log: (line: string) => void;
}

/** How long the reserves hold on the chain, in seconds: a transaction that another account sends later is refused. */
const VALID_S = 5;

/** How long a transaction is awaited within a hold, which the market ends after a second. */
const MINED_WITHIN_MS = 800;
const MINED_POLL_MS = 2;

/** Delays before a trade that is not in the market yet is tried again. They grow, since a try may have to start a chain. */
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

/** A hold, and where its trades begin in the logs of the chain. */
interface Turn {
	readonly chain: Chain;
	readonly launch: Launch;
	readonly hold: Hold;
	/** The last block before. */
	readonly since: bigint;
}

/** Makes a trader without trades. */
export function createLaunchTrader({chains, outside, tokens, log}: LaunchTraderOptions): LaunchTrader {
	/** Trades that the market has, by chain, transaction and log. */
	const settled = new Set<string>();
	/** Runs of chains whose tokens of before a reset were forgotten. */
	const seenRuns = new Set<string>();
	/** The logged reason why trades are not in the market yet. */
	const reasons = new Map<string, string>();
	let retry: NodeJS.Timeout | undefined;
	let waitMs = FIRST_RETRY_MS;

	/** Brings the trades since a block into the market. */
	const settle = async (
		{chain, launch, hold}: Pick<Turn, 'chain' | 'launch' | 'hold'>,
		trades: readonly VenueTrade[],
	) => {
		for (const trade of trades) {
			const id = `${chain.instance}:${trade.txHash}:${trade.logIndex}`;
			if (settled.has(id)) continue;
			try {
				hold.settle(outsideTrade(trade, launch));
			} catch (error) {
				if (!(error instanceof TradeImpossible)) throw error;
				// The chain has it all the same.
				log(`${error.message}: ${error.why}`);
				const {token, usd, left} = await readPool(chain, launch.address);
				const {decimals} = launch.facts;
				hold.reconcile({
					reserveToken: fromRaw(token, decimals),
					reserveUSD: fromRaw(usd, BRIDGED_DECIMALS),
					left: launch.token.left === Number.POSITIVE_INFINITY ? launch.token.left : fromRaw(left, decimals),
				});
			}
			settled.add(id);
		}
	};

	/** Stores the effect of a trade on the market, or deletes the token when no wallet holds it. */
	const keep = async ({chain, launch}: Pick<Turn, 'chain' | 'launch'>): Promise<void> => {
		const facts = outside.heldFacts(launch.key);
		if (facts === undefined) return;
		if (facts.holders.length === 0 && !(await isOutside(chain, launch))) await tokens.drop(launch.key);
		else await tokens.settle(facts);
	};

	/** Closes the pool, and brings into the market what was traded in it meanwhile, by anybody. */
	const finish = async (turn: Turn): Promise<void> => {
		const {chain, launch, since} = turn;
		const answers = await chain.rpc.batch([
			...closePoolCalls(chain, launch.address),
			tradesFrom(chain, launch.address, since),
		]);
		await settle(turn, tradesAfter(chain, answers.at(-1), since));
		await keep(turn);
	};

	/**
	 * Brings a trade that was sent in an earlier hold into the market.
	 * @throws SendRejected when that is not possible yet: until then the token cannot be traded
	 */
	const settlePending = async (chain: Chain, {key, pendingTx, pendingSince}: PracticeToken): Promise<void> => {
		const hold = await outside.hold(key);
		try {
			if (isUntradable(hold)) throw new SendRejected(whyNotTraded(hold.why));
			// Another turn may have done it while this one waited.
			if ((await tokens.get(key))?.pendingTx !== pendingTx) return;
			if (await isWaiting(chain, pendingTx!)) await mineNow(chain);
			if (await isWaiting(chain, pendingTx!)) {
				throw new SendRejected('an earlier trade of the token is not mined yet');
			}
			// A chain whose last seconds were lost in a crash has fewer blocks than were seen of it.
			const head = await chain.client.getBlockNumber();
			const since = pendingSince !== null && pendingSince < head ? pendingSince : head;
			await finish({chain, launch: launchOf(hold.token), hold, since});
		} finally {
			if (!isUntradable(hold)) hold.release();
		}
	};

	/** Takes the token out of the market and stores it. @throws SendRejected when it is not traded now */
	const begin = async ({chain, token, refuses}: LaunchTrade, hash: Hash): Promise<Turn> => {
		const key = launchKey(chain, token);
		await forgetOthers(chain);
		const open = await tokens.get(key);
		if (open?.pendingTx) await settlePending(chain, open);
		const hold = await outside.hold(key);
		if (isUntradable(hold)) throw new SendRejected(whyNotTraded(hold.why));
		try {
			const launch = launchOf(hold.token);
			const why = refuses(launch);
			if (why !== undefined) throw new SendRejected(why);
			const [since] = await Promise.all([
				chain.client.getBlockNumber(),
				placeMarketToken(chain, launch.address, launch.facts),
			]);
			const row = {chainId: chain.info.id, instance: chain.instance, pendingTx: hash, pendingSince: since};
			await tokens.begin(row, outside.heldFacts(key)!);
			return {chain, launch, hold, since};
		} catch (error) {
			hold.release();
			throw error;
		}
	};

	const forgetOthers = async ({info, instance, run}: Chain): Promise<void> => {
		if (seenRuns.has(run)) return;
		await tokens.dropOthers(info.id, instance);
		seenRuns.add(run);
	};

	/** The end of a turn whose transaction may have been sent. A failed step is tried again later, and before the next turn. */
	const end = async (turn: Turn, hash: Hash, isSent: boolean): Promise<void> => {
		try {
			if (!isSent || (await isMinedSoon(turn.chain, hash))) return await finish(turn);
			log(`the trade ${hash} takes long: the market gets it later`);
		} catch (error) {
			log(`the trade ${hash} is not in the market yet: ${reasonOf(error)}`);
		} finally {
			turn.hold.release();
		}
		recoverLater();
	};

	/** Tries pending trades again in a moment: the next trade of their tokens may never come. */
	const recoverLater = (): void => {
		if (retry !== undefined) return;
		retry = setTimeout(() => {
			retry = undefined;
			// A store closed in the meantime has no trades.
			recover().catch(() => {});
		}, waitMs).unref();
		waitMs = Math.min(waitMs * 2, LAST_RETRY_MS);
	};

	const recover = async (): Promise<void> => {
		for (const row of await tokens.pending()) {
			try {
				const chain = await chains.ready(row.chainId);
				await forgetOthers(chain);
				if (row.instance === chain.instance) await settlePending(chain, row);
				reasons.delete(row.key);
				waitMs = FIRST_RETRY_MS;
			} catch (error) {
				const reason = reasonOf(error);
				if (reasons.get(row.key) !== reason) log(`a trade of ${row.key} is not in the market yet: ${reason}`);
				reasons.set(row.key, reason);
				recoverLater();
			}
		}
	};

	return {
		async send(trade, persist) {
			const {chain, role, outgoing} = trade;
			let turn: Turn | undefined;
			let hash: Hash | undefined;
			let isSent = true;
			const prepared: Persist = async made => {
				hash = made.hash;
				await persist(made);
			};
			const sync = async (): Promise<RpcCall[]> => {
				turn = await begin(trade, hash!);
				const {launch} = turn;
				return setPoolCalls(chain, launch.address, launch.pool, Math.floor(Date.now() / 1000) + VALID_S);
			};
			try {
				return await chain.sender(role).send(outgoing, prepared, {sync});
			} catch (error) {
				isSent = !(error instanceof SendRejected);
				throw error;
			} finally {
				// Also after an error: whether the transaction was taken is read from the chain.
				if (turn !== undefined) await end(turn, hash!, isSent);
			}
		},
		recover,
	};
}

/** Whether a node has a transaction and has not mined it. */
async function isWaiting(chain: Chain, hash: Hash): Promise<boolean> {
	return (await receiptOf(chain, hash)) === undefined && (await isKnown(chain, hash));
}

/** Waits for a transaction as long as a hold allows. */
async function isMinedSoon(chain: Chain, hash: Hash): Promise<boolean> {
	const untilMs = performance.now() + MINED_WITHIN_MS;
	while ((await receiptOf(chain, hash)) === undefined) {
		if (performance.now() > untilMs) return false;
		await sleep(MINED_POLL_MS);
	}
	return true;
}

/** The trades of one token from a block on. A node refuses a first block that it does not have yet. */
function tradesFrom({addresses}: Chain, token: Address, block: bigint): RpcCall {
	const topics = encodeEventTopics({abi: MarketVenue.abi, eventName: 'Trade', args: {token}});
	const filter = {address: addresses.venue, topics, fromBlock: toHex(block), toBlock: 'latest'};
	return {method: 'eth_getLogs', params: [filter]};
}

/** The trades among logs that are later than a block. */
function tradesAfter({addresses}: Chain, logs: unknown, block: bigint): VenueTrade[] {
	const later = (logs as RpcLog[]).map(log => formatLog(log)).filter(log => log.blockNumber! > block);
	return venueTradesIn(later as Parameters<typeof venueTradesIn>[0], addresses.venue);
}

/** A trade in the units of the market. */
function outsideTrade(trade: VenueTrade, {facts: {decimals}}: Launch) {
	return {
		side: trade.isBuy ? 'buy' : 'sell',
		wallet: getAddress(trade.trader),
		poolTokens: fromRaw(trade.poolTokens, decimals),
		traderTokens: fromRaw(trade.traderTokens, decimals),
		usd: fromRaw(trade.usd, BRIDGED_DECIMALS),
		feeUSD: fromRaw(trade.fee, BRIDGED_DECIMALS),
		tx: trade.txHash,
	} as const;
}

/** Whether anybody but the venue and the receiver of the taxes has some of a token. */
async function isOutside({client, addresses}: Chain, {address, facts}: Launch): Promise<boolean> {
	const token = {abi: Token.abi, address} as const;
	const balance = (holder: Address) => client.readContract({...token, functionName: 'balanceOf', args: [holder]});
	const [supply, ours, taxes] = await Promise.all([
		client.readContract({...token, functionName: 'totalSupply'}),
		balance(addresses.venue),
		balance(facts.taxTo),
	]);
	return supply > ours + taxes;
}
