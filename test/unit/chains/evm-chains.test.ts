import {isAddress} from 'viem/utils';
import {expect, test} from 'vitest';
import {EVM_CHAINS, findEvmChain} from '../../../source/chains/evm-chains.ts';
import {CHAIN_FACTS, evmChainNumber} from '../../../source/chains.ts';
import {findChain} from '../../../source/service/market/chains.ts';

/** As published, with the checksum that guards against a wrong digit. */
const PUBLISHED = [
	// ETH/USD of Base, Arbitrum, Ethereum, Robinhood; BNB/USD; POL/USD and ETH/USD of Polygon
	'0x78F3556b67E17Df817D51Ef5a990cDaF09E8d3A9',
	'0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70',
	'0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612',
	'0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419',
	'0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE',
	'0xAB594600376Ec9fD91F8e885dADF0CE036862dE0',
	'0xF9680D99D6C9589e2a93a78A04A279e509205945',
	// pools of VIRTUAL and ZORA
	'0x9c087Eb773291e50CF6c6a90ef0F4500e349B903',
	'0xEdc625B74537eE3a10874f53D170E9c17A906B9c',
	'0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
	'0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA',
	'0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2',
	'0x0b3e328455c4059EEb9e3f84b5543F74E24e7E1b',
	'0x1111111111166b7FE7bd91427724B487980aFc69',
	'0x55d398326f99059fF775485246999027B3197955',
	'0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
	'0x8d0D000Ee44948FC98c9B98A4FA4921476f08B0d',
	'0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56',
	'0x0E09FaBB73Bd3Ade0a17ECC321fD13a19e81cE82',
	'0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
	'0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8',
	'0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
	'0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
	'0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
	'0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
	'0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619',
	'0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
	'0xdAC17F958D2ee523a2206206994597C13D831ec7',
	'0x6B175474E89094C44Da98b954EedeAC495271d0F',
	'0x4200000000000000000000000000000000000006',
	'0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
	'0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
	'0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
	'0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
	'0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73',
	'0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168',
	'0xd0601CE157Db5bdC3162BbaC2a2C8aF5320D9EEC',
	'0x379EC4f7C378F34a1B47E4F3cbeBCbAC3E8E9F15',
	'0xc0D6457C16Cc70d6790Dd43521C899C87ce02f35',
	'0x7C38C00C30BEe9378381E7B6135d7283356D71b1',
	'0x4a0E65A3EcceC6dBe60AE065F2e7bb85Fae35eEa',
	'0xB265810950ba6c5C0Ff821c9963014a56fD8Bffb',
	'0x322F0929c4625eD5bAd873c95208D54E1c003b2d',
	'0x4A1166a659A55625345e9515b32adECea5547C38',
	'0xcA11bde05977b3631167028862bE2a173976CA11',
];

test('every address of the table is one that was published', () => {
	expect(PUBLISHED.filter(address => !isAddress(address))).toEqual([]);
	const published = new Set(PUBLISHED.map(address => address.toLowerCase()));
	const used = EVM_CHAINS.flatMap(({multicall3, native, quotes}) => [
		multicall3,
		native.wrapped,
		...quotes.flatMap(({address, price}) => {
			if (price?.kind === 'chainlink') return [address, price.feed];
			return price?.kind === 'pool' ? [address, price.pool, price.in] : [address];
		}),
	]);
	expect(used.filter(address => !published.has(address))).toEqual([]);
});

test.each(EVM_CHAINS.map(chain => [chain.name, chain] as const))('%s fits what is known elsewhere', (_name, chain) => {
	expect(evmChainNumber(chain.id)).toBe(chain.number);
	expect(chain.quotes[0]?.address).toBe(chain.native.wrapped);
	expect(new Set(chain.quotes.map(({address}) => address)).size).toBe(chain.quotes.length);
	for (const {price} of chain.quotes) {
		// A pool's other coin has a price by itself: prices never go in a circle.
		if (price?.kind !== 'pool') continue;
		expect(chain.quotes.find(({address}) => address === price.in)?.price?.kind).toMatch(/^(dollar|chainlink)$/);
	}
	const {wrappedNative, coin} = CHAIN_FACTS[chain.id]!;
	expect(chain.native.symbol).toBe(coin);
	if (wrappedNative !== undefined) expect(chain.native.wrapped).toBe(wrappedNative);
	const stable = findChain(chain.id)?.stable;
	if (!stable) return;
	expect(chain.quotes.find(({address}) => address === stable.address.toLowerCase())).toMatchObject({
		symbol: stable.symbol,
		decimals: stable.decimals,
		price: {kind: 'dollar'},
	});
});

test('a chain is found by number, id and name', () => {
	const bnb = EVM_CHAINS.find(({number}) => number === 56);
	expect([findEvmChain(56), findEvmChain('evm:56'), findEvmChain('bnb')]).toEqual([bnb, bnb, bnb]);
	expect(findEvmChain('evm:5')).toBeUndefined();
});
