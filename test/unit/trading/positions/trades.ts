import type {SettledTrade} from '../../../../source/trading/positions/settled.ts';

export const WALLET = `0x${'aa'.repeat(20)}`;
export const TOKEN = `0x${'11'.repeat(20)}`;

/** A trade in whole tokens of 6 decimals and whole dollars. */
export type Step = readonly [side: 'buy' | 'sell', tokens: number, dollars: number];

/** Micro-USD. */
export const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 1e6));

let count = 0;

/** A settled trade, Base and 6 decimals if not said otherwise. */
export function trade(
	given: Partial<SettledTrade> & Pick<SettledTrade, 'side' | 'tokenRaw' | 'usdMicro'>,
): SettledTrade {
	count += 1;
	return {
		intentId: `0x${count.toString(16).padStart(64, '0')}`,
		wallet: WALLET,
		end: 'traded',
		chainId: 'evm:8453',
		token: TOKEN,
		symbol: 'PENGU',
		decimals: 6,
		atMs: Date.UTC(2026, 10, 20),
		...given,
	};
}

/** Trades of one token, a minute apart. */
export function trades(...steps: readonly Step[]): readonly SettledTrade[] {
	return steps.map(([side, tokens, dollars], at) =>
		trade({side, tokenRaw: usd(tokens), usdMicro: usd(dollars), atMs: Date.UTC(2026, 10, 20, 12, at)}),
	);
}
