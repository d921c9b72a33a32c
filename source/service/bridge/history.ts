import type * as z from 'zod';
import {evmChainNumber} from '../../chains/chains.ts';
import type {bridgeHistoryQuerySchema, bridgeHistoryResponseSchema} from '../../contract/bridge.ts';
import {InvalidRequest, quoteForMessage} from '../../contract/wire-error.ts';
import {chainKey} from '../chain/chains.ts';
import {bridgeFeeRaw, usdText} from './amounts.ts';
import type {Intent, IntentBook} from './intents.ts';

type Query = z.output<ReturnType<typeof bridgeHistoryQuerySchema>>;
type Answer = z.output<ReturnType<typeof bridgeHistoryResponseSchema>>;

/**
 * Past intents, by default newest first, a page at a time (contract gaps 4.5).
 * @throws InvalidRequest for a malformed cursor, chain or time
 */
export async function history(book: IntentBook, query: Query): Promise<Answer> {
	const rows = await book.history({
		wallet: query.wallet,
		intentId: query.intentId,
		status: query.status,
		originChainId: chainNumber('originChainId', query.originChainId),
		destinationChainId: chainNumber('destinationChainId', query.destinationChainId),
		createdAfterMs: momentOf('createdAfter', query.createdAfter),
		createdBeforeMs: momentOf('createdBefore', query.createdBefore),
		after: cursorOf(query.cursor),
		order: query.order,
		limit: query.limit + 1,
	});
	const page = rows.slice(0, query.limit);
	const last = page.at(-1);
	const cursor = last === undefined ? null : `${last.createdAtMs}.${last.intentId}`;
	return {
		data: page.map(historyRow),
		pagination: {
			limit: query.limit,
			pageEntries: page.length,
			nextCursor: rows.length > page.length ? cursor : null,
			resumeCursor: cursor,
		},
	};
}

/** Unlike in the status, amounts are raw and times Unix ms here. */
function historyRow(intent: Intent): Answer['data'][number] {
	const {depositedRaw} = intent;
	return {
		intentId: intent.intentId,
		status: intent.status ?? 'pending',
		failureReason: intent.failureReason,
		originChainId: chainKey(intent.originChainId),
		destinationChainId: chainKey(intent.destinationChainId),
		originToken: intent.originToken,
		destinationToken: intent.destinationToken,
		sender: intent.authority,
		recipient: intent.recipient,
		amountIn: intent.amountRaw.toString(),
		amountOut: intent.fillConfirmedAtMs === null ? null : (intent.outRaw?.toString() ?? null),
		depositTxHash: intent.depositTxHash,
		fillTxHash: intent.fillTxHash,
		settleTxHash: intent.settleTxHash,
		refundTxHash: intent.refundTxHash,
		originMeta: metaOf(intent.originSymbol, intent.originDecimals),
		destinationMeta: metaOf(intent.destinationSymbol, intent.destinationDecimals),
		fees: {
			bridgeBps: intent.bridgeFeeBps,
			bridgeUsd: depositedRaw === null ? null : usdText(bridgeFeeRaw(depositedRaw, intent)),
		},
		createdAt: intent.createdAtMs,
		updatedAt: intent.updatedAtMs,
	};
}

/** Symbol and decimals of a token; the symbol of a launch is a text from outside. */
function metaOf(symbol: string | null, decimals: number): {symbol?: string; decimals: number} {
	return {...(symbol !== null && {symbol}), decimals};
}

function chainNumber(name: string, key: string | undefined): number | undefined {
	if (key === undefined) return undefined;
	const id = evmChainNumber(key);
	if (id === undefined) throw new InvalidRequest(name, 'must be an EVM chain', `got ${quoteForMessage(key)}`);
	return id;
}

function momentOf(name: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const ms = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
	if (Number.isSafeInteger(ms)) return ms;
	throw new InvalidRequest(name, 'must be Unix ms or a moment in ISO 8601', `got ${quoteForMessage(text)}`);
}

function cursorOf(cursor: string | undefined): {createdAtMs: number; intentId: string} | undefined {
	if (cursor === undefined) return undefined;
	const [, ms, intentId] = /^(\d{1,15})\.([\w-]{1,40})$/.exec(cursor) ?? [];
	if (ms === undefined || intentId === undefined) {
		throw new InvalidRequest('cursor', 'must be one that was given', `got ${quoteForMessage(cursor)}`);
	}
	return {createdAtMs: Number(ms), intentId};
}
