import {type Address, encodeFunctionData, type Hex} from 'viem';
import {PerpExchange} from '../chain/artifacts.generated.ts';
import type {Chain} from '../chain/chain-set.ts';
import {minedReceipt} from '../chain/receipt.ts';
import {type DexATrade, liveTrades} from './dex-a.ts';
import {PERP_MARKETS, type PerpMarket, priceAt} from './markets.ts';
import {endsAt, opensAt} from './trade.ts';

/** The price change from which the contract is updated, in hundredths of a per cent. */
const MOVED_BPS = 10n;
const KEEPER_GAS = 300_000n;

/**
 * Brings dexA's contract up to date with the market: its prices, and for some accounts the orders and positions that
 * have reached their prices. Runs when a caller reads, so an idle exchange makes no blocks.
 */
export async function keepDexA(chain: Chain, traders: readonly Address[], nowMs: number): Promise<void> {
	const prices = new Map<PerpMarket, bigint>();
	for (const market of PERP_MARKETS) prices.set(market, await keepPrice(chain, market, nowMs));
	for (const trader of traders) {
		for (const trade of await liveTrades(chain, trader)) {
			const data = dueCall(trader, trade, prices.get(trade.market)!);
			if (data !== undefined) await send(chain, data);
		}
	}
}

/** The price that the contract has after this call. */
async function keepPrice(chain: Chain, market: PerpMarket, nowMs: number): Promise<bigint> {
	const known = await chain.client.readContract({
		abi: PerpExchange.abi,
		address: chain.addresses.perpExchange,
		functionName: 'priceOf',
		args: [market.number],
	});
	const price = priceAt(market, nowMs);
	const moved = price > known ? price - known : known - price;
	if (known !== 0n && moved * 10_000n < known * MOVED_BPS) return known;
	await send(
		chain,
		encodeFunctionData({abi: PerpExchange.abi, functionName: 'setPrice', args: [market.number, price]}),
	);
	return price;
}

function dueCall(trader: Address, trade: DexATrade, price: bigint): Hex | undefined {
	const args = [trader, BigInt(trade.index)] as const;
	if (trade.stage === 'order' && opensAt(trade, price)) {
		return encodeFunctionData({abi: PerpExchange.abi, functionName: 'executeOrder', args});
	}
	if (trade.stage === 'position' && endsAt(trade, price)) {
		return encodeFunctionData({abi: PerpExchange.abi, functionName: 'trigger', args});
	}
	return undefined;
}

/**
 * Waits for the block, since the caller reads the contract next. A step that another call made before reverts and is
 * ignored.
 */
async function send(chain: Chain, data: Hex): Promise<void> {
	const hash = await chain.sender('keeper').send({to: chain.addresses.perpExchange, data, gas: KEEPER_GAS});
	await minedReceipt(chain, hash, 10_000);
}
