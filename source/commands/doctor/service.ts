import type {Client} from '../../client/client.ts';
import type {ServiceFacts} from '../../client/http/health.ts';
import type {Config} from '../../config/config.ts';
import {explain} from '../../errors.ts';
import {MARKET_LABELS} from '../../monitor/market-kind.ts';
import {readViews} from '../feed/once.ts';
import {withClient} from '../with-client.ts';
import type {Finding} from './finding.ts';

/** Beyond this, what is signed with a time is refused (spec 5): warn well before. */
const SKEW_NOTE_MS = 10_000;
const SKEW_BAD_MS = 30_000;
const SLOW_MS = 1_000;

/** Whether the service answers, how fast, and whether its clock and ours agree. */
export async function serviceFindings(config: Config): Promise<readonly Finding[]> {
	const what = config.service.baseUrl === undefined ? "the program's own service" : 'the configured service';
	try {
		return await withClient(config, client => examine(client, what, config.service.baseUrl !== undefined));
	} catch (error) {
		const {what: happened, why, advice} = explain(error);
		return [{subject: 'service', state: 'bad', words: `${what} gives no feed. ${happened}: ${why}`, advice}];
	}
}

async function examine(client: Client, what: string, isForeign: boolean): Promise<readonly Finding[]> {
	const startedAt = performance.now();
	await readViews(client, {assetMode: true, views: {new: {model: 'new', limit: 1}}}, {totals: false});
	const ms = Math.round(performance.now() - startedAt);
	const answer: Finding =
		ms < SLOW_MS
			? {subject: 'service', state: 'good', words: `${what} answers in ${ms} ms`}
			: {subject: 'service', state: 'note', words: `${what} answers slowly, in ${ms} ms`};
	const {market} = isForeign ? await client.facts().catch(() => ({market: undefined})) : {market: undefined};
	return [answer, ...marketFindings(market), clockFinding(client.clock)];
}

/** A market that is not real looks like one that is: it is said. */
export function marketFindings(market: ServiceFacts['market']): readonly Finding[] {
	return market === undefined ? [] : [{subject: 'service', state: 'note', words: MARKET_LABELS[market].text}];
}

/** @param clock the skew and how far off it may be, in milliseconds */
export function clockFinding({skewMs, uncertaintyMs}: {skewMs: number; uncertaintyMs: number | undefined}): Finding {
	if (uncertaintyMs === undefined) {
		return {
			subject: 'service',
			state: 'note',
			words: 'the service does not tell its time, so clocks cannot be compared',
		};
	}
	const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
	const words = `this machine's clock is ${seconds} s ${skewMs > 0 ? 'behind' : 'ahead of'} the service's`;
	if (Math.abs(skewMs) < SKEW_NOTE_MS) return {subject: 'service', state: 'good', words: `${words}, or less`};
	const advice = 'Set the clock, for example by NTP: what is signed with a time more than 30 s off is refused.';
	return {subject: 'service', state: Math.abs(skewMs) < SKEW_BAD_MS ? 'note' : 'bad', words, advice};
}
