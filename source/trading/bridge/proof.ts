import {isSameAddress} from '../../address.ts';
import {chainName} from '../../chains/chains.ts';
import {laneOf} from '../../contract/typed-data.ts';
import {blockAt} from '../block-at.ts';
import {type Receipt, readBlockNumber, readReceipt, searchTransfers, type Transfer} from '../chain-proof.ts';
import {type ChainReader, ChainUnread} from '../chain-reader.ts';
import {newestBlock, type SeenBlock, seenBlock} from '../finality.ts';
import {isPastUse} from '../live-signature.ts';
import {COIN_DECIMALS, leastRawOf} from './amounts.ts';
import type {BridgeRequest} from './bridge-plan.ts';
import type {ChainStart, IntendedData} from './journal-fold.ts';
import type {BridgeState, Evidence} from './machine.ts';
import {bridgesOf, type PayoutSources, readArrival, readLikeness, readReturn} from './payout.ts';

/** Reads the newest blocks of both chains. @throws ChainUnread for the origin; an unread destination is left out */
export async function readChainStart(
	chains: ChainReader,
	{originChainId, destinationChainId}: Pick<BridgeRequest, 'originChainId' | 'destinationChainId'>,
): Promise<ChainStart> {
	const [originBlock, destinationBlock] = await Promise.all([
		readBlockNumber(chains, originChainId),
		chains.knows(destinationChainId) ? orNothing(() => readBlockNumber(chains, destinationChainId)) : undefined,
	]);
	return {
		originBlock: String(originBlock),
		...(destinationBlock === undefined ? {} : {destinationBlock: String(destinationBlock)}),
	};
}

/** How much older than its journal record the first block of an intent may be, s: clocks differ. */
const EARLIER_S = 30;

/**
 * Adds the chain data that could not be read before an intent was sent because a node was missing: the first blocks, and
 * the minimum amount in raw units. Facts that still can't be read are left out.
 * @param sentAtMs time of the intent's journal record, Unix ms
 */
export async function readLate(chains: ChainReader, intended: IntendedData, sentAtMs: number): Promise<IntendedData> {
	const {originChainId, destinationChainId, destinationToken, originBlock, destinationBlock, leastOut} = intended;
	const late = (chainId: string, known: string | undefined) =>
		known !== undefined || !chains.knows(chainId)
			? known
			: orNothing(async () => String(await blockAt(chains, chainId, sentAtMs / 1000 - EARLIER_S)));
	const least = async () => {
		const {leastRaw, destinationDecimals} = intended;
		if (leastRaw !== undefined || leastOut === undefined || !chains.knows(destinationChainId))
			return {leastRaw, destinationDecimals};
		const decimals =
			destinationToken === undefined
				? COIN_DECIMALS
				: (await orNothing(() => chains.tokenInfo(destinationChainId, destinationToken)))?.decimals;
		return {leastRaw: leastRawOf(leastOut, decimals)?.toString(), destinationDecimals: decimals};
	};
	const [origin, destination, {leastRaw, destinationDecimals}] = await Promise.all([
		late(originChainId, originBlock),
		late(destinationChainId, destinationBlock),
		least(),
	]);
	return {
		...intended,
		...(origin === undefined ? {} : {originBlock: origin}),
		...(destination === undefined ? {} : {destinationBlock: destination}),
		...(leastRaw === undefined ? {} : {leastRaw}),
		...(destinationDecimals === undefined ? {} : {destinationDecimals}),
	};
}

/**
 * The evidence on the chains for a sent intent. The search for an arrival or a return starts once a chain shows that the tokens left.
 * @param state the state before the reading, with the hashes that the service names now
 * @param status the service's status now; undefined when the service did not respond
 */
