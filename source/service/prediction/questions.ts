import type {Random} from '../market/simulator/random.ts';

/** A category of markets. */
export interface Category {
	readonly id: string;
	readonly name: string;
}

export const CATEGORIES: readonly Category[] = [
	{id: 'crypto', name: 'Crypto'},
	{id: 'politics', name: 'Politics'},
	{id: 'sports', name: 'Sports'},
	{id: 'economy', name: 'Economy'},
	{id: 'tech', name: 'Tech'},
	{id: 'culture', name: 'Culture'},
	{id: 'weather', name: 'Weather'},
];

/** The question of a market. */
export interface Question {
	readonly question: string;
	readonly description: string | null;
	readonly category: string;
	readonly tags: readonly string[];
	readonly outcomes: readonly string[];
}

const PLACES = 'Freedonia,Ruritania,Sylvania,Genovia,Zubrowka,Grand Fenwick,Latveria,Borduria,Syldavia,Florin'.split(
	',',
);
const TEAMS =
	'Northport Gulls,Eastwick Foxes,Harbor City Herons,Ironbridge Rams,Lakeside Otters,Summit Goats,Old Town Owls,Copper Bay Sharks'.split(
		',',
	);
const COINS = 'BONK,WIF,PEPE,FARTCOIN,POPCAT,BRETT'.split(',');
const MACHINES = 'Babbage,Hopper,Lovelace,Turing,Noether'.split(',');
const CITIES = 'Lisbon,Oslo,Nairobi,Quito,Hanoi,Perth,Cusco,Tromsø,São Paulo,Zürich'.split(',');

const YES_NO = ['Yes', 'No'];

/** Texts that attack a terminal, a table, JSON, or the reader's eye. */
const HOSTILE: readonly Pick<Question, 'question' | 'description' | 'outcomes'>[] = [
	{
		question: '\u001b[2J\u001b[HWill this question \u001b[31mclear\u001b[0m your screen?\u0007',
		description: '\u001b]0;pwned\u0007\u001b]52;c;cm0gLXJmIC8=\u0007 resolves Yes',
		outcomes: ['\u001b[32mYes\u001b[0m', 'N\u0008\u0008o'],
	},
	{
		question: 'Will \u202egnp.elif\u202c be read \u2066backwards\u2069?',
		description: 'עברית ועוד עברית and back',
		outcomes: ['\u202eseY', 'No'],
	},
	{
		question: `Will a ${'very '.repeat(120)}long question fit?`,
		description: 'x'.repeat(4000),
		outcomes: ['Y'.repeat(300), 'No'],
	},
	{
		question: '比特币会在年底前突破十万美元吗？ビットコイン 👨‍👩‍👧‍👦🏴‍☠️ 김치 ﷽',
		description: null,
		outcomes: ['是', '否'],
	},
	{
		question:
			'"},{"__proto__":{"polluted":true}}; DROP TABLE markets; -- <script>alert(1)</script> %s%n {{7*7}} \u0000',
		description: 'Line one\r\nLine two\u0085Line three\u2028Line four',
		outcomes: ['__proto__', 'constructor'],
	},
	{
		question:
			'Z\u0335\u0321\u031b\u0300\u0301A\u0338\u0327\u030aL\u0336GO\u0489 or US\u200bDC\u200d\ufeff?\u{e0041}\u{e0042}',
		description: '',
		outcomes: ['', ' '],
	},
];

/** Number of hostile questions: each has its own series. */
export const HOSTILE_COUNT = HOSTILE.length;

/** The hostile question of an index below HOSTILE_COUNT. */
export function hostileQuestion(index: number): Question {
	return {...HOSTILE[index % HOSTILE.length]!, category: 'culture', tags: ['hostile']};
}

type Template = (
	random: Random,
	by: string,
) => Omit<Question, 'outcomes' | 'description'> & {outcomes?: readonly string[]};

