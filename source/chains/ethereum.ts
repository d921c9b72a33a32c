import {type Chain, chainlink, ETHER, quote, usdc, usdt, weth} from './chain.ts';

export const ETHEREUM = {
	id: 'evm:1',
	name: 'Ethereum',
	short: 'ETH',
	words: ['ethereum', 'eth'],
	coin: ETHER,
	explorer: {name: 'Etherscan', origin: 'https://etherscan.io'},
	blockMs: 12_000,
	finalAfter: 64,
	quotes: [
		weth('0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', chainlink('0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419', 3600)),
		usdc('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
		usdt('0xdAC17F958D2ee523a2206206994597C13D831ec7'),
		quote('0x6B175474E89094C44Da98b954EedeAC495271d0F', ['DAI', 'Dai Stablecoin', 18], 'dollar'),
	],
	exchanges: {
		v2: {'Uniswap V2': ['0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f']},
		v3: {
			'Uniswap V3': ['0x1F98431c8aD98523631AE4a59f267346ea31F984'],
			'PancakeSwap V3': ['0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865'],
		},
		v4: {'Uniswap V4': ['0x000000000004444c5dc75cB358380D2e3dE08A90']},
	},
	follow: {name: 'ethereum', confirmations: 1},
	practiceUSD: 3120.75,
} as const satisfies Chain;
