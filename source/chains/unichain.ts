import {type Chain, ETHER, usdc, weth} from './chain.ts';

const USDC = '0x078D782b760474a361dDA0AF3839290b0EF57AD6';

export const UNICHAIN = {
	id: 'evm:130',
	name: 'Unichain',
	short: 'UNI',
	words: ['unichain', 'uni'],
	coin: ETHER,
	explorer: {name: 'Uniscan', origin: 'https://uniscan.xyz'},
	blockMs: 1000,
	finalAfter: 1200,
	quotes: [
		// No feed of Chainlink is known: the pool of the 0.05 % fee says the price.
		weth('0x4200000000000000000000000000000000000006', {
			kind: 'pool',
			pool: '0x65081CB48d74A32e9CCfED75164b8c09972DBcF1',
			in: USDC,
		}),
		usdc(USDC),
	],
	exchanges: {
		v2: {'Uniswap V2': ['0x1F98400000000000000000000000000000000002']},
		v3: {'Uniswap V3': ['0x1F98400000000000000000000000000000000003']},
		v4: {'Uniswap V4': ['0x1F98400000000000000000000000000000000004']},
	},
	follow: {name: 'unichain', confirmations: 1},
} as const satisfies Chain;