const BINARY: readonly Template[] = [
	(r, by) => ({
		question: `Will the ${r.pick(['Blue', 'Green', 'Orange', 'Plaid'])} Party win the ${r.pick(PLACES)} election by ${by}?`,
		category: 'politics',
		tags: ['elections'],
	}),
	(r, by) => ({
		question: `Will the parliament of ${r.pick(PLACES)} pass its ${r.pick(['budget', 'tea tax', 'clock reform'])} by ${by}?`,
		category: 'politics',
		tags: ['legislation'],
	}),
	(r, by) => ({
		question: `Will the ${r.pick(TEAMS)} win their league by ${by}?`,
		category: 'sports',
		tags: ['league'],
	}),
	(r, by) => ({
		question: `Will the ${r.pick(TEAMS)} be unbeaten until ${by}?`,
		category: 'sports',
		tags: ['streak'],
	}),
	(r, by) => ({
		question: `Will the central bank of ${r.pick(PLACES)} cut its rate by ${by}?`,
		category: 'economy',
		tags: ['rates'],
	}),
	(r, by) => ({
		question: `Will inflation in ${r.pick(PLACES)} be above ${2 + r.index(6)}% in the report of ${by}?`,
		category: 'economy',
		tags: ['inflation'],
	}),
	(r, by) => ({
		question: `Will ${r.pick(MACHINES)}-${2 + r.index(5)} be released by ${by}?`,
		category: 'tech',
		tags: ['releases'],
	}),
	(r, by) => ({
		question: `Will ${r.pick(COINS)} reach a new all-time high by ${by}?`,
		category: 'crypto',
		tags: ['memecoins'],
	}),
	(r, by) => ({
		question: `Will "${r.pick(['The Long Tail', 'Moon Soup', 'A Goat in Winter', 'Gasless'])}" lead the charts on ${by}?`,
		category: 'culture',
		tags: ['charts'],
	}),
	(r, by) => ({
		question: `Will it snow in ${r.pick(CITIES)} by ${by}?`,
		category: 'weather',
		tags: ['snow'],
	}),
];

const CATEGORICAL: readonly Template[] = [
	(r, by) => ({
		question: `Who wins the cup on ${by}?`,
		category: 'sports',
		tags: ['cup'],
		outcomes: some(TEAMS, 3 + r.index(4), r),
	}),
	(r, by) => ({
		question: `Which coin gains most until ${by}?`,
		category: 'crypto',
		tags: ['memecoins'],
		outcomes: some(COINS, 3 + r.index(3), r),
	}),
	(r, by) => ({
		question: `Which city is hottest on ${by}?`,
		category: 'weather',
		tags: ['temperature'],
		outcomes: some(CITIES, 4 + r.index(3), r),
	}),
	(r, by) => ({
		question: `Which model leads the arena on ${by}?`,
		category: 'tech',
		tags: ['models'],
		outcomes: some(MACHINES, 3 + r.index(3), r),
	}),
];

/** A question that ends at a time. @param kind binary questions are answered Yes or No */
export function makeQuestion(kind: 'binary' | 'categorical', endMs: number, random: Random): Question {
	const by = dayName(endMs);
	const made = random.pick(kind === 'binary' ? BINARY : CATEGORICAL)(random, by);
	const description = random.chance(0.8)
		? `Decided by what is generally reported until ${new Date(endMs).toISOString()}.`
		: null;
	return {outcomes: YES_NO, ...made, description};
}

const MONTHS = 'January,February,March,April,May,June,July,August,September,October,November,December'.split(',');

/** `November 21`, in UTC. */
export function dayName(timeMs: number): string {
	const date = new Date(timeMs);
	return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}`;
}

function some(items: readonly string[], count: number, random: Random): string[] {
	const left = [...items];
	return Array.from({length: Math.min(count, items.length)}, () => left.splice(random.index(left.length), 1)[0]!);
}
