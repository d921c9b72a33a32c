import {type Plan, planHistory} from './plan.ts';

/**
 * The tokens that a screen shows are loaded first: some of the newest, of those that have graduated, and of those that
 * are about to. A graduate has thousands of trades, so only the few with the fewest trades are loaded early.
 */
const FIRST = {newest: 64, graduates: 3, others: 16} as const;
/** Graduates and others are picked among this many of the newest tokens. */
const RECENT = 500;

/** By this age most graduates have graduated. */
const GRADUATED_MS = 300_000;

/** How many tokens are loaded before the service answers. */
export const FIRST_TOKENS = FIRST.newest + FIRST.graduates + FIRST.others;

/**
 * The tokens of the history in loading order: those that a person sees first, then the rest, newest first. Each is
 * planned when it is needed: planning all 24 hours takes longer than loading the first tokens.
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

/** The expected number of trades of a token by now. */
function expectedTrades({launchMs, pace, paceFadesS}: Plan, nowMs: number): number {
	return pace * paceFadesS * (1 - Math.exp((launchMs - nowMs) / 1000 / paceFadesS));
}