export async function readEvidence(
	sources: PayoutSources,
	{intentId, intended, state}: {intentId: string; intended: IntendedData; state: BridgeState},
	{status, nowMs}: {readonly status: string | undefined; readonly nowMs: number},
): Promise<Evidence> {
	const {chains} = sources;
	const {originChainId, destinationChainId, originBlock, destinationBlock} = intended;
	const blindness = {
		...blind('blindToOrigin', whyBlind(chains, originChainId, originBlock)),
		...blind('blindToArrival', whyBlind(chains, destinationChainId, destinationBlock, intended)),
	};
	const isOver = status === undefined || !/^(pending|deposited|filling|retrying)$/.test(status);
	const seesOrigin = blindness.blindToOrigin === undefined;
	const seesArrival = blindness.blindToArrival === undefined;
	const {left, ...origin} = seesOrigin ? await readOrigin(chains, intentId, intended, state, nowMs) : NO_ORIGIN;
	const intent = {intentId, intended};
	const arrived =
		left && seesArrival ? await orNothing(() => readArrival(sources, intent, state.fillTxHash)) : undefined;
	const returned = left && !arrived && isOver ? await orNothing(() => readReturn(sources, intent, left)) : undefined;
	const end = arrived ?? returned;
	if (left && end) {
		const endChainId = arrived ? destinationChainId : originChainId;
		const seenIn = await orNothing(() => blocksOf(chains, [originChainId, left], [endChainId, end.receipt]));
		if (seenIn) return {...blindness, ...origin, ...(arrived ? {arrived} : {returned: end}), seenIn};
	}
	const like =
		isOver && !end
			? await orNothing(() => readLikeness(sources, intent, {status, canReadArrival: seesArrival, left}))
			: undefined;
	const isKnown = !isOver || end || !seesArrival || (await orNothing(() => isPayerThere(sources, intended))) !== false;
	return {
		...blindness,
		...origin,
		...(like !== undefined && {likeTxHash: like}),
		...(!isKnown && {blindToArrival: `the contract that pays on ${chainName(destinationChainId)} is not known here`}),
	};
}

/** Whether one of the contracts that may pay is on the destination. @throws ChainUnread */
async function isPayerThere(sources: PayoutSources, intended: IntendedData): Promise<boolean> {
	const bridges = await bridgesOf(sources, intended);
	const codes = await Promise.all(
		bridges.map(address => sources.chains.request(intended.destinationChainId, 'eth_getCode', [address, 'latest'])),
	);
	return codes.some(code => code !== '0x');
}

function blind<Name extends string>(name: Name, why: string | undefined): {readonly [N in Name]?: string} {
	return (why === undefined ? {} : {[name]: why}) as {readonly [N in Name]?: string};
}

function whyBlind(
	chains: ChainReader,
	chainId: string,
	block: string | undefined,
	arrival?: IntendedData,
): string | undefined {
	if (!chains.knows(chainId)) return `no node of ${chainName(chainId)} is configured`;
	if (block === undefined) return `the blocks of ${chainName(chainId)} at the time it was sent cannot be read`;
	if (arrival && arrival.leastRaw === undefined) return 'the decimals of the token that arrives are not known';
	return undefined;
}

/** The blocks of two receipts; undefined when one of them is no longer in its place. @throws ChainUnread */
async function blocksOf(
	chains: ChainReader,
	...receipts: readonly (readonly [chainId: string, receipt: Receipt])[]
): Promise<readonly SeenBlock[] | undefined> {
	const blocks = await Promise.all(receipts.map(([chainId, receipt]) => seenBlock(chains, chainId, receipt)));
	return blocks.every(block => block !== undefined) ? blocks : undefined;
}

/** The evidence on the origin chain. `left`: the receipt of this intent's deposit. */
type OriginEvidence = Pick<Evidence, 'isUsed' | 'leftTxHash' | 'revertedTxHash' | 'isVoid' | 'seenIn'> & {
	readonly left?: Receipt;
};

const NO_ORIGIN: OriginEvidence = {};

async function readOrigin(
	chains: ChainReader,
	intentId: string,
	intended: IntendedData,
	state: BridgeState,
	nowMs: number,
): Promise<OriginEvidence> {
	const {originChainId, originToken, authority} = intended;
	const {depositTxHash} = state;
	const isPast = state.liveUntilS !== undefined && isPastUse(state.liveUntilS, nowMs);
	// Before the lane: an end by an unused lane holds for this block.
	const readIn = isPast ? await orNothing(() => newestBlock(chains, originChainId)) : undefined;
	const [sequence, receipt] = await Promise.all([
		orNothing(() => chains.laneSequence(originChainId, authority, laneOf(intentId))),
		depositTxHash === undefined ? undefined : orNothing(() => readReceipt(chains, originChainId, depositTxHash)),
	]);
	const own = receipt !== undefined && receipt.block > BigInt(intended.originBlock!) ? receipt : undefined;
	// An unused lane moved nothing, whatever else the node shows.
	const left =
		sequence === 0n ? {isSearched: true} : await readLeft(chains, intentId, intended, own?.isSuccess ? own : undefined);
	if (left.receipt) return {isUsed: true, leftTxHash: left.receipt.txHash, left: left.receipt};
	const isUsed = sequence === undefined ? (left.isSearched ? false : undefined) : sequence > 0n;
	const nothing =
		own !== undefined &&
		!own.transfers.some(({token, from}) => isSameAddress(token, originToken) && isSameAddress(from, authority));
	return {
		...(isUsed === undefined ? {} : {isUsed}),
		...(own?.isSuccess === false ? {revertedTxHash: own.txHash} : {}),
		...(nothing && isUsed === true && left.isSearched ? {isVoid: true} : {}),
		...(readIn && {seenIn: [readIn]}),
	};
}

