import {type Chain, chainlink, ETHER, quote, usdc, usdt, weth} from './chain.ts';

const WETH = '0x4200000000000000000000000000000000000006';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

export const BASE = {
	id: 'evm:8453',
	name: 'Base',
	short: 'BASE',
	words: ['base'],
	coin: ETHER,
	explorer: {name: 'BaseScan', origin: 'https://basescan.org'},
	blockMs: 2000,
	// Chains of Ethereum's rollups end with the blocks of Ethereum, after about 20 minutes.
	finalAfter: 600,
	quotes: [
		weth(WETH, chainlink('0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70', 1200)),
		usdc(USDC),
		usdt('0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2'),
		quote('0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA', ['USDbC', 'USD Base Coin', 6], 'dollar'),
		quote('0x0b3e328455c4059EEb9e3f84b5543F74E24e7E1b', ['VIRTUAL', 'Virtual Protocol', 18], {
			kind: 'pool',
			pool: '0x9c087Eb773291e50CF6c6a90ef0F4500e349B903',
			in: WETH,
		}),
		quote('0x1111111111166b7FE7bd91427724B487980aFc69', ['ZORA', 'Zora', 18], {
			kind: 'pool',
			pool: '0xEdc625B74537eE3a10874f53D170E9c17A906B9c',
			in: USDC,
		}),
	],
	exchanges: {
		v2: {'Uniswap V2': ['0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6']},
		v3: {
			'Uniswap V3': ['0x33128a8fC17869897dcE68Ed026d694621f6FDfD'],
			'PancakeSwap V3': ['0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865'],
		},
		v4: {'Uniswap V4': ['0x498581fF718922c3f8e6A244956aF099B2652b2b']},
		solidly: {Aerodrome: ['0x420DD381b31aEf6683db6B902084cB0FFECe40Da']},
	},
	follow: {name: 'base', confirmations: 1},
	practiceUSD: 3120.75,
	practice: {gasPriceGwei: 0.05, fillTimeMs: 500},
} as const satisfies Chain;
