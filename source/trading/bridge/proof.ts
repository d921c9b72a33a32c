import {isSameAddress} from '../../address.ts';
import {laneOf} from '../../contract/typed-data.ts';
import {blockAt} from '../block-at.ts';
import {coinsAt, type Receipt, readBlockNumber, readReceipt, searchTransfers, type Transfer} from '../chain-proof.ts';
import {type ChainReader, ChainUnread} from '../chain-reader.ts';
import {chainName} from '../chains.ts';
import {COIN_DECIMALS, leastRawOf} from './amounts.ts';
import type {BridgeRequest} from './checks.ts';
import type {IntendedData} from './journal-fold.ts';
import type {BridgeState, Evidence, SeenTransfer} from './machine.ts';

/** The newest blocks when the quote was requested: only later transfers can belong to its intent. */
export interface ChainStart {
	readonly originBlock: string;
	/** Undefined when no node of the destination could be read. */
	readonly destinationBlock?: string;
}

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
 * the minimum amount in raw units. What still can't be read is left out.
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

export interface ProofSources {
	readonly chains: ChainReader;
	/** Proofs of other intents: see BridgeState.proof. */
	readonly taken: ReadonlySet<string>;
}

/**
 * What the chains show of an intent that was sent.
 * @param state the state before the reading, with the hashes that the service names now
 * @param status the service's status now; undefined when the service did not respond
 */
export async function readEvidence(
	{chains, taken}: ProofSources,
	{intentId, intended, state}: {intentId: string; intended: IntendedData; state: BridgeState},
	status: string | undefined,
): Promise<Evidence> {
	const blindness = {
		...blind('blindToOrigin', whyBlind(chains, intended.originChainId, intended.originBlock)),
		...blind(
			'blindToArrival',
			whyBlind(chains, intended.destinationChainId, intended.destinationBlock ?? '', intended),
		),
	};
	// While the service reports progress, only the origin is read: whether the batch can still be executed.
	const isOver = status === undefined || !/^(pending|deposited|filling|retrying)$/.test(status);
	const nothing: OriginEvidence = {};
	const [origin, arrived] = await Promise.all([
		blindness.blindToOrigin === undefined ? readOrigin(chains, intentId, intended, state) : nothing,
		isOver && blindness.blindToArrival === undefined
			? orNothing(() => readArrival({chains, taken}, intended, state.fillTxHash))
			: undefined,
	]);
	const returned =
		status === 'refunded' && origin.leftTxHash !== undefined
			? await orNothing(() => readReturn({chains, taken}, intended, origin.leftTxHash!))
			: undefined;
	return {...blindness, ...origin, ...(arrived && {arrived}), ...(returned && {returned})};
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
	if (block === undefined || block === '')
		return `the blocks of ${chainName(chainId)} at the time it was sent cannot be read`;
	if (arrival && arrival.leastRaw === undefined) return 'the decimals of the token that arrives are not known';
	return undefined;
}

type OriginEvidence = Pick<Evidence, 'isUsed' | 'leftTxHash' | 'revertedTxHash' | 'isVoid'>;

async function readOrigin(
	chains: ChainReader,
	intentId: string,
	intended: IntendedData,
	{depositTxHash}: BridgeState,
): Promise<OriginEvidence> {
	const {originChainId, originToken, authority} = intended;
	const [sequence, receipt] = await Promise.all([
		orNothing(() => chains.laneSequence(originChainId, authority, laneOf(intentId))),
		depositTxHash === undefined ? undefined : orNothing(() => readReceipt(chains, originChainId, depositTxHash)),
	]);
	const isOfNow = receipt !== undefined && receipt.block > BigInt(intended.originBlock!);
	const own = isOfNow ? receipt : undefined;
	const hasLeft = own?.isSuccess === true && own.transfers.some(transfer => isSpend(transfer, intended));
	if (hasLeft) return {isUsed: true, leftTxHash: own.txHash};
	const nothing =
		own !== undefined &&
		!own.transfers.some(({token, from}) => isSameAddress(token, originToken) && isSameAddress(from, authority));
	// An unused lane moved nothing; otherwise the logs show whether and where the tokens went.
	const left = sequence === 0n ? undefined : await orNothing(() => searchSpend(chains, intended));
	const isUsed = sequence === undefined ? left?.isFound : sequence > 0n;
	return {
		...(isUsed === undefined ? {} : {isUsed}),
		...(left?.txHash === undefined ? {} : {leftTxHash: left.txHash}),
		...(own?.isSuccess === false && left?.txHash === undefined ? {revertedTxHash: own.txHash} : {}),
		...(nothing && isUsed === true && left?.isFound === false ? {isVoid: true} : {}),
	};
}

