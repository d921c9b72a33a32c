import type {ChainCoverage} from '../contract/coverage.ts';
import type {Following, MonitorState} from './state.ts';
import {noticed} from './transitions/screen.ts';

/** Why money keys do nothing in a market of real chains. */
export const NO_MONEY = {
	own: 'this market is real, and no money service is configured: --base-url names one',
	hosted: 'this market is real, and its service moves no money',
} as const;

/** How a followed market is doing, in a word for its colour and in words for the first line. */
export interface FollowingSummary {
	readonly tone: 'good' | 'warn' | 'bad';
	/** False while nothing new can come from any chain. */
	readonly isLive: boolean;
	/** `1.2 s behind`, `base is stalled: its head went back`. */
	readonly text: string;
}

/** A report that is older than this is said to be old, ms. */
const OLD_MS = 5000;
/** A chain that is further behind, at a node that refuses calls, is so because of that, ms. */
const LIMITED_LAG_MS = 10_000;

/** The chains in the first line: the worst of them. @param nowMs local Unix ms */
export function summaryOf({coverage, readAtMs = 0}: Following, nowMs: number): FollowingSummary {
	if (coverage === undefined || coverage.length === 0) return {tone: 'warn', isLive: true, text: 'starting'};
	const ageMs = nowMs - readAtMs;
	if (ageMs > OLD_MS) return {tone: 'bad', isLive: false, text: `no word of the chains for ${lagText(ageMs)}`};
	const broken = coverage.filter(({state}) => state === 'stalled' || state === 'unreachable');
	const isLive = broken.length < coverage.length;
	if (broken.length > 0) return {tone: 'bad', isLive, text: brokenText(broken, coverage.length > 1)};
	const early = coverage.filter(({state}) => state === 'starting' || state === 'backfilling');
	const [last] = coverage.filter(({lagMs}) => lagMs !== null).sort((a, b) => b.lagMs! - a.lagMs!);
	const isBehind = coverage.some(({state}) => state === 'behind');
	const marks = marksOf(coverage);
	const parts = [
		...early.map(({name, state}) =>
			named(name, state === 'starting' ? 'starts' : 'reads the past', coverage.length > 1),
		),
		...(last === undefined ? [] : [`${lagText(last.lagMs!)} behind${limitText(last, coverage.length > 1)}`]),
		...marks,
	];
	const isGood = early.length === 0 && !isBehind && marks.length === 0;
	return {tone: isGood ? 'good' : 'warn', isLive, text: parts.join(', ')};
}

/** The name stands beside already where there is one chain only. */
function named(name: string, does: string, isOneOfMany: boolean): string {
	return isOneOfMany ? `${name} ${does}` : does;
}

/** Why a chain is behind, where its node takes too few calls. */
function limitText({name, lagMs, callLimit}: ChainCoverage, isOneOfMany: boolean): string {
	if (typeof callLimit !== 'number' || lagMs === null || lagMs < LIMITED_LAG_MS) return '';
	return `: ${isOneOfMany ? `the node of ${name}` : 'this node'} takes ${callLimit} call${callLimit === 1 ? '' : 's'} a second`;
}

function brokenText(broken: readonly ChainCoverage[], isOneOfMany: boolean): string {
	return broken
		.map(({name, state, why}) => named(name, `is ${state}${why === null ? '' : `: ${why}`}`, isOneOfMany))
		.join('; ');
}

/** Missed parts: gaps, and events that no decoder knows. */
function marksOf(coverage: readonly ChainCoverage[]): string[] {
	const sum = (of: (chain: ChainCoverage) => number): number => coverage.reduce((total, chain) => total + of(chain), 0);
	const gaps = sum(({gapCount}) => gapCount);
	const unknown = sum(({unknownEvents}) => unknownEvents);
	return [
		...(gaps > 0 ? [`${gaps} gap${gaps === 1 ? '' : 's'}`] : []),
		...(unknown > 0 ? [`${unknown} unknown event${unknown === 1 ? '' : 's'}`] : []),
	];
}

/** `1.2 s`, `34 s`, `5 min`, `2 h`. */
export function lagText(ms: number): string {
	const seconds = Math.max(ms, 0) / 1000;
	if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
	if (seconds < 59.5) return `${Math.round(seconds)} s`;
	const minutes = seconds / 60;
	return minutes < 59.5 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
}

/** The service reported its chains. A chain that got worse, or recovered, makes a notice. @param nowMs local Unix ms */
export function coverageRead(state: MonitorState, coverage: readonly ChainCoverage[], nowMs: number): MonitorState {
	const before = new Map(state.service.follow?.coverage?.map(chain => [chain.chainId, chain]));
	const noMoney = state.service.follow === undefined ? NO_MONEY.hosted : state.service.noMoney;
	const follow = {names: coverage.map(({name}) => name), coverage, readAtMs: nowMs};
	const next = {...state, service: {...state.service, follow, ...(noMoney !== undefined && {noMoney})}};
	const news = coverage.flatMap(chain => newsOf(chain, before.get(chain.chainId)) ?? []);
	const worst = news.find(({tone}) => tone === 'bad') ?? news[0];
	return worst === undefined ? next : noticed(next, {...worst, atMs: nowMs, isEvent: true});
}

function newsOf(
	{name, state, why}: ChainCoverage,
	before: ChainCoverage | undefined,
): {readonly text: string; readonly tone: 'good' | 'bad'} | undefined {
	const isBroken = (of: ChainCoverage['state'] | undefined): boolean => of === 'stalled' || of === 'unreachable';
	if (isBroken(state) && state !== before?.state)
		return {text: `${name} is ${state}${why === null ? '.' : `: ${why}`}`, tone: 'bad'};
	if (isBroken(before?.state) && state === 'live') return {text: `${name} is live again.`, tone: 'good'};
	return undefined;
}
