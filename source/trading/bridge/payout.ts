import {isSameAddress} from '../../address.ts';
import {intentHashOf} from '../../contract/typed-data.ts';
import {
	balanceAfter,
	type ChainLog,
	type Receipt,
	readReceipt,
	searchLogs,
	searchTransfers,
	type Transfer,
} from '../chain-proof.ts';
import {type ChainReader, orRefused} from '../chain-reader.ts';
import {addressIn, FILLED, quantity, REFUNDED, wordOf} from '../evm-words.ts';
import type {Pins} from '../pins.ts';
import type {IntendedData} from './journal-fold.ts';
import type {SeenTransfer} from './machine.ts';

/*
 * The payment of a bridge for an intent: to the recipient on the destination, or back to the account on the origin. A payment counts
 * when it is bound to the intent, and for the growth of the balance: the events of a token may lie.
 */

export interface PayoutSources {
	readonly chains: ChainReader;
	readonly pins: Pick<Pins, 'addresses'>;
	/** Proofs of other intents: see BridgeState.proof. */
	readonly taken: ReadonlySet<string>;
}

/** A payment with the receipt of its transaction. */
export interface Arrival extends SeenTransfer {
	readonly receipt: Receipt;
}

interface Intent {
	readonly intentId: string;
	readonly intended: IntendedData;
}

/** Stands for the chain's own coin in events of the bridge. */
const COIN = '0x0000000000000000000000000000000000000000';

/**
 * The payment of an intent on its destination. It is bound to the intent by the event of the accepted bridge that names the
 * intent, or else by the hash that the service names, where the bridge itself pays in that transaction.
 * @returns undefined also where the balance did not grow
 * @throws ChainUnread
 */
export async function readArrival(
	sources: PayoutSources,
	{intentId, intended}: Intent,
	named: string | undefined,
): Promise<Arrival | undefined> {
	const {chains, taken} = sources;
	const {destinationChainId: chainId, destinationToken = COIN, recipient, destinationDecimals} = intended;
	const since = BigInt(intended.destinationBlock!);
	const bridges = await bridgesOf(sources, intended);
	const topics = [FILLED, intentHashOf(intentId), wordOf(recipient)];
	const isFilled = ({topics: found, data, address}: ChainLog) =>
		topics.every((topic, at) => found[at] === topic) &&
		isOneOf(bridges, address) &&
		data.slice(2, 66) === wordOf(destinationToken).slice(2);
	const fills = await searchLogs(chains, chainId, {addresses: bridges, topics, fromBlock: since + 1n});
	const hashes = new Set([...fills.map(({txHash}) => txHash), ...(named === undefined ? [] : [named.toLowerCase()])]);
	for (const hash of hashes) {
		const receipt = await readReceipt(chains, chainId, hash);
		if (!receipt?.isSuccess || receipt.block <= since) continue;
		const own = receipt.logs.filter(isFilled);
		const paid =
			own.length > 0
				? own.reduce((sum, {data}) => sum + (quantity(`0x${data.slice(66, 130)}`) ?? 0n), 0n)
				: paidByBridge(receipt, bridges, intended);
		if (paid === 0n) continue;
		const place = {chainId, token: destinationToken, owner: recipient};
		const proof = proofIn(receipt, place);
		if (own.length === 0 && taken.has(proof)) continue;
		const came = await cameIn(chains, place, receipt, paid);
		const isLess = came < BigInt(intended.leastRaw!);
		// Only the bridge's event shows that less is all that comes.
		if (came === 0n || (isLess && own.length === 0)) continue;
		return {
			receipt,
			txHash: receipt.txHash,
			proof,
			// Coins that came and went in one block are not told apart; no token can lie about them.
			...(destinationToken !== COIN && {amountRaw: String(came), isShort: isLess}),
			...(destinationDecimals !== undefined && {decimals: destinationDecimals}),
		};
	}
	return undefined;
}

