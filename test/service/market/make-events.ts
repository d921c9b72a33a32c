import type {
	LaunchEvent,
	PoolFacts,
	Profile,
	QuoteCoin,
	TradeEvent,
	TransferEvent,
} from '../../../source/service/market/events.ts';

export const START_MS = Date.UTC(2026, 2, 3, 12);
export const CHAIN = 'solana:solana';
const SOL: QuoteCoin = {
	address: 'So11111111111111111111111111111111111111112',
	symbol: 'SOL',
	name: 'Wrapped SOL',
	decimals: 9,
};

export const CURVE: PoolFacts = {
	address: 'CurvePool',
	type: 'pumpfun',
	factory: 'CurveFactory',
	exchange: {name: 'Pump.fun', logo: 'pump.png'},
	quote: SOL,
};
export const AMM: PoolFacts = {
	address: 'AmmPool',
	type: 'pumpswap',
	factory: 'AmmFactory',
	exchange: {name: 'PumpSwap', logo: 'swap.png'},
	quote: SOL,
};

/** A token on a curve: 1,000 tokens, 800 of them for sale, SOL at 100 dollars. */
export function launch(change: Partial<LaunchEvent> = {}): LaunchEvent {
	return {
		type: 'launch',
		timeMs: START_MS,
		block: 100,
		chainId: CHAIN,
		token: 'Token',
		kind: 'token',
		symbol: 'TOK',
		name: 'Token',
		decimals: 6,
		supply: 1000,
		deployer: 'Dev',
		pool: CURVE,
		reserveToken: 1000,
		reserveQuote: 0,
		quoteUSD: 100,
		priceUSD: 1,
		curveSale: 800,
		holdersReported: true,
		profile: {},
		...change,
	};
}

/** A trade of 10 tokens at 2 dollars, a second after the launch, long after the first blocks. */
export function trade(wallet: string, side: 'buy' | 'sell', change: Partial<TradeEvent> = {}): TradeEvent {
	const amountToken = change.amountToken ?? 10;
	const valueUSD = change.valueUSD ?? amountToken * 2;
	return {
		type: 'trade',
		timeMs: START_MS + 1000,
		block: 1000,
		chainId: CHAIN,
		token: 'Token',
		pool: null,
		wallet,
		side,
		amountToken,
		amountQuote: valueUSD / 100,
		valueUSD,
		feeUSD: valueUSD / 100,
		quoteUSD: 100,
		tx: null,
		platform: null,
		...change,
	};
}

export function transfer(
	from: string | null,
	to: string | null,
	amountToken: number,
	change: Partial<TransferEvent> = {},
): TransferEvent {
	return {
		type: 'transfer',
		timeMs: START_MS + 2000,
		block: 1001,
		chainId: CHAIN,
		token: 'Token',
		from,
		to,
		amountToken,
		...change,
	};
}

export function profile(profile: Profile, token = 'Token') {
	return {type: 'profile', timeMs: START_MS + 3000, chainId: CHAIN, token, profile} as const;
}

export function fund(wallet: string, from: string, timeMs: number) {
	return {type: 'fund', timeMs, chainId: CHAIN, wallet, from, amount: 1.5, coin: SOL, tx: `tx of ${wallet}`} as const;
}
