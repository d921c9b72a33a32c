import {type Plan, planHistory} from './plan.ts';

/**
 * What a screen shows is told first: so many of the newest tokens, and of those that have graduated or are about to. A
 * graduate has had thousands of trades, so a few of them must do.
 */
const FIRST = {newest: 50, graduates: 3, others: 16} as const;
/** Graduates and others are looked for among so many of the newest tokens. */
const RECENT = 500;

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
	const add = (count: number, isWanted: (plan: Plan) => boolean): void => {
		const wanted = recent.filter(plan => !first.has(plan) && isWanted(plan));
		for (const plan of wanted.slice(0, count)) first.add(plan);
	};
	add(FIRST.graduates, plan => plan.fate === 'graduate' && startMs - plan.launchMs > 300_000);
	add(FIRST.others, plan => plan.fate === 'runner' || plan.fate === 'short');
	yield* first;
	for (const plan of recent) if (!first.has(plan)) yield plan;
	yield* older;
}
