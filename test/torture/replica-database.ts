import {setTimeout as pause} from 'node:timers/promises';
import {BRIDGE} from '../../source/contract/bridge.ts';
import type {Executes, Sent} from './replica-executes.ts';
import {backText, lossesOf, openOf, type Stage, timesBack} from './replica-stage.ts';

/** How the database goes away: its processes are killed, or stopped where they are. */
type Away = 'killed' | 'paused';

const AWAY_MS = 10_000;
/** Transfers that were signed before and are sent while the database is away. */
const PREPARED = 20;
/** Load in the time before and after. */
const CALM_MS = 4000;
/** A request is refused within this long; one that is carried out may take as long as any execute. */
const REFUSED_MS = 15_000;
/** How often a transfer that was refused is sent again. */
const ROUNDS = 5;
/** Everything is back within this long after the database. */
const BACK_MS = 15_000;
/** For so long a replica may not have noticed: its answers are kept for half a second, and streams say `stale` after two. */
const NOTICED_MS = 3000;
const KINDS = ['quote', 'execute', 'perp'] as const;

/** The database is away for ten seconds: nothing is done twice, nothing hangs, streams stay and say `stale`. */
export const databaseStage =
	(away: Away): Stage =>
	async (world, parts) => {
		const {database, set, executes, calls, health} = world;
		const {expect} = parts;
		const readers = openOf(world.readers);
		const prepared = await executes.prepare(PREPARED);
		await pause(CALM_MS);
		const calm = calls.within(performance.now() - CALM_MS, performance.now(), ['execute']);
		const losses = lossesOf(readers);
		const startMs = performance.now();
		if (away === 'killed') await database.kill();
		else database.pause();
		const downMs = performance.now();
		const sending: Promise<void>[] = [];
		for (const one of prepared) {
			sending.push(executes.send(one));
			await pause(AWAY_MS / PREPARED);
		}
		const stale = readers.filter(({isStale}) => isStale).length;
		const upMs = performance.now();
		if (away === 'killed') await database.start();
		else database.resume();
		const back = await timesBack(world, parts, {fromMs: upMs, replicas: set.urls.map((_, n) => n), maxMs: BACK_MS});
		await Promise.all(sending);
		const ended = await sendAgain(executes, prepared, set.urls[0]!);
		await pause(CALM_MS);

		const meanwhile = calls.within(downMs, upMs, KINDS);
		for (const {kind, status, retryAfter} of meanwhile)
			expect(
				status === 503 && Number(retryAfter) > 0,
				`${kind} while the database was ${away}: ${status} with Retry-After ${retryAfter}`,
			);
		for (const kind of KINDS)
			expect(
				meanwhile.some(call => call.kind === kind),
				`no ${kind} was answered while the database was ${away}`,
			);
		const touched = calls.all.filter(({endMs}) => endMs >= startMs);
		for (const {kind, status, sentMs, endMs} of touched) {
			expect(status !== undefined, `${kind}: cut while the database was ${away}`);
			const maxMs = status === 503 ? REFUSED_MS : BRIDGE.solverMs;
			expect(endMs - sentMs <= maxMs, `${kind}: ${status} after ${Math.round(endMs - sentMs)} ms`);
		}
		for (const {n, ready, reason, live} of health.within(startMs, performance.now()))
			expect(live === 200, `replica ${n} is not live while the database is ${away}: ${live} (${ready}, ${reason})`);
		const noticed = health.within(downMs + NOTICED_MS, upMs);
		expect(noticed.length > 0, `no health was asked for while the database was ${away}`);
		for (const {n, ready, reason} of noticed)
			expect(
				ready === 503 && reason === 'database-away',
				`the health of replica ${n} while the database was ${away}: ${ready} ${reason}`,
			);
		expect(lossesOf(readers) === losses, `${lossesOf(readers) - losses} streams were cut`);
		expect(stale === readers.length, `${readers.length - stale} of ${readers.length} subscribers were not told stale`);
		for (const {intentId, answers} of prepared)
			expect(
				answers.includes(200) || ended.has(intentId),
				`${intentId} after the database was ${away}: ${answers.join(', ')}`,
			);
		const longest = (list: typeof touched) => Math.max(0, ...list.map(({sentMs, endMs}) => endMs - sentMs));
		return [
			`before: ${calm.length} executes, the longest took ${Math.round(longest(calm))} ms`,
			`${meanwhile.length} requests were answered meanwhile, all 503; the longest took ${Math.round(longest(touched))} ms`,
			`${prepared.length} transfers sent meanwhile: ${prepared.length - ended.size} accepted afterwards, ${ended.size} had ended unsent`,
			`${stale} of ${readers.length} subscribers were told stale, ${lossesOf(readers) - losses} connections lost`,
			backText(back),
		];
	};

/** Sends transfers again until each is accepted or has ended, as their users would. Returns the ids of those that ended unsent. */
async function sendAgain(executes: Executes, transfers: readonly Sent[], url: string): Promise<Set<string>> {
	const ended = new Set<string>();
	for (let round = 0; round < ROUNDS; round++) {
		const left = transfers.filter(({intentId, answers}) => !answers.includes(200) && !ended.has(intentId));
		await Promise.all(left.map(one => executes.send(one)));
		for (const {intentId} of left) if ((await executes.status(url, intentId)) === 'failed') ended.add(intentId);
		if (left.length > 0) await pause(1000);
	}
	return ended;
}
