import {entryKey} from '../../contract/entry.ts';
import type {TradeSide} from '../../contract/trade-target.ts';
import {intentsIn} from '../bridge/journal-fold.ts';
import {isInFlight} from '../bridge/machine.ts';
import type {JournalRecord} from '../journal.ts';

/** A trade that was sent and is in no position yet. */
export interface TradeUnderWay {
	readonly intentId: string;
	readonly wallet: string;
	readonly side: TradeSide;
	/** The token's key in the feed. */
	readonly key: string;
	readonly chainId: string;
	/** Lower case. */
	readonly token: string;
	readonly symbol: string;
	/** When it was first sent, Unix ms. */
	readonly sinceMs: number;
	/** `moving`: its end is not known yet. `unseen`: the service reported an end that no chain has shown, so it is not counted. */
	readonly state: 'moving' | 'unseen';
}

/** The trades whose end no chain has shown, the newest last. */
export function tradesUnderWay(records: readonly JournalRecord[]): readonly TradeUnderWay[] {
	return intentsIn(records).flatMap(({intentId, intended, state, atMs}) => {
		const {trade, authority} = intended;
		const isUnseen =
			state.phase === 'claimed' && state.blind !== undefined && /^(filled|settled)$/.test(state.claim ?? '');
		if (trade === undefined || !(isUnseen || isInFlight(state))) return [];
		const {side, chainId, symbol} = trade;
		const token = trade.token.toLowerCase();
		return [
			{
				intentId,
				wallet: authority.toLowerCase(),
				side,
				key: entryKey(chainId, token),
				chainId,
				token,
				symbol,
				sinceMs: atMs,
				state: isUnseen ? 'unseen' : 'moving',
			} as const,
		];
	});
}
