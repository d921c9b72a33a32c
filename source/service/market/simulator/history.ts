import {type Plan, planHistory} from './plan.ts';

/**
 * What a screen shows is told first: so many of the newest tokens, and of those that have graduated or are about to. A
 * graduate has had thousands of trades, so a few of them must do, those with the fewest.
 */
const FIRST = {newest: 64, graduates: 3, others: 16} as const;
/** Graduates and others are looked for among so many of the newest tokens. */
const RECENT = 500;

/** By this age most of those that graduate have done so. */
const GRADUATED_MS = 300_000;

/** How many tokens are told before anybody looks. */
export const URGENT = FIRST.newest + FIRST.graduates + FIRST.others;

/**
 * The tokens of the past in the order in which they are told: what a person would see first, then the rest, newest first.
 * Each is planned when it is asked for: planning all 24 hours takes longer than telling the first of them.
 */
export function* historyByInterest(seed: number, startMs: number): Generator<Plan, undefined> {
	const older = planHistory(seed, startMs);
	const recent: Plan[] = [];
	while (recent.length < RECENT) {
		const {value} = older.next();
		if (value === undefined) break;
		recent.push(value);
	}
	const first = new Set(recent.slice(0, FIRST.newest));
	const add = (count: number, candidates: readonly Plan[]): void => {
		for (const plan of candidates.filter(one => !first.has(one)).slice(0, count)) first.add(plan);
	};
	const graduates = recent.filter(plan => plan.fate === 'graduate' && startMs - plan.launchMs > GRADUATED_MS);
	add(
		FIRST.graduates,
		graduates.toSorted((a, b) => expectedTrades(a, startMs) - expectedTrades(b, startMs)),
	);
	add(
		FIRST.others,
		recent.filter(plan => plan.fate === 'runner' || plan.fate === 'short'),
	);
	yield* first;
	for (const plan of recent) if (!first.has(plan)) yield plan;
	yield* older;
}

/** About how many trades a token has had by now. */
function expectedTrades({launchMs, pace, paceFadesS}: Plan, nowMs: number): number {
	return pace * paceFadesS * (1 - Math.exp((launchMs - nowMs) / 1000 / paceFadesS));
}
