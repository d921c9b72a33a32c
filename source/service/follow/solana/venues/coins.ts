import {SOLANA} from '../../../../chains/solana.ts';
import {quoteCoin} from '../../../market/chains.ts';
import type {QuoteCoin} from '../../../market/events.ts';

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const SYSTEM_PROGRAM = '11111111111111111111111111111111';

export const SOL: QuoteCoin = quoteCoin(SOLANA.quotes[0]);

/** Coins that count as one US dollar. */
export const STABLE_COINS: readonly QuoteCoin[] = SOLANA.quotes
	.filter(({price}) => price?.kind === 'dollar')
	.map(quoteCoin);

/** The mint that a coin is quoted in; the zero key, a missing one and wrapped SOL all mean SOL. */
export function quoteOf(mint: string | undefined): string | 'native' {
	return mint === undefined || mint === SYSTEM_PROGRAM || mint === SOL.address ? 'native' : mint;
}
