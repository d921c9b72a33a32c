import {chainName} from '../../chains/chains.ts';
import {explain} from '../../errors.ts';
import {type ChainReader, ChainUnread} from '../chain-reader.ts';
import type {PracticeChain} from '../practice-funds.ts';
import type {Holding} from './fold.ts';
import type {Amount} from './position.ts';

/** Where amounts are read. */
export interface AmountSource {
	readonly chains: Pick<ChainReader, 'knows' | 'balance' | 'request'>;
	/** The practice chains as their service lists them; undefined where chains are real. */
	readonly practice?: () => Promise<readonly PracticeChain[]>;
	/** Local Unix ms. */
	readonly nowMs: () => number;
}

/** The balances of some holdings on their chains. */
export interface ReadAmounts {
	/** By the holding's id. */
	readonly amounts: ReadonlyMap<string, Amount>;
	/** Intents on practice chains that were reset since: the tokens that they bought are gone. */
	readonly gone: ReadonlySet<string>;
}

export interface ReadAmountsOptions {
	/** Whether a practice chain that is not running may be started to be read; every one if not given. */
	readonly startsChain?: (chainId: string) => boolean;
}

/** Calls to one node at a time: public nodes refuse a flood. */
const CALLS_AT_ONCE = 6;

/**
 * Reads the balances of holdings, every chain beside the others. A balance that can't be read carries the reason, and is not 0.
 *
 * A practice chain that was reset starts empty. It shows by a token without code, or by the transaction of a trade that
 * it does not know: that a wallet has less than it bought is then no transfer.
 */
export async function readAmounts(
	holdings: readonly Holding[],
	source: AmountSource,
	{startsChain = () => true}: ReadAmountsOptions = {},
): Promise<ReadAmounts> {
	const amounts = new Map<string, Amount>();
	const gone = new Set<string>();
	let practice: readonly PracticeChain[] | undefined;
	try {
		practice = await source.practice?.();
	} catch (error) {
		const {what, why} = explain(error);
		return {amounts: new Map(holdings.map(({id}) => [id, {kind: 'unread', why: `${what}: ${why}`}])), gone};
	}

	async function readOne(holding: Holding): Promise<void> {
		const raw = await balanceOf(holding, source);
		const isLess = raw === undefined || raw < holding.trackedRaw;
		if (practice !== undefined && isLess) {
			for (const intent of await goneOf(holding, source.chains, raw === undefined)) gone.add(intent);
		}
		amounts.set(holding.id, {kind: 'read', raw: raw ?? 0n, atMs: source.nowMs()});
	}

	async function readChain(chainId: string, onChain: readonly Holding[]): Promise<void> {
		const chain = practice?.find(row => row.chainId === chainId);
		const unread = (why: string) => {
			for (const {id} of onChain) amounts.set(id, {kind: 'unread', why});
		};
		if (chain?.isNew) {
			for (const {id, trades} of onChain) {
				amounts.set(id, {kind: 'read', raw: 0n, atMs: source.nowMs()});
				for (const {trade} of trades) gone.add(trade.intentId);
			}
			return;
		}
		if (practice !== undefined && chain === undefined) return unread(`${chainName(chainId)} is no practice chain here`);
		if (!source.chains.knows(chainId)) return unread(`no node of ${chainName(chainId)} is configured`);
		if (chain?.isRunning === false && !startsChain(chainId)) return unread('its practice chain is not running');
		const waiting = [...onChain];
		const work = async () => {
			for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
				try {
					await readOne(next);
				} catch (error) {
					if (!(error instanceof ChainUnread)) throw error;
					amounts.set(next.id, {kind: 'unread', why: error.why});
				}
			}
		};
		await Promise.all(Array.from({length: Math.min(CALLS_AT_ONCE, waiting.length)}, work));
	}

	await Promise.all([...Map.groupBy(holdings, ({chainId}) => chainId)].map(([id, list]) => readChain(id, list)));
	return {amounts, gone};
}

/** Raw units; undefined when the chain of a practice service has no such token. @throws ChainUnread */
async function balanceOf({chainId, token, wallet}: Holding, {chains, practice}: AmountSource) {
	try {
		return await chains.balance(chainId, token, wallet);
	} catch (error) {
		if (!(error instanceof ChainUnread)) throw error;
		const code = await chains.request(chainId, 'eth_getCode', [token, 'latest']);
		if (code !== '0x') throw error;
		if (practice === undefined) throw new ChainUnread(chainId, 'the token is not on this chain any more', error);
		return undefined;
	}
}

/**
 * The intents of a holding whose transactions a practice chain does not know any more: those before the first that it
 * knows, or all of them.
 * @throws ChainUnread
 */
async function goneOf(
	{chainId, trades}: Holding,
	chains: AmountSource['chains'],
	isWhole: boolean,
): Promise<readonly string[]> {
	let count = 0;
	let isReset = isWhole;
	for (const {trade} of trades) {
		const {txHash} = trade;
		if (!isWhole && txHash !== undefined) {
			if ((await chains.request(chainId, 'eth_getTransactionReceipt', [txHash])) != null) break;
			isReset = true;
		}
		count++;
	}
	return isReset ? trades.slice(0, count).map(({trade}) => trade.intentId) : [];
}
