import {type Chain, ETHER, usdc, weth} from './chain.ts';

export const OPTIMISM = {
	id: 'evm:10',
	name: 'Optimism',
	short: 'OP',
	words: ['optimism', 'op'],
	coin: ETHER,
	explorer: {name: 'OP Etherscan', origin: 'https://optimistic.etherscan.io'},
	finalAfter: 600,
	quotes: [
		weth('0x4200000000000000000000000000000000000006', null),
		usdc('0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'),
	],
} as const satisfies Chain;
