import type {ClientOptions} from '../../client/client.ts';
import {createFeedClient, type FeedClient} from '../../client/feed/feed-client.ts';
import {ServiceRefused} from '../../client/http/service-errors.ts';
import {isObject} from '../../client/wire/wire-value.ts';
import type {Config} from '../../config/config.ts';
import {NOT_READY, type NotReady} from '../../contract/health.ts';
import {explain} from '../../errors.ts';
import {followOf} from '../service/followed.ts';
import {hostedOptions} from '../service/open-service.ts';
import type {Finding} from './finding.ts';

/** The responses of one address. */
type Answer =
	/** `epoch` of the market log that it reads; undefined where it says no position. */
	{readonly ms: number; readonly epoch: string | undefined} | {readonly problem: Omit<Finding, 'subject'>};

const EPOCH = /^([\da-z]{1,32})\.\d{1,15}$/;

/** Whether each of several addresses serves, and whether all are of one service; nothing for a service with one address. */
export async function addressFindings(config: Config): Promise<readonly Finding[]> {
	const bases = [config.service.baseUrl ?? []].flat();
	if (followOf(config) !== undefined || bases.length < 2) return [];
	const options = await hostedOptions(config);
	const answers = await Promise.all(bases.map(baseUrl => ask({...options, baseUrl, streamUrl: null})));
	const findings = answers.map((answer, at): Finding => {
		const name = `address ${at + 1} of ${bases.length}`;
		if ('problem' in answer) return {subject: 'service', ...answer.problem, text: `${name} ${answer.problem.text}`};
		return {subject: 'service', state: 'good', text: `${name} answers in ${answer.ms} ms`};
	});
	return [...findings, ...samenessFindings(answers)];
}

/** A full view of one row: what a replica that is not ready refuses, and whose answer says the position. */
async function ask(options: ClientOptions): Promise<Answer> {
	const client = createFeedClient(options);
	const body = {assetMode: true, views: [{name: 'new', model: 'new', limit: 1}]};
	const startedMs = performance.now();
	try {
		const {headers} = await client.http.json({method: 'POST', path: '/api/2/pulse', body, retry: 'read', attempts: 1});
		const at = headers['pulsetop-at'];
		const ms = Math.round(performance.now() - startedMs);
		const reason = await whyNotReady(client);
		if (reason !== undefined) return {problem: notReady(reason)};
		return {ms, epoch: typeof at === 'string' ? EPOCH.exec(at)?.[1] : undefined};
	} catch (error) {
		if (error instanceof ServiceRefused && error.status === 503) {
			return {problem: notReady(error.said)};
		}
		const {what, why, advice} = explain(error);
		return {problem: {state: 'bad', text: `does not serve. ${what}: ${why}`, advice}};
	} finally {
		client.close();
	}
}

/** Why the replica says that requests should not be sent to it; undefined where it says nothing of the kind. */
async function whyNotReady({http}: FeedClient): Promise<string | undefined> {
	const {body} = await http
		.json({method: 'GET', path: '/health', retry: 'read', attempts: 1})
		.catch(() => ({body: undefined}));
	if (!isObject(body) || body['ready'] !== false) return undefined;
	const reason = NOT_READY.find(known => known === body['notReady']);
	return reason === undefined ? '' : REASONS[reason];
}

const REASONS: Readonly<Record<NotReady, string>> = {
	starting: 'it still reads the market',
	behind: 'it is behind the market log',
	'log-unreadable': 'it cannot read the market log, and its own log says why',
	'database-away': 'it does not reach its database',
	draining: 'it stops',
};

function notReady(reason: string): Omit<Finding, 'subject'> {
	const advice = 'The others serve meanwhile. A replica that starts is ready once it has read the market.';
	return {state: 'note', text: `is reached and not ready${reason === '' ? '' : `: ${reason}`}`, advice};
}

/** Whether the addresses that answer read one market log. */
function samenessFindings(answers: readonly Answer[]): readonly Finding[] {
	const subject = 'service';
	const answered = answers.flatMap((answer, at) => ('problem' in answer ? [] : [{place: at + 1, epoch: answer.epoch}]));
	const [first, ...others] = answered;
	if (first === undefined || others.length === 0) return [];
	const differing = others.filter(({epoch}) => epoch !== first.epoch).map(({place}) => place);
	if (differing.length > 0) {
		const text = `address ${differing.join(', ')} is not of the same service as address ${first.place}: rows and money would differ by chance`;
		return [
			{
				subject,
				state: 'bad',
				text,
				advice: 'Give only the replicas of one service: pulsetop serve with the same --store.',
			},
		];
	}
	if (first.epoch === undefined) {
		const text = 'the addresses say no position in a market log: whether they are one service is not known';
		return [{subject, state: 'note', text}];
	}
	return [{subject, state: 'good', text: 'the addresses that answer are replicas of one service'}];
}
