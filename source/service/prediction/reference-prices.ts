import {Random} from '../market/simulator/random.ts';

/** A coin whose price decides markets. */
export interface ReferenceCoin {
	readonly symbol: string;
	readonly name: string;
	/** The mean of its price. */
	readonly baseUSD: number;
	/** Standard deviation of a day's change, as a part of the price. */
	readonly dailyVolatility: number;
	/** Strikes of threshold markets are multiples of this. */
	readonly strikeStepUSD: number;
}

export const REFERENCE_COINS: readonly ReferenceCoin[] = [
	{symbol: 'BTC', name: 'Bitcoin', baseUSD: 97_500, dailyVolatility: 0.024, strikeStepUSD: 2000},
	{symbol: 'ETH', name: 'Ethereum', baseUSD: 3120, dailyVolatility: 0.032, strikeStepUSD: 100},
	{symbol: 'SOL', name: 'Solana', baseUSD: 168, dailyVolatility: 0.042, strikeStepUSD: 5},
];

const DAY_MS = 86_400_000;
/** Waves from two minutes to three months, each twice as long as the one before: their sum moves like a price. */
const PERIODS_MS = Array.from({length: 17}, (_, i) => 120_000 * 2 ** i);

interface Wave {
	readonly amplitude: number;
	/** Radians a millisecond. */
	readonly speed: number;
	readonly phase: number;
}

/**
 * The price of a coin at any time, past or future: a sum of waves, so that nothing is stored and every run with the
 * same seed sees the same price at the same time.
 */
export class ReferencePrice {
	readonly coin: ReferenceCoin;
	readonly #waves: readonly Wave[];

	constructor(coin: ReferenceCoin, seed: number) {
		this.coin = coin;
		const random = new Random(seed, 8001, coin.baseUSD);
		const waves = PERIODS_MS.map(period => ({
			amplitude: Math.sqrt(period),
			speed: (2 * Math.PI) / period,
			phase: random.between(0, 2 * Math.PI),
		}));
		const scale = coin.dailyVolatility / Math.sqrt(varianceOver(waves, DAY_MS));
		this.#waves = waves.map(wave => ({...wave, amplitude: wave.amplitude * scale}));
	}

	/** US dollars, to the cent. */
	at(timeMs: number): number {
		const drift = this.#waves.reduce(
			(sum, {amplitude, speed, phase}) => sum + amplitude * Math.sin(speed * timeMs + phase),
			0,
		);
		return Math.round(this.coin.baseUSD * Math.exp(drift) * 100) / 100;
	}

	/** The probability that the price is above a strike at a later time, given the current price only. */
	chanceAbove(strikeUSD: number, nowMs: number, leftMs: number): number {
		const deviation = Math.sqrt(varianceOver(this.#waves, leftMs));
		return normalCdf(Math.log(this.at(nowMs) / strikeUSD) / Math.max(deviation, 1e-9));
	}
}

/** Variance of the change over a time, with unknown phases. */
function varianceOver(waves: readonly Wave[], timeMs: number): number {
	return waves.reduce((sum, {amplitude, speed}) => sum + amplitude ** 2 * (1 - Math.cos(speed * timeMs)), 0);
}

/** The normal distribution function, to seven digits (Abramowitz and Stegun 7.1.26). */
export function normalCdf(x: number): number {
	const t = 1 / (1 + 0.3275911 * Math.abs(x) * Math.SQRT1_2);
	const polynomial = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
	const erf = 1 - polynomial * Math.exp((-x * x) / 2);
	return x < 0 ? (1 - erf) / 2 : (1 + erf) / 2;
}
