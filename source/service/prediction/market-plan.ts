import {Random} from '../market/simulator/random.ts';
import {dayName, HOSTILE_COUNT, hostileQuestion, makeQuestion, type Question} from './questions.ts';
import {REFERENCE_COINS, ReferencePrice} from './reference-prices.ts';

/** The rule of a market about a price. */
export interface PriceRule {
	readonly price: ReferencePrice;
	readonly kind: 'up-down' | 'above';
	readonly strikeUSD: number;
	/** When the strike was set. */
	readonly setAtMs: number;
}

/** The fixed facts of a market, before any trade. */
export interface MarketPlan extends Question {
	readonly marketId: string;
	readonly type: 'binary' | 'categorical';
	readonly createdMs: number;
	readonly endMs: number;
	readonly resolveMs: number;
	/** From then on the market is no longer listed. */
	readonly forgetMs: number;
	readonly event: {readonly id: string; readonly title: string} | null;
	readonly rule: PriceRule | null;
	/** Expected number of trades from opening to end. */
	readonly trades: number;
	/** USD, see lmsr. */
	readonly depth: number;
	/** Seeds of the market's own random stream. */
	readonly seeds: readonly [number, number];
}

/** A series of markets, one after another, numbered by the time since 1970: each run finds the same ones. */
export interface Series {
	/** The markets that are listed at a time. */
	at(timeMs: number): Iterable<MarketPlan>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Numbers reserved for one series. */
const NUMBERS = 10_000_000;
const PLAIN_SERIES = 70;
const CATEGORICAL_SERIES = 14;
const STRIKES = 5;

/** All series of a seed. */
export function planSeries(seed: number): readonly Series[] {
	const prices = REFERENCE_COINS.map(coin => new ReferencePrice(coin, seed));
	let index = 0;
	const next = () => ++index;
	return [
		...prices.map(price => upDown(seed, next(), price, HOUR)),
		upDown(seed, next(), prices[0]!, 15 * MINUTE),
		...prices.map(price => above(seed, next(), price)),
		...Array.from({length: PLAIN_SERIES}, () => questions(seed, next(), 'binary')),
		...Array.from({length: CATEGORICAL_SERIES}, () => questions(seed, next(), 'categorical')),
		...Array.from({length: HOSTILE_COUNT}, (_, i) => questions(seed, next(), 'binary', hostileQuestion(i))),
	];
}

const idOf = (series: number, number: number): string => String(series * NUMBERS + number);

/** "Up or down" until the end of each period: opens with it, decided by its last price against its first. */
function upDown(seed: number, series: number, price: ReferencePrice, periodMs: number): Series {
	const keptMs = 6 * HOUR;
	const {name, symbol} = price.coin;
	const length = periodMs === HOUR ? 'hourly' : '15 minutes';
	return {
		*at(timeMs) {
			const newest = Math.floor(timeMs / periodMs);
			for (let n = newest; (n + 1) * periodMs + keptMs > timeMs; n--) {
				const createdMs = n * periodMs;
				const endMs = createdMs + periodMs;
				const random = new Random(seed, 8100 + series, n);
				yield {
					marketId: idOf(series, n),
					type: 'binary',
					question: `${name} up or down, ${dayName(createdMs)} ${clock(createdMs)} to ${clock(endMs)} UTC?`,
					description: `Up when the reference price of ${symbol} is not below ${usd(price.at(createdMs))} at the end.`,
					category: 'crypto',
					tags: [symbol.toLowerCase(), 'up-or-down', length.replace(' ', '-')],
					outcomes: ['Up', 'Down'],
					createdMs,
					endMs,
					resolveMs: endMs + MINUTE,
					forgetMs: endMs + keptMs,
					event: {id: String(series), title: `${name} up or down, ${length}`},
					rule: {price, kind: 'up-down', strikeUSD: price.at(createdMs), setAtMs: createdMs},
					trades: random.skewed(periodMs / 6000, 0.3),
					depth: random.skewed(1500, 0.3),
					seeds: [8100 + series, n],
				};
			}
		},
	};
}

/** "Above a strike": several strikes for each day at 16:00 UTC, opened three days before. */
function above(seed: number, series: number, price: ReferencePrice): Series {
	const keptMs = 2 * DAY;
	const {name, symbol, strikeStepUSD} = price.coin;
	return {
		*at(timeMs) {
			const firstEnd = Math.floor((timeMs - keptMs - 16 * HOUR) / DAY) + 1;
			for (let day = firstEnd; (day - 3) * DAY + 16 * HOUR <= timeMs; day++) {
				const endMs = day * DAY + 16 * HOUR;
				const createdMs = endMs - 3 * DAY;
				const middle = Math.round(price.at(createdMs) / strikeStepUSD);
				for (let k = 0; k < STRIKES; k++) {
					const strikeUSD = (middle + k - Math.floor(STRIKES / 2)) * strikeStepUSD;
					const number = day * STRIKES + k;
					const random = new Random(seed, 8100 + series, number);
					yield {
						marketId: idOf(series, number),
						type: 'binary',
						question: `${name} above ${usd(strikeUSD)} on ${dayName(endMs)}?`,
						description: `Yes when the reference price of ${symbol} is above ${usd(strikeUSD)} at 16:00 UTC.`,
						category: 'crypto',
						tags: [symbol.toLowerCase(), 'price', 'daily'],
						outcomes: ['Yes', 'No'],
						createdMs,
						endMs,
						resolveMs: endMs + 5 * MINUTE,
						forgetMs: endMs + keptMs,
						event: {id: idOf(series, day), title: `${name} above ___ on ${dayName(endMs)}?`},
						rule: {price, kind: 'above', strikeUSD, setAtMs: createdMs},
						trades: random.skewed(500, 0.6),
						depth: random.skewed(4000, 0.4),
						seeds: [8100 + series, number],
					};
				}
			}
		},
	};
}

/** Questions about other subjects: each series asks one after another, for days or weeks. */
function questions(seed: number, series: number, kind: 'binary' | 'categorical', fixed?: Question): Series {
	const own = new Random(seed, 8050, series);
	const periodMs = Math.round(own.skewed(9, 0.7) + 1) * DAY;
	const phaseMs = Math.floor(own.unit() * periodMs);
	return {
		*at(timeMs) {
			const newest = Math.floor((timeMs - phaseMs) / periodMs);
			for (const n of [newest, newest - 1]) {
				const createdMs = phaseMs + n * periodMs;
				const endMs = createdMs + periodMs;
				const random = new Random(seed, 8100 + series, n);
				const resolveMs = endMs + Math.round(random.between(HOUR, 10 * HOUR));
				const forgetMs = endMs + Math.min(3 * DAY, periodMs);
				if (timeMs >= forgetMs) continue;
				const question = fixed ?? makeQuestion(kind, endMs, random);
				yield {
					...question,
					marketId: idOf(series, n),
					type: kind,
					createdMs,
					endMs,
					resolveMs,
					forgetMs,
					event: null,
					rule: null,
					trades: Math.min(8000, random.skewed(700, 1)),
					depth: Math.min(40_000, random.skewed(4000, 0.8)),
					seeds: [8100 + series, n],
				};
			}
		},
	};
}

function clock(timeMs: number): string {
	return new Date(timeMs).toISOString().slice(11, 16);
}

/** `$97,500` or `$168.25`. */
function usd(value: number): string {
	const [whole, cents] = value.toFixed(2).split('.') as [string, string];
	const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
	return cents === '00' ? `$${grouped}` : `$${grouped}.${cents}`;
}
