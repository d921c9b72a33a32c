import {type Chain, chainlink, quote, UNSURE_S, usdc, usdt, weth} from './chain.ts';

export const POLYGON = {
	id: 'evm:137',
	name: 'Polygon',
	short: 'POL',
	words: ['polygon', 'pol', 'matic'],
	coin: {symbol: 'POL', name: 'POL', decimals: 18},
	explorer: {name: 'PolygonScan', origin: 'https://polygonscan.com'},
	blockMs: 2000,
	finalAfter: 256,
	quotes: [
		quote(
			'0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
			['WPOL', 'Wrapped POL', 18],
			chainlink('0xAB594600376Ec9fD91F8e885dADF0CE036862dE0', UNSURE_S),
		),
		usdc('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
		quote('0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174', ['USDC.e', 'Bridged USDC', 6], 'dollar'),
		usdt('0xc2132D05D31c914a87C6611C10748AEb04B58e8F'),
		weth(
			'0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619',
			chainlink('0xF9680D99D6C9589e2a93a78A04A279e509205945', UNSURE_S),
		),
	],
	exchanges: {
		v2: {
			'Uniswap V2': ['0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C'],
			'QuickSwap V2': ['0x5757371414417b8C6CAad45bAeF941aBc7d3Ab32'],
		},
		v3: {'Uniswap V3': ['0x1F98431c8aD98523631AE4a59f267346ea31F984']},
		v4: {'Uniswap V4': ['0x67366782805870060151383F4BbFF9daB53e5cD6']},
	},
	follow: {name: 'polygon', confirmations: 2},
	practiceUSD: 0.42,
	practice: {gasPriceGwei: 60, fillTimeMs: 2000},
} as const satisfies Chain;