/** Looks for the deposit of an intent. `isSearched`: all that left the account since the quote was looked at. */
async function readLeft(
	chains: ChainReader,
	intentId: string,
	intended: IntendedData,
	named: Receipt | undefined,
): Promise<{readonly isSearched: boolean; readonly receipt?: Receipt}> {
	const {originChainId, originToken, authority, originBlock} = intended;
	if (named && (await orNothing(() => depositKind(chains, intentId, intended, named))) === 'own')
		return {isSearched: false, receipt: named};
	const search = {token: originToken, from: authority, fromBlock: BigInt(originBlock!) + 1n};
	const spends = await orNothing(() => searchTransfers(chains, originChainId, search));
	if (spends === undefined) return {isSearched: false};
	const hashes = new Set(spends.filter(spend => isToTarget(spend, intended)).map(({txHash}) => txHash));
	let isUncertain = false;
	for (const hash of hashes) {
		const receipt = await orNothing(() => readReceipt(chains, originChainId, hash));
		const kind = receipt && (await orNothing(() => depositKind(chains, intentId, intended, receipt)));
		if (kind === 'own') return {isSearched: true, receipt: receipt!};
		if (kind !== 'none') isUncertain = true;
	}
	return {isSearched: !isUncertain};
}

/**
 * Whether a transaction is the deposit of this intent: mined with success, the amount left the account for the contract of the
 * last call, and the transaction names the intent. Its hash, and the nonce of its batch, both hold its lane (spec 4.4).
 * @returns `like`: the same amount left for the same contract, and nothing names the intent
 * @throws ChainUnread
 */
async function depositKind(
	chains: ChainReader,
	intentId: string,
	intended: IntendedData,
	receipt: Receipt,
): Promise<'own' | 'like' | 'none'> {
	const {originChainId, originToken, authority, target} = intended;
	const spends = receipt.transfers.filter(
		({token, from}) => isSameAddress(token, originToken) && isSameAddress(from, authority),
	);
	const spent = spends.reduce((sum, {amountRaw}) => sum + amountRaw, 0n);
	if (!receipt.isSuccess || spent === 0n || !spends.some(spend => isToTarget(spend, intended))) return 'none';
	const lane = laneOf(intentId).toString(16).padStart(LANE_DIGITS, '0');
	const names = (contract: string | undefined) =>
		contract !== undefined &&
		receipt.logs.some(
			({address, topics, data}) =>
				isSameAddress(address, contract) && [...topics, data].some(words => words.includes(lane)),
		);
	// The account itself ran the batch, so the amount that the token reports does not matter.
	if (names(authority)) return 'own';
	if (spent !== BigInt(intended.amountRaw)) return 'none';
	// Never a log of the token, which may be hostile.
	if (names(target)) return 'own';
	const transaction = await chains.request(originChainId, 'eth_getTransactionByHash', [receipt.txHash]);
	const {input} = (transaction ?? {}) as {readonly input?: unknown};
	return typeof input === 'string' && input.toLowerCase().includes(lane) ? 'own' : 'like';
}

/** Hexadecimal digits of a lane: the last of the intent's hash. */
const LANE_DIGITS = 48;

function isToTarget({to}: Transfer, {target}: IntendedData): boolean {
	return target === undefined || isSameAddress(to, target);
}

/** Undefined when the node can't be read now: the next reading tries again. */
async function orNothing<T>(read: () => Promise<T>): Promise<T | undefined> {
	try {
		return await read();
	} catch (error) {
		if (error instanceof ChainUnread) return undefined;
		throw error;
	}
}