async function searchSpend(chains: ChainReader, intended: IntendedData): Promise<{isFound: boolean; txHash?: string}> {
	const {originChainId, originToken, authority, originBlock} = intended;
	const search = {token: originToken, from: authority, fromBlock: BigInt(originBlock!) + 1n};
	const found = (await searchTransfers(chains, originChainId, search)).find(transfer => isSpend(transfer, intended));
	return found === undefined ? {isFound: false} : {isFound: true, txHash: found.txHash};
}

/** Whether a transfer is the deposit: this token, this amount, to the contract of the last call. */
function isSpend({token, from, to, amountRaw}: Transfer, intended: IntendedData): boolean {
	const isTarget = intended.target === undefined || isSameAddress(to, intended.target);
	return (
		isSameAddress(token, intended.originToken) &&
		isSameAddress(from, intended.authority) &&
		isTarget &&
		amountRaw === BigInt(intended.amountRaw)
	);
}

async function readArrival(
	{chains, taken}: ProofSources,
	intended: IntendedData,
	fillTxHash: string | undefined,
): Promise<SeenTransfer | undefined> {
	const {destinationChainId, destinationToken, recipient} = intended;
	const least = BigInt(intended.leastRaw!);
	const since = BigInt(intended.destinationBlock!);
	const named =
		fillTxHash === undefined ? undefined : await orNothing(() => readReceipt(chains, destinationChainId, fillTxHash));
	const receipt = named?.isSuccess === true && named.block > since ? named : undefined;
	if (destinationToken === undefined) return coinsArrived(chains, intended, receipt, taken);
	const isArrival = ({token, to, amountRaw}: Transfer) =>
		isSameAddress(token, destinationToken) && isSameAddress(to, recipient) && amountRaw >= least;
	const isFree = (transfer: Transfer) => !taken.has(proofOf(transfer));
	const shown = receipt?.transfers.find(transfer => isArrival(transfer) && isFree(transfer));
	if (shown) return arrival(shown, intended);
	const search = {token: destinationToken, to: recipient, fromBlock: since + 1n};
	const found = (await searchTransfers(chains, destinationChainId, search)).find(
		transfer => isArrival(transfer) && isFree(transfer),
	);
	return found && arrival(found, intended);
}

function arrival(transfer: Transfer, {destinationDecimals}: IntendedData): SeenTransfer {
	return {...seen(transfer), ...(destinationDecimals === undefined ? {} : {decimals: destinationDecimals})};
}

function seen(transfer: Transfer): SeenTransfer {
	return {txHash: transfer.txHash, proof: proofOf(transfer), amountRaw: String(transfer.amountRaw)};
}

/** Coins leave no log: compares the recipient's balances before and after the block of the payment. */
async function coinsArrived(
	chains: ChainReader,
	{destinationChainId, recipient, leastRaw}: IntendedData,
	receipt: Receipt | undefined,
	taken: ReadonlySet<string>,
): Promise<SeenTransfer | undefined> {
	if (receipt === undefined || taken.has(`${receipt.txHash}:coins`)) return undefined;
	const [before, after] = await Promise.all([
		coinsAt(chains, destinationChainId, recipient, receipt.block - 1n),
		coinsAt(chains, destinationChainId, recipient, receipt.block),
	]);
	if (before === undefined || after === undefined || after - before < BigInt(leastRaw!)) return undefined;
	return {txHash: receipt.txHash, proof: `${receipt.txHash}:coins`};
}

/** A refund: the contract that took the deposit sent the whole amount back to the account. */
async function readReturn(
	{chains, taken}: ProofSources,
	{originChainId, authority, trade}: IntendedData,
	leftTxHash: string,
): Promise<SeenTransfer | undefined> {
	const deposit = await readReceipt(chains, originChainId, leftTxHash);
	if (!deposit) return undefined;
	const returns = await searchTransfers(chains, originChainId, {to: authority, fromBlock: deposit.block});
	const found = returns.find(
		back =>
			!taken.has(proofOf(back)) &&
			back.txHash !== deposit.txHash &&
			deposit.transfers.some(
				({token, to, amountRaw}) =>
					isSameAddress(token, back.token) && isSameAddress(to, back.from) && back.amountRaw >= amountRaw,
			),
	);
	if (found === undefined) return undefined;
	// What a sale has brought must be counted, in the decimals of the coin that came back.
	if (trade?.side !== 'sell') return seen(found);
	const {decimals} = await chains.tokenInfo(originChainId, found.token);
	return {...seen(found), decimals};
}

function proofOf({txHash, logIndex}: Transfer): string {
	return `${txHash}:${logIndex}`;
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
