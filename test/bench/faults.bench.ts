import {tableText} from '../../source/commands/output/table.ts';
import {FAULTS, type FaultKind} from '../chaos/fault.ts';
import {openFaultyFeed} from '../helpers/faulty-feed.ts';
import {openFaultyScreen} from '../helpers/faulty-screen.ts';
import {TRIED_FAULTS} from '../helpers/faulty-service.ts';

/*
 * How long a fault has effects after its end. Each is in force for two seconds while the market moves; then both stop, and the
 * time counts until the feed has emitted, and the screen shows, the service's state: the hard case, since nothing that comes
 * later corrects what was lost. All waits are the default ones of client and service. The feeds of all faults run side by
 * side, the screens a few at a time, and each figure is the median of its runs, with the longest.
 */

const SUFFER_MS = 2_000;
const FEED_RUNS = 5;
const SCREEN_RUNS = 3;
const SCREENS_AT_ONCE = 3;
/** Longer than promised is printed, not hidden. */
const PATIENCE = 2;

const kinds = Object.keys(FAULTS) as FaultKind[];

async function feedRecovery(kind: FaultKind): Promise<number> {
	const feed = await openFaultyFeed();
	try {
		const withinMs = FAULTS[kind].rightWithinMs * PATIENCE;
		return await feed.recovery(TRIED_FAULTS[kind], {sufferMs: SUFFER_MS, withinMs});
	} finally {
		await feed.close();
	}
}

async function screenRecovery(kind: FaultKind): Promise<number> {
	const screen = await openFaultyScreen();
	try {
		await screen.suffer(TRIED_FAULTS[kind], SUFFER_MS);
		return await screen.untilRight(FAULTS[kind].rightWithinMs * PATIENCE);
	} finally {
		await screen.close();
	}
}

/** Runs of each kind, and how many at once. */
async function measure(
	runs: number,
	atOnce: number,
	recovery: (kind: FaultKind) => Promise<number>,
): Promise<ReadonlyMap<FaultKind, readonly number[]>> {
	const times = new Map<FaultKind, number[]>(kinds.map(kind => [kind, []]));
	const due = Array.from({length: runs}, () => kinds).flat();
	const work = async () => {
		for (let kind = due.shift(); kind !== undefined; kind = due.shift()) times.get(kind)!.push(await recovery(kind));
	};
	await Promise.all(Array.from({length: atOnce}, work));
	return times;
}

const feeds = await measure(FEED_RUNS, kinds.length, feedRecovery);
const screens = await measure(SCREEN_RUNS, SCREENS_AT_ONCE, screenRecovery);

const seconds = (ms: number) => (ms / 1000).toFixed(1);
const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
const rows = kinds.map(kind => ({kind, feed: feeds.get(kind)!, screen: screens.get(kind)!, ...FAULTS[kind]}));
type Row = (typeof rows)[number];
const figure = (title: string, ms: (row: Row) => number) => {
	return {title, align: 'right', cell: (row: Row) => seconds(ms(row))} as const;
};
console.log(`seconds until right again, after ${SUFFER_MS / 1000} s of the fault`);
console.log(
	tableText(
		[
			{title: 'fault', cell: ({kind}: Row) => kind},
			figure('feed', ({feed}) => median(feed)),
			figure('longest', ({feed}) => Math.max(...feed)),
			figure('screen', ({screen}) => median(screen)),
			figure('longest', ({screen}) => Math.max(...screen)),
			figure('promised', ({rightWithinMs}) => rightWithinMs),
			{
				title: 'kept',
				cell: ({feed, screen, rightWithinMs}) => (Math.max(...feed, ...screen) <= rightWithinMs ? 'yes' : 'NO'),
			},
		],
		rows,
	),
);
