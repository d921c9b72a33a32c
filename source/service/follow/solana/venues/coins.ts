import type {QuoteCoin} from '../../../market/events.ts';

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const SYSTEM_PROGRAM = '11111111111111111111111111111111';

export const SOL: QuoteCoin = {
	address: 'So11111111111111111111111111111111111111112',
	symbol: 'SOL',
	name: 'Wrapped SOL',
	decimals: 9,
};

/** Coins that count as one US dollar. */
export const STABLE_COINS: readonly QuoteCoin[] = [
	{address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', symbol: 'USDC', name: 'USD Coin', decimals: 6},
	{address: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', symbol: 'USDT', name: 'USDT', decimals: 6},
	{
		address: 'USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB',
		symbol: 'USD1',
		name: 'World Liberty Financial USD',
		decimals: 6,
	},
];

/** The mint that a coin is quoted in; the zero key, a missing one and wrapped SOL all mean SOL. */
export function quoteOf(mint: string | undefined): string | 'native' {
	return mint === undefined || mint === SYSTEM_PROGRAM || mint === SOL.address ? 'native' : mint;
}