/** The payment of a bridge without an event of its own, in a transaction that the service names. 0: none, or for another intent. */
function paidByBridge(receipt: Receipt, bridges: readonly string[], intended: IntendedData): bigint {
	const {destinationToken, recipient} = intended;
	const ofBridge = receipt.logs.filter(({address}) => isOneOf(bridges, address));
	if (ofBridge.some(({topics}) => topics[0] === FILLED)) return 0n;
	if (destinationToken === undefined) return ofBridge.length > 0 ? BigInt(intended.leastRaw!) : 0n;
	return receipt.transfers
		.filter(
			({token, from, to}) =>
				isSameAddress(token, destinationToken) && isOneOf(bridges, from) && isSameAddress(to, recipient),
		)
		.reduce((sum, {amountRaw}) => sum + amountRaw, 0n);
}

/**
 * The amount of a deposit that the bridge gave back, in a transaction in which the bridge names the intent. Where a token was
 * swapped first, the event names the token that came back.
 * @param left the receipt of the deposit
 * @throws ChainUnread
 */
export async function readReturn(
	sources: PayoutSources,
	{intentId, intended}: Intent,
	left: Receipt,
): Promise<Arrival | undefined> {
	const {chains} = sources;
	const {originChainId: chainId, originToken, authority} = intended;
	const bridges = await bridgesOf(sources, intended);
	const hash = intentHashOf(intentId);
	const events = await searchLogs(chains, chainId, {addresses: bridges, topics: [null, hash], fromBlock: left.block});
	for (const txHash of new Set(events.map(event => event.txHash))) {
		const receipt = txHash === left.txHash ? undefined : await readReceipt(chains, chainId, txHash);
		if (!receipt?.isSuccess || receipt.block < left.block) continue;
		const own = receipt.logs.filter(({address, topics}) => isOneOf(bridges, address) && topics[1] === hash);
		const refund = own.find(({topics}) => topics[0] === REFUNDED && topics[3] === wordOf(authority));
		const token = refund ? `0x${refund.data.slice(26, 66)}` : originToken;
		const paid = receipt.transfers
			.filter(
				back => isSameAddress(back.token, token) && isOneOf(bridges, back.from) && isSameAddress(back.to, authority),
			)
			.reduce((sum, {amountRaw}) => sum + amountRaw, 0n);
		if (own.length === 0 || paid === 0n) continue;
		const place = {chainId, token, owner: authority};
		const came = await cameIn(chains, place, receipt, paid);
		if (came === 0n) continue;
		const seen = {receipt, txHash: receipt.txHash, proof: proofIn(receipt, place), amountRaw: String(came)};
		// The proceeds of a sale count in the decimals of the coin that came back.
		if (intended.trade?.side !== 'sell') return seen;
		const {decimals} = await chains.tokenInfo(chainId, token);
		return {...seen, decimals};
	}
	return undefined;
}

/**
 * A payment of at least the expected amount that is not shown to be of the intent: to the recipient, or back to the account
 * where the service reports a refund.
 * @param left the receipt of the deposit, where it was seen
 * @returns the hash of its transaction
 * @throws ChainUnread
 */
export async function readLikeness(
	{chains, taken}: PayoutSources,
	{intended}: Intent,
	{status, canReadArrival, left}: {status: string | undefined; canReadArrival: boolean; left: Receipt | undefined},
): Promise<string | undefined> {
	const {destinationChainId, destinationToken, recipient, originChainId, originToken, authority} = intended;
	const isFree = ({txHash, logIndex, amountRaw}: Transfer, least: string) =>
		amountRaw >= BigInt(least) && txHash !== left?.txHash && !taken.has(`${txHash}:${logIndex}`);
	if (status === 'refunded') {
		if (intended.originBlock === undefined || !chains.knows(originChainId)) return undefined;
		const search = {token: originToken, to: authority, fromBlock: BigInt(intended.originBlock) + 1n};
		const back = await searchTransfers(chains, originChainId, search);
		return back.find(transfer => isFree(transfer, intended.amountRaw))?.txHash;
	}
	// Coins leave no log.
	if (!canReadArrival || destinationToken === undefined) return undefined;
	const search = {token: destinationToken, to: recipient, fromBlock: BigInt(intended.destinationBlock!) + 1n};
	const found = await searchTransfers(chains, destinationChainId, search);
	return found.find(transfer => isFree(transfer, intended.leastRaw!))?.txHash;
}

