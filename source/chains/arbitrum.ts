import {type Chain, chainlink, ETHER, quote, usdc, usdt, weth} from './chain.ts';

export const ARBITRUM = {
	id: 'evm:42161',
	name: 'Arbitrum',
	short: 'ARB',
	words: ['arbitrum', 'arb'],
	coin: ETHER,
	explorer: {name: 'Arbiscan', origin: 'https://arbiscan.io'},
	blockMs: 250,
	finalAfter: 4800,
	quotes: [
		weth('0x82aF49447D8a07e3bd95BD0d56f35241523fBab1', chainlink('0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612', 86_400)),
		usdc('0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
		quote('0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8', ['USDC.e', 'Bridged USDC', 6], 'dollar'),
		usdt('0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'),
	],
	exchanges: {
		v2: {'Uniswap V2': ['0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9']},
		v3: {
			'Uniswap V3': ['0x1F98431c8aD98523631AE4a59f267346ea31F984'],
			'PancakeSwap V3': ['0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865'],
		},
		v4: {'Uniswap V4': ['0x360E68faCcca8cA495c1B759Fd9EEe466db9FB32']},
	},
	follow: {name: 'arbitrum', confirmations: 0},
	practiceUSD: 3120.75,
	practice: {gasPriceGwei: 0.1, fillTimeMs: 1000},
} as const satisfies Chain;
