import {type Address, type Hex, toFunctionSelector} from 'viem';
import type {PerpAction} from '../../contract/perp.ts';
import {PerpExchange} from '../chain/artifacts.generated.ts';
import type {Chain} from '../chain/chain-set.ts';
import {PERP_MARKETS, type PerpMarket} from './markets.ts';
import type {Trade} from './trade.ts';

/** The chain of dexA's contract. */
export const DEX_A_CHAIN = 42161;

/** A trade on dexA's contract. */
export interface DexATrade extends Trade {
	readonly index: number;
	readonly market: PerpMarket;
	readonly sinceMs: number;
}

/** The contract functions of each action: a payload may call nothing else. */
const FUNCTIONS = {
	'cancel-order': ['cancelOrder', 'cancelTakeProfit', 'cancelStopLoss'],
	'create-order': ['placeOrder'],
	'close-position': ['closePosition'],
	'edit-order': ['updateTargets'],
	'update-margin': ['updateLeverage'],
} as const satisfies Partial<Record<PerpAction, readonly string[]>>;

/** Whether a call is one of an action on dexA. */
export function isDexACall(chain: Chain, action: PerpAction, to: string, callData: string): boolean {
	const names: readonly string[] = FUNCTIONS[action as keyof typeof FUNCTIONS] ?? [];
	const selectors = PerpExchange.abi
		.filter(item => item.type === 'function')
		.filter(item => names.includes(item.name))
		.map(item => toFunctionSelector(item));
	return (
		to.toLowerCase() === chain.addresses.perpExchange.toLowerCase() &&
		selectors.includes(callData.slice(0, 10).toLowerCase() as Hex)
	);
}

const STAGES = ['none', 'order', 'position', 'cancelled', 'closed'] as const;
const KINDS = ['market', 'limit', 'stop'] as const;
const PAGE = 200n;

/** All open trades of an account, oldest first. */
export async function liveTrades(chain: Chain, trader: Address): Promise<DexATrade[]> {
	const live: DexATrade[] = [];
	for (let from = 0n; ; from += PAGE) {
		const page = await chain.client.readContract({
			abi: PerpExchange.abi,
			address: chain.addresses.perpExchange,
			functionName: 'tradesOf',
			args: [trader, from, PAGE],
		});
		for (const [i, trade] of page.entries()) {
			const stage = STAGES[trade.stage];
			const market = PERP_MARKETS.find(({number}) => number === trade.market);
			if ((stage !== 'order' && stage !== 'position') || market === undefined) continue;
			live.push({
				index: Number(from) + i,
				market,
				stage,
				kind: KINDS[trade.kind]!,
				isLong: trade.isLong,
				collateralRaw: trade.collateral,
				sizeRaw: (trade.collateral * BigInt(trade.leverageX100)) / 100n,
				price: trade.price,
				takeProfit: trade.takeProfit,
				stopLoss: trade.stopLoss,
				sinceMs: Number(trade.since) * 1000,
			});
		}
		if (page.length < Number(PAGE)) return live;
	}
}
