import {type Chain, chainlink, quote, UNSURE_S, usdc, usdt} from './chain.ts';

export const BNB = {
	id: 'evm:56',
	name: 'BNB Smart Chain',
	apiName: 'BNB Smart Chain (BEP20)',
	short: 'BSC',
	words: ['bsc', 'bnb', 'bnb-smart-chain'],
	coin: {symbol: 'BNB', name: 'BNB', decimals: 18},
	explorer: {name: 'BscScan', origin: 'https://bscscan.com'},
	blockMs: 450,
	finalAfter: 32,
	quotes: [
		quote(
			'0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
			['WBNB', 'Wrapped BNB', 18],
			chainlink('0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE', UNSURE_S),
		),
		usdt('0x55d398326f99059fF775485246999027B3197955', 18),
		usdc('0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', 18),
		quote('0x8d0D000Ee44948FC98c9B98A4FA4921476f08B0d', ['USD1', 'World Liberty Financial USD', 18], 'dollar'),
		quote('0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56', ['BUSD', 'Binance USD', 18], 'dollar'),
		quote('0x0E09FaBB73Bd3Ade0a17ECC321fD13a19e81cE82', ['CAKE', 'PancakeSwap Token', 18], null),
	],
	exchanges: {
		v2: {
			'Uniswap V2': ['0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6'],
			'PancakeSwap V2': ['0xcA143Ce32Fe78f1f7019d7d551a6402fC5350c73'],
			// Where Flap moves tokens that do not go to PancakeSwap.
			'Flap V2': ['0x4dB4FcFeBBF3F0CBD20eFFF444B133b96abdA2D6'],
		},
		v3: {
			'Uniswap V3': ['0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7'],
			'PancakeSwap V3': ['0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865'],
		},
		v4: {'Uniswap V4': ['0x28e2Ea090877bF75740558f6BFB36A5ffeE9e9dF']},
	},
	follow: {name: 'bnb', confirmations: 2},
	practiceUSD: 905.2,
	practice: {gasPriceGwei: 0.1, fillTimeMs: 3000},
} as const satisfies Chain;
