import type {EventBatch, SourceFact} from '../../../source/service/market/event-source.ts';
import type {
	LaunchEvent,
	MarketEvent,
	PoolFacts,
	TradeEvent,
	TransferEvent,
} from '../../../source/service/market/events.ts';

export const CHAIN = 'evm:8453';
/** Time of block 0. */
export const GENESIS_MS = Date.parse('2026-10-01T12:00:00Z');
const BLOCK_MS = 2000;

export function address(n: number): string {
	return `0x${n.toString(16).padStart(40, '0')}`;
}

export function blockMs(block: number): number {
	return GENESIS_MS + block * BLOCK_MS;
}

function pool(token: string): PoolFacts {
	return {
		address: `0x${token.slice(2, 20)}${'f'.repeat(22)}`,
		type: 'uniswap-v2',
		factory: address(0xfac),
		exchange: {name: 'Uniswap', logo: ''},
		quote: {address: address(0xe), symbol: 'WETH', name: 'Wrapped Ether', decimals: 18},
	};
}

export function launch(token: string, block: number, changes: Partial<LaunchEvent> = {}): LaunchEvent {
	return {
		type: 'launch',
		timeMs: blockMs(block),
		chainId: CHAIN,
		token,
		block,
		kind: 'token',
		symbol: `T${token.slice(-4)}`,
		name: 'A token',
		decimals: 18,
		supply: 1_000_000,
		deployer: address(0xde),
		pool: pool(token),
		reserveToken: 1_000_000,
		reserveQuote: 1,
		quoteUSD: 3000,
		priceUSD: 0.003,
		balances: 'transfers',
		curveSale: null,
		holdersReported: true,
		profile: {},
		...changes,
	};
}

export function trade(token: string, block: number, changes: Partial<TradeEvent> = {}): TradeEvent {
	return {
		type: 'trade',
		timeMs: blockMs(block),
		chainId: CHAIN,
		token,
		block,
		pool: null,
		wallet: address(0xa11ce),
		side: 'buy',
		amountToken: 1000,
		amountQuote: 0.001,
		valueUSD: 3,
		feeUSD: 0.01,
		quoteUSD: 3000,
		tx: `0x${block.toString(16).padStart(64, '0')}`,
		platform: null,
		...changes,
	};
}

export function transfer(token: string, block: number, changes: Partial<TransferEvent> = {}): TransferEvent {
	return {
		type: 'transfer',
		timeMs: blockMs(block),
		chainId: CHAIN,
		token,
		block,
		from: null,
		to: address(0xa11ce),
		amountToken: 1000,
		...changes,
	};
}

export function batch(
	fromBlock: number,
	toBlock: number,
	events: readonly MarketEvent[] = [],
	facts: readonly SourceFact[] = [],
): EventBatch {
	return {chainId: CHAIN, fromBlock, toBlock, events, facts, cursor: `at ${toBlock}`};
}
