import {type Chain, ETHER} from './chain.ts';

/** Chains that the program knows by their names and explorers only. */
export const NAMED = [
	{
		id: 'evm:43114',
		name: 'Avalanche',
		short: 'AVAX',
		words: ['avalanche', 'avax'],
		coin: {symbol: 'AVAX', name: 'Avalanche', decimals: 18},
		explorer: {name: 'Snowscan', origin: 'https://snowscan.xyz'},
		finalAfter: 32,
	},
	{
		id: 'evm:59144',
		name: 'Linea',
		short: 'LINE',
		words: ['linea', 'line'],
		coin: ETHER,
		explorer: {name: 'LineaScan', origin: 'https://lineascan.build'},
	},
	{
		id: 'evm:81457',
		name: 'Blast',
		short: 'BLAS',
		words: ['blast', 'blas'],
		coin: ETHER,
		explorer: {name: 'Blastscan', origin: 'https://blastscan.io'},
	},
	{
		id: 'evm:146',
		name: 'Sonic',
		short: 'SONC',
		words: ['sonic', 'sonc'],
		coin: {symbol: 'S', name: 'Sonic', decimals: 18},
		explorer: {name: 'SonicScan', origin: 'https://sonicscan.org'},
	},
	{
		id: 'evm:2741',
		name: 'Abstract',
		short: 'ABS',
		words: ['abstract', 'abs'],
		coin: ETHER,
		explorer: {name: 'Abscan', origin: 'https://abscan.org'},
	},
	{
		id: 'evm:80094',
		name: 'Berachain',
		short: 'BERA',
		words: ['berachain', 'bera'],
		coin: {symbol: 'BERA', name: 'Bera', decimals: 18},
		explorer: {name: 'Berascan', origin: 'https://berascan.com'},
	},
	{
		id: 'evm:143',
		name: 'Monad',
		short: 'MON',
		words: ['monad', 'mon'],
		coin: {symbol: 'MON', name: 'Monad', decimals: 18},
		explorer: {name: 'MonadScan', origin: 'https://monadscan.com'},
	},
] as const satisfies readonly Chain[];