/** Selector of `bridge()`: a swap helper names the bridge that it deposits to. */
const BRIDGE_OF = '0xe78cea92';

/**
 * The contracts that may pay for an intent: every bridge that was accepted, the contract that took the deposit, and where that
 * swaps first, the bridge that it names. @throws ChainUnread
 */
export async function bridgesOf(
	{chains, pins}: Pick<PayoutSources, 'chains' | 'pins'>,
	{originChainId, target}: Pick<IntendedData, 'originChainId' | 'target'>,
): Promise<readonly string[]> {
	const accepted = pins.addresses('bridge');
	if (target === undefined) return accepted;
	const to = target.toLowerCase();
	if (accepted.includes(to)) return accepted;
	const word = await orRefused(() => chains.request(originChainId, 'eth_call', [{to, data: BRIDGE_OF}, 'latest']));
	const named = typeof word === 'string' && /^0x0{24}[0-9a-fA-F]{40}$/.test(word) ? [addressIn(word)] : [];
	return [...new Set([...accepted, to, ...named])];
}

function isOneOf(addresses: readonly string[], address: string): boolean {
	return addresses.some(other => isSameAddress(other, address));
}

interface Place {
	readonly chainId: string;
	readonly token: string;
	readonly owner: string;
}

/** Names a payment: the transaction, and the first movement in it. */
function proofIn({txHash, transfers}: Receipt, {token, owner}: Place): string {
	const first = transfers.find(transfer => isSameAddress(transfer.token, token) && isSameAddress(transfer.to, owner));
	return `${txHash}:${first?.logIndex ?? 'coins'}`;
}

/**
 * The part of a payment that arrived, raw units: the growth of the balance in its block, less other arrivals in that block. Where the
 * node has pruned that block's state, the balance of now has to have it.
 * @param paid the amount in the event or the logs of the payment
 * @throws ChainUnread
 */
async function cameIn(chains: ChainReader, place: Place, {block, txHash}: Receipt, paid: bigint): Promise<bigint> {
	const {chainId, owner} = place;
	const token = place.token === COIN ? 'native' : place.token;
	const [before, after] = await Promise.all([
		balanceAfter(chains, chainId, {token, owner, block: block - 1n}),
		balanceAfter(chains, chainId, {token, owner, block}),
	]);
	if (before === undefined || after === undefined)
		return within((await balanceAfter(chains, chainId, {token, owner})) ?? 0n, paid);
	if (token === 'native') return within(after - before, paid);
	const inBlock = {token, fromBlock: block, toBlock: block};
	const [others, outs] = await Promise.all([
		searchTransfers(chains, chainId, {...inBlock, to: owner}),
		searchTransfers(chains, chainId, {...inBlock, from: owner}),
	]);
	const cameOtherwise = sumOf(others.filter(transfer => transfer.txHash !== txHash));
	const own = await Promise.all(outs.map(out => isOf(chains, chainId, owner, out)));
	const went = sumOf(outs.filter((_, at) => own[at]));
	return within(after - before - cameOtherwise + went, paid);
}

/** Whether the owner moved it: in a transaction that the owner sent, or that ran the owner's own batch. A token may report anything. */
async function isOf(chains: ChainReader, chainId: string, owner: string, {txHash}: Transfer): Promise<boolean> {
	const found = await chains.request(chainId, 'eth_getTransactionByHash', [txHash]);
	const {from, to} = (found ?? {}) as {readonly from?: unknown; readonly to?: unknown};
	return [from, to].some(address => typeof address === 'string' && isSameAddress(address, owner));
}

function sumOf(transfers: readonly Transfer[]): bigint {
	return transfers.reduce((sum, {amountRaw}) => sum + amountRaw, 0n);
}

function within(value: bigint, most: bigint): bigint {
	return value < 0n ? 0n : value > most ? most : value;
}
