import {type Address, type Chain, chainlink, ETHER, quote, weth} from './chain.ts';

/** A tokenised stock that launches are quoted in. Its feed rests at weekends: the price is unknown then. */
const stock = (address: Address, symbol: string, name: string, feed: Address) =>
	quote(address, [symbol, name, 18], chainlink(feed, 86_400));

export const ROBINHOOD = {
	id: 'evm:4663',
	name: 'Robinhood Chain',
	short: 'RHC',
	words: ['robinhood', 'rhc', 'robinhood-chain'],
	coin: ETHER,
	blockMs: 100,
	finalAfter: 4800,
	quotes: [
		weth('0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73', chainlink('0x78F3556b67E17Df817D51Ef5a990cDaF09E8d3A9', 86_400)),
		quote('0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168', ['USDG', 'Global Dollar', 6], 'dollar'),
		stock('0xd0601CE157Db5bdC3162BbaC2a2C8aF5320D9EEC', 'NVDA', 'NVIDIA', '0x379EC4f7C378F34a1B47E4F3cbeBCbAC3E8E9F15'),
		stock('0xc0D6457C16Cc70d6790Dd43521C899C87ce02f35', 'META', 'Meta', '0x7C38C00C30BEe9378381E7B6135d7283356D71b1'),
		stock('0x4a0E65A3EcceC6dBe60AE065F2e7bb85Fae35eEa', 'SPCX', 'SpaceX', '0xB265810950ba6c5C0Ff821c9963014a56fD8Bffb'),
		stock('0x322F0929c4625eD5bAd873c95208D54E1c003b2d', 'TSLA', 'Tesla', '0x4A1166a659A55625345e9515b32adECea5547C38'),
	],
	exchanges: {
		v2: {'Uniswap V2': ['0x8bcEaA40B9AcdfAedF85AdF4FF01F5Ad6517937f']},
		v3: {'Uniswap V3': ['0x1f7d7550B1b028f7571E69A784071F0205FD2EfA']},
		v4: {'Uniswap V4': ['0x8366a39CC670B4001A1121B8F6A443A643e40951']},
	},
	follow: {name: 'robinhood', confirmations: 0},
	practiceUSD: 3120.75,
	practice: {gasPriceGwei: 0.05, fillTimeMs: 500},
} as const satisfies Chain;
