import {type Chain, quote, usdc, usdt} from './chain.ts';

export const SOLANA = {
	id: 'solana:solana',
	name: 'Solana',
	short: 'SOL',
	words: ['solana', 'sol'],
	coin: {symbol: 'SOL', name: 'Solana', decimals: 9},
	explorer: {name: 'Solscan', origin: 'https://solscan.io', account: 'account'},
	blockMs: 400,
	quotes: [
		quote('So11111111111111111111111111111111111111112', ['SOL', 'Wrapped SOL', 9], null),
		usdc('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
		usdt('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
		quote('USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB', ['USD1', 'World Liberty Financial USD', 6], 'dollar'),
	],
	follow: {name: 'solana', confirmations: 0},
	practiceUSD: 168.4,
} as const satisfies Chain;
