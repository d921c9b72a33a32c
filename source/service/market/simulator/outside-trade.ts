import type {MarketEvent, TradeEvent, TransferEvent} from '../events.ts';
import type {OutsideTrade} from '../outside.ts';
import {OUTSIDE_PLATFORM} from './entities.ts';

/**
 * The events of a trade from outside with the main pool. A taxed token moves twice: the tax of a buy goes from the wallet
 * to the deployer after the trade, that of a sale before it.
 * @param at time, block and token. The block is the market's: a practice chain is hardly older than its trades, and would
 * make every buyer a sniper
 * @param prices of the quote coin, and of the token in the pool after the trade
 */
export function outsideEvents(
	{side, wallet, poolTokens, traderTokens, usd, feeUSD, tx}: OutsideTrade,
	at: {readonly timeMs: number; readonly block: number; readonly chainId: string; readonly token: string},
	{quoteUSD, spotQuote}: {readonly quoteUSD: number; readonly spotQuote: number},
	deployer: string,
): readonly MarketEvent[] {
	const trade: TradeEvent = {
		type: 'trade',
		...at,
		pool: null,
		wallet,
		side,
		amountToken: poolTokens,
		amountQuote: usd / quoteUSD,
		valueUSD: usd,
		feeUSD,
		quoteUSD,
		spotQuote,
		tx,
		platform: OUTSIDE_PLATFORM,
	};
	const amountToken = Math.abs(poolTokens - traderTokens);
	// Less than that is the rounding of the chain's amounts.
	if (amountToken <= poolTokens * 1e-12 || wallet.toLowerCase() === deployer.toLowerCase()) return [trade];
	const tax: TransferEvent = {type: 'transfer', ...at, from: wallet, to: deployer, amountToken, taxOf: tx};
	return side === 'buy' ? [trade, tax] : [tax, trade];
}
