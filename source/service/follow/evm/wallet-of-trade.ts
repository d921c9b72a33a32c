import type {Address} from './venue.ts';
import type {TransferLog} from './venue-reader.ts';

/** Net amounts of one token by address in one transaction: positive came in. */
export type NetFlows = ReadonlyMap<Address, bigint>;

/** Adds up the transfers of one token in one transaction. */
export function netFlows(transfers: readonly TransferLog[]): NetFlows {
	const flows = new Map<Address, bigint>();
	for (const {from, to, amount} of transfers) {
		flows.set(from, (flows.get(from) ?? 0n) - amount);
		flows.set(to, (flows.get(to) ?? 0n) + amount);
	}
	return flows;
}

export interface TradeToPlace {
	readonly side: 'buy' | 'sell';
	readonly amountToken: bigint;
	/** It is the transaction's only trade of the token on this side. */
	readonly isOnly: boolean;
}

/**
 * The wallet of a trade: the address that got the tokens of a buy, or gave the tokens of a sale, in the transaction. Routers and
 * bundlers pass tokens on and end with none. Of several addresses the wallet is the one with exactly the amount of the trade; or,
 * when the transaction has no other trade of the side, the one with more than half of the amount (the rest are taxes). Otherwise
 * the wallet is unknown.
 * @param isNoHolder pools, curves and launchpads
 */
export function walletOfTrade(
	{side, amountToken, isOnly}: TradeToPlace,
	flows: NetFlows,
	isNoHolder: (address: Address) => boolean,
): Address | null {
	const candidates: {readonly address: Address; readonly amount: bigint}[] = [];
	for (const [address, flow] of flows) {
		const amount = side === 'buy' ? flow : -flow;
		if (amount > 0n && !isNoHolder(address)) candidates.push({address, amount});
	}
	if (candidates.length === 1) return candidates[0]!.address;
	const exact = candidates.filter(({amount}) => amount === amountToken);
	if (exact.length === 1) return exact[0]!.address;
	if (!isOnly) return null;
	const total = candidates.reduce((sum, {amount}) => sum + amount, 0n);
	return candidates.find(({amount}) => amount * 2n > total)?.address ?? null;
}
