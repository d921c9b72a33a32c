import {setTimeout} from 'node:timers/promises';
import type {Client} from '../../client/client.ts';
import type {ServiceFacts} from '../../client/http/health.ts';
import type {Config} from '../../config/config.ts';
import {explain} from '../../errors.ts';
import {MARKET_LABELS} from '../../monitor/market-kind.ts';
import {readViews, UNREAD_ROWS} from '../feed/once.ts';
import {followOf} from '../service/followed.ts';
import {type ClientUse, withClient} from '../service/with-client.ts';
import type {Finding} from './finding.ts';
import {followFindings} from './follow.ts';

/** A signed time that is further off is refused (spec 5): warn well before. */
const SKEW_NOTE_MS = 10_000;
const SKEW_BAD_MS = 30_000;
const SLOW_MS = 1_000;

/** Followed chains are given this long to show what they do, ms. */
const CHAINS_START_MS = 10_000;
const CHAINS_EVERY_MS = 300;

/**
 * Where the API key is from, the response of the service and its delay, its clock against this machine's, and the state of the
 * followed chains.
 */
export async function serviceFindings(config: Config): Promise<readonly Finding[]> {
	const isFollowing = followOf(config) !== undefined;
	const isOwn = isFollowing || config.service.baseUrl === undefined;
	const what = isOwn ? "the program's own service" : 'the configured service';
	const use: ClientUse = isFollowing ? {history: 'later'} : {};
	const key = isOwn ? [] : [keyFinding(config)];
	const examined = withClient(config, client => examine(client, what, isFollowing || !isOwn), use);
	const found = await examined.catch((error: unknown): readonly Finding[] => {
		const {what: happened, why, advice} = explain(error);
		return [{subject: 'service', state: 'bad', text: `${what} gives no feed. ${happened}: ${why}`, advice}];
	});
	return [...key, ...found];
}

/** The origin of the API key for the configured service, never the key. */
export function keyFinding({service, origins}: Pick<Config, 'service' | 'origins'>): Finding {
	if (service.apiKey === undefined) {
		const advice = 'Set PULSETOP_API_KEY to a key of the service, unless the service asks for none.';
		return {subject: 'service', state: 'note', text: 'no API key is set', advice};
	}
	return {subject: 'service', state: 'good', text: `the API key is from ${origins.get('service.api-key')?.name}`};
}

/** @param asksFacts whether the service may have something to say of its market */
async function examine(client: Client, what: string, asksFacts: boolean): Promise<readonly Finding[]> {
	const startedAt = performance.now();
	const request = {assetMode: true, views: {new: {model: 'new', limit: 1}}} as const;
	const {hasUnread} = await readViews(client, request, {totals: false});
	const ms = Math.round(performance.now() - startedAt);
	const speed: Finding =
		ms < SLOW_MS
			? {subject: 'service', state: 'good', text: `${what} answers in ${ms} ms`}
			: {subject: 'service', state: 'note', text: `${what} answers slowly, in ${ms} ms`};
	const {market, follow = []} = asksFacts ? await startedFacts(client) : {};
	const unread: readonly Finding[] = hasUnread ? [{subject: 'service', state: 'bad', text: UNREAD_ROWS}] : [];
	return [speed, ...unread, ...marketFindings(market), clockFinding(client.clock), ...followFindings(follow)];
}

/** The service's own description, once its chains have started. */
async function startedFacts(client: Client): Promise<ServiceFacts> {
	const endMs = performance.now() + CHAINS_START_MS;
	while (true) {
		const facts = await client.facts().catch((): ServiceFacts => ({}));
		const isStarting = facts.follow?.some(({state}) => state === 'starting') ?? false;
		if (!isStarting || performance.now() > endMs) return facts;
		await setTimeout(CHAINS_EVERY_MS);
	}
}

/** A note for a market that is not real, because it looks like a real one. */
export function marketFindings(market: ServiceFacts['market']): readonly Finding[] {
	return market === undefined ? [] : [{subject: 'service', state: 'note', text: MARKET_LABELS[market].text}];
}

/** Whether the clocks agree. @param clock the skew and its uncertainty, ms; no uncertainty when the service reports no time */
export function clockFinding({skewMs, uncertaintyMs}: {skewMs: number; uncertaintyMs: number | undefined}): Finding {
	if (uncertaintyMs === undefined) {
		return {
			subject: 'service',
			state: 'note',
			text: 'the service does not report its time, so the clocks cannot be compared',
		};
	}
	const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
	const text = `this machine's clock is ${seconds} s ${skewMs > 0 ? 'behind' : 'ahead of'} the service's`;
	if (Math.abs(skewMs) < SKEW_NOTE_MS) return {subject: 'service', state: 'good', text: `${text}, or less`};
	const advice = 'Set the clock, for example by NTP: what is signed with a time more than 30 s off is refused.';
	return {subject: 'service', state: Math.abs(skewMs) < SKEW_BAD_MS ? 'note' : 'bad', text, advice};
}
