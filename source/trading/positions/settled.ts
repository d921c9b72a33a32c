import type {TradeSide} from '../../contract/trade-target.ts';
import {type IntendedTrade, intentsIn, type JournaledIntent} from '../bridge/journal-fold.ts';
import {isInFlight} from '../bridge/machine.ts';
import {parseUnits} from '../decimal.ts';
import type {JournalRecord} from '../journal.ts';
import {microDown, microUp, USD_DECIMALS} from '../usd-amount.ts';

/** A trade whose end a chain has shown. */
export interface SettledTrade {
	readonly intentId: string;
	/** Lower case. */
	readonly wallet: string;
	readonly side: TradeSide;
	/** `returned`: a sell whose dollars could not be paid on the destination and came back on the origin. The token is sold. */
	readonly end: 'traded' | 'returned';
	/** Chain and address, in lower case, of the token that was bought or sold. */
	readonly chainId: string;
	readonly token: string;
	readonly symbol: string;
	readonly decimals: number;
	/** Raw units of the token that arrived (buy) or left (sell). */
	readonly tokenRaw: bigint;
	/** Micro-USD that left (buy, fees in) or came (sell, after fees). */
	readonly usdMicro: bigint;
	/** The fees in it, as the quote stated them. */
	readonly feeMicro?: bigint;
	/** When the end was seen, Unix ms. */
	readonly atMs: number;
	/** The transaction on the token's own chain. */
	readonly txHash?: string;
}

/** A trade that was sent, or may have been, and whose end no chain has shown yet. */
export interface OpenTrade extends IntendedTrade {
	readonly intentId: string;
	/** Lower case. */
	readonly wallet: string;
	readonly phase: JournaledIntent['state']['phase'];
	/** When it was sent. */
	readonly atMs: number;
}

/**
 * Every trade of the journal whose end a chain has shown, in the order of their ends. A buy whose dollars came back moved
 * nothing and is left out; so is an end that only the service reports.
 */
export function settledTrades(records: readonly JournalRecord[]): readonly SettledTrade[] {
	return intentsIn(records)
		.flatMap(intent => settledOf(intent) ?? [])
		.toSorted((a, b) => a.atMs - b.atMs);
}

/** Every trade that is under way, the newest last. */
export function openTrades(records: readonly JournalRecord[]): readonly OpenTrade[] {
	return intentsIn(records).flatMap(({intentId, intended: {trade, authority}, state, atMs}) =>
		trade && isInFlight(state) ? [{...trade, intentId, wallet: authority.toLowerCase(), phase: state.phase, atMs}] : [],
	);
}

function settledOf({intentId, intended, state, atMs}: JournaledIntent): SettledTrade | undefined {
	const {trade, authority, amountRaw, decimals} = intended;
	const {phase, arrivedRaw, arrivedDecimals, returnedRaw, returnedDecimals, fillTxHash, leftTxHash, readAtMs} = state;
	if (!trade) return undefined;
	const isTraded = (phase === 'filled' || phase === 'settled') && arrivedRaw !== undefined;
	const isReturned = phase === 'refunded' && returnedRaw !== undefined && trade.side === 'sell';
	const [cameRaw, cameDecimals] = isTraded ? [arrivedRaw, arrivedDecimals] : [returnedRaw, returnedDecimals];
	if (!(isTraded || isReturned) || cameRaw === undefined || cameDecimals === undefined) return undefined;
	const feeMicro = microOf(trade.feeUSD);
	const txHash = trade.side === 'buy' ? fillTxHash : leftTxHash;
	const {side, chainId, token, symbol} = trade;
	return {
		intentId,
		wallet: authority.toLowerCase(),
		side,
		end: isTraded ? 'traded' : 'returned',
		chainId,
		token,
		symbol,
		...(side === 'buy'
			? {decimals: cameDecimals, tokenRaw: BigInt(cameRaw), usdMicro: microUp(BigInt(amountRaw), decimals)}
			: {decimals, tokenRaw: BigInt(amountRaw), usdMicro: microDown(BigInt(cameRaw), cameDecimals)}),
		...(feeMicro === undefined ? {} : {feeMicro}),
		atMs: Math.round(readAtMs ?? atMs),
		...(txHash === undefined ? {} : {txHash}),
	};
}

/** Micro-USD of a decimal text; undefined for any other text. */
function microOf(text: string | undefined): bigint | undefined {
	const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,40}))?$/.exec(text ?? '') ?? [];
	return whole === undefined ? undefined : parseUnits(`${whole}.${fraction.slice(0, USD_DECIMALS)}0`, USD_DECIMALS);
}
